//! Builds the page into the program: `ui/dist` if it is there, else what npm makes of `ui`, else nothing, and the server shows a plain page.
//!
//! `cargo build` never needs Node, and never fails because of it.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let ui = here.join("ui");
    // A file that is not there would have this run every time.
    println!("cargo:rerun-if-changed=build.rs");
    let parts = ["dist", "src", "public", "index.html", "package.json"];
    for name in parts.into_iter().filter(|name| ui.join(name).exists()) {
        println!("cargo:rerun-if-changed=ui/{name}");
    }
    println!("cargo:rerun-if-env-changed=GAMETE_UI");
    let page = find(&ui, &out.join("page"));
    let mut files = Vec::new();
    if let Some(page) = &page {
        collect(page, page, &mut files)?;
    }
    fs::write(out.join("page.rs"), listing(&files))
}

/// The directory of the page, if there is one: `GAMETE_UI=none` wants none, `GAMETE_UI=dist` only one that was built before.
fn find(ui: &Path, out: &Path) -> Option<PathBuf> {
    let wish = env::var("GAMETE_UI").unwrap_or_default();
    let dist = ui.join("dist");
    match wish.as_str() {
        "none" => return None,
        _ if dist.join("index.html").is_file() => return Some(dist),
        "dist" => return None,
        _ => {}
    }
    (ui.join("package.json").is_file() && build(ui, out)).then(|| out.to_owned())
}

/// Lets npm build the page into a directory of cargo's; says whether that worked.
fn build(ui: &Path, out: &Path) -> bool {
    let is_installed = ui.join("node_modules").is_dir()
        || npm(ui, &["install", "--no-save", "--no-audit", "--no-fund"]);
    let out = out.to_string_lossy();
    let arguments = ["run", "build", "--", "--outDir", &out, "--emptyOutDir"];
    let is_built =
        is_installed && npm(ui, &arguments) && Path::new(&*out).join("index.html").is_file();
    if !is_built {
        println!(
            "cargo:warning=the full page was not built (is npm there?); gamete serve shows a plain one"
        );
    }
    is_built
}

fn npm(ui: &Path, arguments: &[&str]) -> bool {
    let mut npm = Command::new("npm");
    npm.args(arguments).current_dir(ui);
    npm.stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    npm.status().is_ok_and(|status| status.success())
}

/// All files below a directory, in a fixed order.
fn collect(root: &Path, directory: &Path, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    let mut entries = fs::read_dir(directory)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for path in entries.into_iter().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(root, &path, files)?;
        } else if let Ok(name) = path.strip_prefix(root) {
            let name = name.to_string_lossy().replace('\\', "/");
            files.push((format!("/{name}"), path));
        }
    }
    Ok(())
}

fn listing(files: &[(String, PathBuf)]) -> String {
    let mut text = "pub(super) static FILES: &[super::File] = &[\n".to_owned();
    for (name, path) in files {
        let (kind, path) = (kind(name), path.display().to_string());
        let _ = writeln!(text, "    ({name:?}, {kind:?}, include_bytes!({path:?})),");
    }
    text + "];\n"
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
