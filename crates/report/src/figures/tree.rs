//! SVG as shapes, with texts in a font that comes with the program: no file depends on what is installed.

use std::sync::{Arc, OnceLock};

use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

const FAMILY: &str = "DejaVu Sans";

/// The shapes of a picture.
pub(super) fn tree(svg: &str) -> Tree {
    let options = Options {
        fontdb: fonts(),
        font_family: FAMILY.to_owned(),
        ..Options::default()
    };
    Tree::from_str(svg, &options).expect("our pictures are SVG")
}

fn fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let read = || {
        let mut fonts = Database::new();
        fonts.load_font_data(dejavu::sans::regular().to_vec());
        fonts.load_font_data(dejavu::sans::bold().to_vec());
        fonts.set_sans_serif_family(FAMILY);
        Arc::new(fonts)
    };
    Arc::clone(FONTS.get_or_init(read))
}
