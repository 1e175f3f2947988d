//! Every command shown in the README and the manual does what they show.
//!
//! A binary of its own, since it changes the working directory, which all tests of a binary share.

use std::path::Path;

#[test]
fn commands_of_readme_and_manual_work() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().expect("the workspace is there");
    // Some of the commands write files, which do not belong into the workspace.
    let folder = tempfile::tempdir().expect("a folder");
    std::env::set_current_dir(&folder).expect("the folder is there");
    std::os::unix::fs::symlink(root.join("studies"), "studies").expect("the shipped studies");
    trycmd::TestCases::new()
        .case(root.join("README.md"))
        .case(root.join("docs/manual/*.md"))
        .register_bin("gamete", Path::new(env!("CARGO_BIN_EXE_gamete")))
        .run();
}
