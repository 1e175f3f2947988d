//! No damage to the files of a run goes unnoticed: every byte of small ones is changed, and they are cut at every length.

use std::fs;
use std::path::Path;

use lab::run::checkpoint::{Checkpoint, CheckpointError};
use lab::run::ledger::{Format, Ledger, LedgerError, Mark, Reader};
use lab::run::outcome::Outcome;
use lab::run::seal::SealError;

const FORMAT: Format = Format {
    magic: b"GAMETETE",
    name: "test",
    version: 3,
};

/// A ledger of a few entries, and how far it was after each.
fn write(path: &Path) -> Vec<Mark> {
    let mut ledger = Ledger::create(path, FORMAT, "about it").expect("a ledger");
    let mut marks = vec![ledger.mark()];
    for (head, body) in [("one", "first body"), ("", ""), ("three", "third body")] {
        let added = ledger.add(head.as_bytes(), body.as_bytes());
        added.expect("room for an entry");
        marks.push(ledger.sync().expect("a disk"));
    }
    marks
}

/// Reads a ledger to its end, bodies too.
fn read(path: &Path) -> Result<Mark, LedgerError> {
    let mut reader = Reader::open(path, FORMAT)?;
    while let Some(entry) = reader.next_entry()? {
        reader.body(&entry)?;
    }
    Ok(reader.mark())
}

#[test]
fn every_changed_byte_of_a_ledger_is_noticed() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("ledger");
    let last = *write(&path).last().expect("marks");
    let good = fs::read(&path).expect("a ledger");
    assert_eq!(read(&path).expect("a good ledger"), last);
    for place in 0..good.len() {
        for bits in [0x01, 0x80, 0xff] {
            let mut bad = good.clone();
            bad[place] ^= bits;
            fs::write(&path, &bad).expect("written");
            let error = read(&path).expect_err("damage");
            assert!(error.is_damage(), "byte {place}: {error}");
            assert!(error.to_string().contains("ledger"), "{error}");
            assert!(Ledger::resume(&path, FORMAT, last).is_err());
        }
    }
}

#[test]
fn a_ledger_that_was_cut_is_good_up_to_the_last_whole_entry() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("ledger");
    let marks = write(&path);
    let good = fs::read(&path).expect("a ledger");
    for length in 0..good.len() {
        fs::write(&path, &good[..length]).expect("written");
        let whole = marks.iter().find(|mark| mark.length == length as u64);
        match (read(&path), whole) {
            (Ok(found), Some(mark)) => assert_eq!(found, *mark),
            (Err(LedgerError::Torn { .. }), None) => {}
            (found, _) => panic!("{length} bytes: {found:?}"),
        }
        for mark in &marks {
            fs::write(&path, &good[..length]).expect("written");
            let resumed = Ledger::resume(&path, FORMAT, *mark);
            assert_eq!(resumed.is_ok(), mark.length <= length as u64);
        }
    }
}

#[test]
fn a_ledger_goes_on_after_a_mark_as_if_nothing_had_been_behind_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("ledger");
    let marks = write(&path);
    let good = fs::read(&path).expect("a ledger");
    let mut ledger = Ledger::resume(&path, FORMAT, marks[1]).expect("the mark is good");
    ledger.add(b"", b"").expect("room");
    ledger.add(b"three", b"third body").expect("room");
    assert_eq!(fs::read(&path).expect("a ledger"), good);
}

#[test]
fn another_version_of_a_ledger_is_refused_by_name() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("ledger");
    let old = Format {
        version: 2,
        ..FORMAT
    };
    Ledger::create(&path, old, "").expect("a ledger");
    let error = read(&path).expect_err("another version");
    assert!(!error.is_damage());
    let told = "ledger was written by another version of gamete (version 2 of the test; this one reads version 3)";
    assert!(error.to_string().ends_with(told), "{error}");
}

/// What every changed byte and every length of a checkpoint comes to.
#[test]
fn a_damaged_state_is_set_aside_and_the_one_before_is_found() {
    let directory = tempfile::tempdir().expect("a directory");
    let checkpoint = Checkpoint::new(&directory.path().join("checkpoint"));
    let path = directory.path().join("checkpoint");
    let save = |state: u32| checkpoint.save(&vec![state; 3]).expect("saved");
    save(1);
    save(2);
    let good = fs::read(&path).expect("a state");
    let cut = (0..good.len()).map(|length| good[..length].to_vec());
    let changed = (0..good.len()).map(|place| {
        let mut bad = good.clone();
        bad[place] ^= 0x10;
        bad
    });
    for bad in cut.chain(changed) {
        fs::write(&path, &bad).expect("written");
        let found = checkpoint.load::<Vec<u32>>().expect("the one before");
        assert_eq!(found.states, [[1; 3]]);
        assert_eq!(found.damage.len(), 1);
        assert!(found.damage[0].contains("checkpoint is damaged and was set aside"));
        fs::remove_file(directory.path().join("checkpoint.damaged-1")).expect("set aside");
    }
}

#[test]
fn a_missing_state_is_told_of() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("checkpoint");
    let checkpoint = Checkpoint::new(&path);
    let save = |state: u32| checkpoint.save(&state).expect("saved");
    save(1);
    save(2);
    fs::remove_file(&path).expect("removed");
    let found = checkpoint.load::<u32>().expect("the one before");
    assert_eq!(found.states, [1]);
    assert!(found.damage[0].contains("checkpoint is missing"));
}

#[test]
fn another_version_of_a_state_is_refused_by_name() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("checkpoint");
    let checkpoint = Checkpoint::new(&path);
    checkpoint.save(&1_u32).expect("saved");
    let mut contents = fs::read(&path).expect("a state");
    contents[8] = 0;
    let whole = contents.len() - 32;
    let checksum = blake3::hash(&contents[..whole]);
    contents[whole..].copy_from_slice(checksum.as_bytes());
    fs::write(&path, &contents).expect("written");
    let error = checkpoint.load::<u32>().expect_err("another version");
    assert!(matches!(
        error,
        CheckpointError::OtherVersion { found: 0, .. }
    ));
    assert_eq!(fs::read(&path).expect("not touched"), contents);
}

#[test]
fn every_changed_byte_of_an_outcome_is_noticed() {
    let mut outcome = Outcome::default();
    outcome.number("score", 1234.5);
    let good = outcome.text().into_bytes();
    assert_eq!(Outcome::read(&good), Ok(outcome));
    for place in 0..good.len() {
        for bits in [0x01, 0x04, 0x80] {
            let mut bad = good.clone();
            bad[place] ^= bits;
            assert!(Outcome::read(&bad).is_err(), "byte {place} ^ {bits}");
        }
        assert!(Outcome::read(&good[..place]).is_err(), "{place} bytes");
    }
}

#[test]
fn another_version_of_an_outcome_is_no_damage() {
    let text = Outcome::default().text();
    let body = text.split(",\n  \"checksum\"").next().expect("a body");
    let body = body.replace("\"version\": 1", "\"version\": 0");
    let checksum = blake3::hash(body.as_bytes()).to_hex();
    let old = format!("{body},\n  \"checksum\": \"{checksum}\"\n}}\n");
    let error = Outcome::read(old.as_bytes()).expect_err("another version");
    assert!(
        matches!(error, SealError::Other { version: 0, .. }),
        "{error}"
    );
}

#[test]
fn bytes_that_are_whole_but_mean_nothing_are_damage() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("ledger");
    write(&path);
    let mut reader = Reader::open(&path, FORMAT).expect("a ledger");
    let entry = reader.next_entry().expect("good").expect("an entry");
    for error in [
        reader.decode_head::<Vec<u64>>(&entry),
        reader.decode_body::<Vec<u64>>(&entry),
    ] {
        let error = error.expect_err("text is no list of numbers");
        assert!(error.is_damage(), "{error}");
        assert!(error.to_string().contains("(entry 0)"), "{error}");
    }
}
