//! The Python package as people install it: a wheel of what cargo has just built, in an environment of its own, tried by the tests in `python/tests`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use fixtures::python::environment;
use serde_json::json;

const PACKAGES: [&str; 15] = [
    "maturin==1.16.0",
    "gymnasium==1.4.0",
    "ipykernel",
    "matplotlib",
    "mypy==2.4.1",
    "nbclient",
    "numpy",
    "pandas",
    "pandas-stubs",
    "pettingzoo==1.27.0",
    "polars",
    "pytest",
    "pytest-xdist",
    "tqdm",
    "types-tqdm",
];

/// Stands in for cargo while maturin packs a wheel: what that would build is built, and packages of other systems are not there.
const CARGO: &str = r#"#!/bin/sh
case "$1" in
rustc) printf '%s\n' "$BUILT" ;;
metadata) exec "$REAL_CARGO" "$@" --filter-platform "$(rustc -vV | sed -n 's/^host: //p')" ;;
*) exec "$REAL_CARGO" "$@" ;;
esac
"#;

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the repository")
}

/// Where cargo puts what it builds.
fn built() -> PathBuf {
    let program = std::env::current_exe().expect("this program");
    let folder = program.ancestors().nth(2).expect("cargo's directories");
    folder.to_owned()
}

/// What a command prints, which must succeed.
fn output(command: &mut Command) -> String {
    let output = command.output().expect("it can be started");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{command:?}\n{printed}\n{complaints}"
    );
    printed
}

/// What cargo tells of the library when it has built it.
fn message() -> String {
    let cargo = env!("CARGO");
    let id = output(
        Command::new(cargo)
            .args(["pkgid", "--offline", "-p", env!("CARGO_PKG_NAME")])
            .current_dir(root()),
    );
    let folder = root().join("crates/python");
    let message = json!({
        "reason": "compiler-artifact",
        "package_id": id.trim(),
        "manifest_path": folder.join("Cargo.toml"),
        "target": {
            "kind": ["cdylib"], "crate_types": ["cdylib"], "name": "_gamete",
            "src_path": folder.join("src/lib.rs"), "edition": "2024",
            "doc": true, "doctest": false, "test": false,
        },
        "profile": {
            "opt_level": "0", "debuginfo": 1, "debug_assertions": true,
            "overflow_checks": true, "test": false,
        },
        "features": [],
        "filenames": [built().join("deps/lib_gamete.so")],
        "executable": null,
        "fresh": true,
    });
    message.to_string()
}

/// Packs the wheel as `pip install ./python` would.
fn wheel(programs: &Path, place: &Path) -> PathBuf {
    let (cargo, wheels) = (place.join("cargo"), place.join("wheels"));
    fs::write(&cargo, CARGO).expect("a script");
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).expect("it can be run");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = [place.to_owned()]
        .into_iter()
        .chain(std::env::split_paths(&path));
    let path = std::env::join_paths(places).expect("a path");
    output(
        Command::new(programs.join("maturin"))
            .args(["build", "--offline", "--locked"])
            .args(["--compatibility", "linux"])
            .args(["--compression-method", "stored"])
            .args([
                "--interpreter".as_ref(),
                programs.join("python").as_os_str(),
            ])
            .args(["--out".as_ref(), wheels.as_os_str()])
            .envs([
                ("PATH", path.as_os_str()),
                ("CARGO", cargo.as_os_str()),
                ("REAL_CARGO", env!("CARGO").as_ref()),
                ("BUILT", message().as_ref()),
            ])
            .current_dir(root().join("python")),
    );
    let mut found = fs::read_dir(wheels).expect("wheels");
    let wheel = found.next().expect("a wheel").expect("a wheel");
    wheel.path()
}

#[test]
fn the_package_passes_its_tests() {
    let Some(programs) = environment("package", &PACKAGES) else {
        return;
    };
    let place = tempfile::tempdir().expect("a directory");
    let wheel = wheel(&programs, place.path());
    output(
        Command::new(programs.join("python"))
            .args(["-m", "pip", "install", "--quiet", "--no-index"])
            .args(["--no-deps", "--force-reinstall"])
            .arg(&wheel),
    );
    let binary = built().join("gamete");
    assert!(binary.exists(), "'cargo build --bin gamete' comes first");
    let printed = output(
        Command::new(programs.join("python"))
            .args(["-m", "pytest", "-q", "-rs", "-n", "2"])
            .args(["-p", "no:cacheprovider"])
            .arg(root().join("python/tests"))
            .envs([("GAMETE_BINARY", &binary), ("GAMETE_WHEEL", &wheel)])
            .current_dir(place.path()),
    );
    for line in printed.lines().filter(|line| line.starts_with("SKIPPED")) {
        eprintln!("{line}");
    }
}
