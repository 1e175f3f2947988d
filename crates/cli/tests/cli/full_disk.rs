//! A disk that is full stops a study with a clear message; with room it goes on and ends with the same files.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::disturbed::{Place, STUDY_2048, STUDY_TETRIS, check_same, told};

/// Runs a study in a small file system that grows whenever it was full; `$0` is where it is, `$1` a directory for what came out, the rest the command.
const GROWING: &str = r#"
disk=$0; out=$1; shift; size=8
mount -t tmpfs -o size=${size}k full "$disk" || exit 77
while "$@" 2> "$out/$size"; code=$?; [ $code -eq 1 ] && [ $size -lt 4000 ]; do
  echo $size >> "$out/full"; size=$((size + 20)); mount -o remount,size=${size}k "$disk"
done
cp -r "$disk/." "$out/runs"; exit $code
"#;

/// One line says which file could not be written, why, and how it goes on.
fn check_message(message: &str) {
    assert!(!message.contains("panicked"), "{message}");
    let error = message.lines().find(|line| line.contains("error:"));
    let error = error.unwrap_or_else(|| panic!("no error in: {message}"));
    for part in [
        "cannot ",
        "/disturbed",
        "the disk is full",
        "'gamete resume'",
        "continues",
    ] {
        assert!(error.contains(part), "{part}: {message}");
    }
}

fn in_a_growing_disk(place: &Place, disk: &Path, out: &Path) -> Option<Output> {
    let output = Command::new("unshare")
        .args(["-rm", "sh", "-c", GROWING])
        .args([disk, out])
        .arg(env!("CARGO_BIN_EXE_gamete"))
        .args(place.arguments(disk))
        .args(["--save-every", "0s"])
        .stdin(Stdio::null())
        .output();
    output.ok().filter(|output| {
        let is_forbidden = output.status.code() == Some(77) || told(output).contains("unshare");
        !is_forbidden
    })
}

#[test]
fn a_full_disk_is_told_of_and_with_room_it_goes_on() {
    let place = Place::new(STUDY_2048);
    let (expected, _) = place.undisturbed();
    let (disk, out) = (place.path("disk"), place.path("out"));
    fs::create_dir(&disk).expect("a directory");
    fs::create_dir(&out).expect("a directory");
    let Some(output) = in_a_growing_disk(&place, &disk, &out) else {
        // Where nobody may mount, files that may not grow are nearly the same.
        return check_short_files(&place, "0s");
    };
    assert!(output.status.success(), "{}", told(&output));
    let full = fs::read_to_string(out.join("full")).expect("it was full at least once");
    for size in full.lines() {
        check_message(&fs::read_to_string(out.join(size)).expect("a message"));
    }
    assert!(full.lines().count() >= 4, "{full}");
    check_same(&expected, &out.join("runs"), "full disk");
}

/// Files may not be longer than this many blocks; the limit grows until the study ends.
fn check_short_files(place: &Place, save_every: &str) {
    let (expected, _) = place.undisturbed();
    let runs = place.path("short-files");
    let mut full = 0;
    for blocks in (0..).map(|step| step * 3) {
        let script = format!(r#"trap "" XFSZ; ulimit -f {blocks}; exec "$0" "$@""#);
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_gamete")])
            .args(place.arguments(&runs))
            .args(["--save-every", save_every])
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        match output.status.code() {
            Some(0) => break,
            code => assert_eq!(code, Some(1), "{blocks} blocks: {}", told(&output)),
        }
        check_message(&told(&output));
        full += 1;
    }
    assert!(full >= 3, "full {full} times");
    check_same(&expected, &runs, "short files");
}

#[test]
fn files_that_may_not_grow_are_told_of_and_later_go_on() {
    check_short_files(&Place::new(STUDY_TETRIS), "1s");
}
