//! Every study that ships runs in its short form, so that what a newcomer copies works.

use std::path::{Path, PathBuf};

use crate::gamete::gamete;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies")
}

/// All study files, by path.
fn studies() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in std::fs::read_dir(root()).expect("the studies are there") {
        let folder = folder.expect("a folder").path();
        for file in std::fs::read_dir(&folder).expect("a folder of studies") {
            let file = file.expect("a file").path();
            if file
                .extension()
                .is_some_and(|extension| extension == "toml")
            {
                found.push(file);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn all_run_in_short_form() {
    let runs = tempfile::tempdir().expect("a directory");
    let runs = runs.path().to_str().expect("a path");
    let studies = studies();
    assert!(studies.len() >= 25, "{studies:?}");
    for study in studies {
        let path = study.to_str().expect("a path");
        let output = gamete(&["run", path, "--short", "--quiet", "--runs-dir", runs]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{path}: {told}");
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(told.contains("The report is in"), "{path}: {told}");
    }
}

#[test]
fn the_readme_lists_all_folders() {
    let readme = std::fs::read_to_string(root().join("../README.md")).expect("the README");
    for folder in std::fs::read_dir(root()).expect("the studies are there") {
        let name = folder.expect("a folder").file_name();
        let name = format!("studies/{}", name.to_string_lossy());
        assert!(readme.contains(&name), "{name}");
    }
}
