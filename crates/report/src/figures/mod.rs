//! Pictures of a report as files of their own, for papers and slides. A new format is a file and a line in [`FIGURES`].

mod pdf;
mod png;
mod svg;
mod tree;

pub(crate) use self::png::pixels;
pub(crate) use self::svg::FIGURE as SVG;
use crate::Picture;

/// A format of pictures.
#[derive(Debug, Clone, Copy)]
pub struct Figure {
    /// Its name, and how its files end.
    pub name: &'static str,
    make: fn(&Picture) -> Vec<u8>,
}

/// All formats.
pub static FIGURES: &[Figure] = &[svg::FIGURE, png::FIGURE, pdf::FIGURE];

impl Figure {
    /// The file of a picture: its path within the directory of the report, and its contents.
    pub(crate) fn file(&self, picture: &Picture) -> (String, Vec<u8>) {
        let path = format!("charts/{}.{}", picture.name, self.name);
        (path, (self.make)(picture))
    }
}
