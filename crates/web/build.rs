//! Puts the page into the program: what npm makes of `ui`, or nothing, and then the server shows a plain page; and the results in `docs`.
//!
//! `GAMETE_PAGE=plain` wants the plain page and never calls npm; `GAMETE_PAGE=full` fails without the full one, as does `CI=true`.
//! Otherwise the full page is built where npm is there, and its absence is a warning. npm gets packages only when
//! `package-lock.json` differs from the one they were got for, and builds only when a file of the page has changed.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs, io};

/// What the page is made of, within `ui`.
const PARTS: [&str; 9] = [
    ".npmrc",
    "index.html",
    "package-lock.json",
    "package.json",
    "public",
    "src",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
];

/// Results of studies and what they say of published ones.
const RESULTS: &str = "../../docs/results";

/// Names as the browser asks for them, and where the files are.
type Files = Vec<(String, PathBuf)>;

fn main() -> ExitCode {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=GAMETE_PAGE");
    println!("cargo:rerun-if-env-changed=CI");
    let path = |name| PathBuf::from(env::var_os(name).unwrap_or_default());
    let ui = path("CARGO_MANIFEST_DIR").join("ui");
    // A file that is not there would have this run every time.
    for part in PARTS.into_iter().filter(|part| ui.join(part).exists()) {
        println!("cargo:rerun-if-changed=ui/{part}");
    }
    if let Err(error) = results(&path("CARGO_MANIFEST_DIR").join(RESULTS), &path("OUT_DIR")) {
        eprintln!("error: {RESULTS} cannot be taken in: {error}");
        return ExitCode::FAILURE;
    }
    match page(&ui, &path("OUT_DIR")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: the full page was not built: {error}");
            eprintln!("       with GAMETE_PAGE=plain the program is built without it");
            ExitCode::FAILURE
        }
    }
}

/// Writes the list of the results, which a part of the sources may lack.
fn results(folder: &Path, out: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    if folder.is_dir() {
        println!("cargo:rerun-if-changed={RESULTS}");
        let folder = folder.canonicalize()?;
        collect(&folder, &folder, &mut files)?;
    }
    write_list(&out.join("results.rs"), &files)
}

/// Writes the list of the page's files.
fn page(ui: &Path, out: &Path) -> io::Result<()> {
    let must_be_full = match env::var("GAMETE_PAGE").unwrap_or_default().as_str() {
        "plain" => return write_list(&out.join("page.rs"), &[]),
        "full" => true,
        "" => env::var("CI").is_ok_and(|value| value == "true"),
        other => {
            let why = format!("GAMETE_PAGE is '{other}'; expected one of plain, full");
            return Err(io::Error::other(why));
        }
    };
    match build(ui, out) {
        Ok(files) => write_list(&out.join("page.rs"), &files),
        Err(error) if must_be_full => Err(error),
        Err(error) => {
            println!(
                "cargo:warning=gamete serve will show a plain page: {error} (GAMETE_PAGE=full tries again, GAMETE_PAGE=plain is content)"
            );
            write_list(&out.join("page.rs"), &[])
        }
    }
}

/// A copy of the page, which npm builds unless it has done so of the same files, for whichever target directory.
fn build(ui: &Path, out: &Path) -> io::Result<Files> {
    // Two builds at a time must not call npm both.
    let lock = fs::File::open(ui.join("package-lock.json"))?;
    lock.lock()?;
    let built = ui.join("node_modules/.page");
    let stamp = ui.join("node_modules/.page.stamp");
    let state = format!("{:016x}", state_of(ui)?);
    let is_built = built.join("index.html").is_file()
        && fs::read_to_string(&stamp).is_ok_and(|stamp| stamp == state);
    if !is_built {
        get_packages(ui)?;
        // A build that fails halfway leaves files of neither state.
        let _ = fs::remove_file(&stamp);
        let target = built.to_string_lossy();
        npm(
            ui,
            &["run", "build", "--", "--outDir", &target, "--emptyOutDir"],
        )?;
        fs::write(stamp, state)?;
    }
    copy(&built, &out.join("page"))
}

fn copy(from: &Path, to: &Path) -> io::Result<Files> {
    let mut files = Vec::new();
    collect(from, from, &mut files)?;
    for (name, path) in &mut files {
        let target = to.join(&name[1..]);
        fs::create_dir_all(target.parent().unwrap_or(to))?;
        fs::copy(&path, &target)?;
        *path = target;
    }
    Ok(files)
}

/// A number that changes with the names and contents of what the page is made of.
fn state_of(ui: &Path) -> io::Result<u64> {
    let mut hasher = DefaultHasher::new();
    for part in PARTS {
        let path = ui.join(part);
        let mut files = Vec::new();
        if path.is_dir() {
            collect(ui, &path, &mut files)?;
        } else if path.is_file() {
            files.push((part.to_owned(), path));
        }
        for (name, path) in files {
            (name, fs::read(path)?).hash(&mut hasher);
        }
    }
    Ok(hasher.finish())
}

/// Gets the packages, unless those of this `package-lock.json` are there.
fn get_packages(ui: &Path) -> io::Result<()> {
    let lock = fs::read(ui.join("package-lock.json"))?;
    let stamp = ui.join("node_modules/.package-lock.stamp");
    if fs::read(&stamp).is_ok_and(|stamp| stamp == lock) {
        return Ok(());
    }
    npm(ui, &["install", "--no-save", "--no-audit", "--no-fund"])?;
    say(
        "got the page's npm packages into crates/web/ui/node_modules (GAMETE_PAGE=plain does without)",
    );
    fs::write(stamp, lock)
}

/// Says something once: on the terminal if there is one, since cargo repeats a warning whenever it finds nothing to do.
fn say(text: &str) {
    let terminal = env::var_os("TERM").and_then(|_| {
        let mut options = fs::OpenOptions::new();
        options.write(true).open("/dev/tty").ok()
    });
    // Cargo's progress bar is in the line already.
    let said = terminal.map(|mut terminal| writeln!(terminal, "\r\x1b[K{text}"));
    if !matches!(said, Some(Ok(()))) {
        println!("cargo:warning={text}");
    }
}

fn npm(ui: &Path, arguments: &[&str]) -> io::Result<()> {
    let mut npm = Command::new("npm");
    npm.args(arguments).current_dir(ui).stdin(Stdio::null());
    let output = npm.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::other("npm is not installed"),
        _ => error,
    })?;
    if output.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&output.stderr).replace('\n', " ");
    let command = arguments[..2].join(" ");
    Err(io::Error::other(format!(
        "npm {command} failed: {}",
        words.trim()
    )))
}

/// All files below a directory, in a fixed order.
fn collect(root: &Path, directory: &Path, files: &mut Files) -> io::Result<()> {
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

fn write_list(list: &Path, files: &[(String, PathBuf)]) -> io::Result<()> {
    let mut text = "pub(super) static FILES: &[super::File] = &[\n".to_owned();
    for (name, path) in files {
        let (kind, path) = (kind(name), path.display().to_string());
        let _ = writeln!(text, "    ({name:?}, {kind:?}, include_bytes!({path:?})),");
    }
    fs::write(list, text + "];\n")
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "md" => "text/markdown; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
