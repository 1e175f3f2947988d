//! Files that appear, vanish and are renamed at the very instant at which a directory is read.

use std::cell::RefCell;
use std::fs;

use snapshot::{CapturePolicy, Retention, Writer};

use crate::stores::{Files, TestStore, write};

/// Called when the policy is asked about a path.
type Hook = Box<dyn FnMut(&str)>;

thread_local! {
    static HOOK: RefCell<Option<Hook>> = const { RefCell::new(None) };
}

fn call_hook(path: &str) {
    HOOK.with_borrow_mut(|hook| {
        if let Some(hook) = hook {
            hook(path);
        }
    });
}

const STATES_FIRST: CapturePolicy = CapturePolicy {
    phases: 2,
    phase: |path| {
        call_hook(path);
        Some(u8::from(!path.starts_with("state")))
    },
    is_state: |_| true,
};

const ONE_PHASE: CapturePolicy = CapturePolicy {
    phases: 1,
    phase: |path| {
        call_hook(path);
        Some(0)
    },
    is_state: |_| true,
};

/// The snapshot of a directory that `hook` changes each time the policy is asked about a path.
fn captured(store: &TestStore, policy: CapturePolicy, hook: impl FnMut(&str) + 'static) -> Files {
    let view = store.repository().view().expect("a view");
    let directory = store.path("directory");
    let mut writer = Writer::new(view, &directory, policy, Retention::default());
    HOOK.set(Some(Box::new(hook)));
    writer.snapshot().expect("a snapshot");
    HOOK.set(None);
    store.restored().0
}

/// The history has grown by the time it is read: the state written meanwhile is captured with it.
#[test]
fn what_should_have_been_read_before_is_read_after_all() {
    let store = TestStore::in_directory();
    let directory = store.path("directory");
    write(&directory, &[("history", b"one")]);
    let mut calls = 0;
    let files = captured(&store, STATES_FIRST, move |_| {
        calls += 1;
        if calls == 2 {
            write(
                &directory,
                &[("history", b"one two three"), ("state", b"three")],
            );
        }
    });
    assert_eq!(files["history"], b"one two three");
    assert_eq!(files.get("state").map(Vec::as_slice), Some(&b"three"[..]));
}

#[test]
fn a_renamed_file_is_not_lost() {
    let store = TestStore::in_directory();
    let directory = store.path("directory");
    write(&directory, &[("state", b"three")]);
    let mut is_first = true;
    let files = captured(&store, ONE_PHASE, move |path| {
        if std::mem::take(&mut is_first) {
            fs::rename(directory.join(path), directory.join("state.previous")).expect("a state");
        }
    });
    assert_eq!(
        files,
        Files::from([("state.previous".to_owned(), b"three".to_vec())])
    );
}

#[test]
fn a_directory_that_never_stops_changing_is_captured_all_the_same() {
    let store = TestStore::in_directory();
    let directory = store.path("directory");
    write(&directory, &[("history", b"one")]);
    let mut calls = 0;
    let files = captured(&store, STATES_FIRST, move |path| {
        if path == "history" {
            calls += 1;
            write(&directory, &[(&format!("state-{calls}"), b"new")]);
        }
    });
    assert_eq!(files["history"], b"one");
    assert!(files.len() > 1);
}
