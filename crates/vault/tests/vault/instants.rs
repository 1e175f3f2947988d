//! Files that come, go and change their names at the very instant at which a directory is read.

use std::cell::RefCell;
use std::fs;

use vault::{Care, Thrift, Writer};

use crate::stores::{Files, Store, write};

/// What happens when a path is looked at.
type Happening = Box<dyn FnMut(&str)>;

thread_local! {
    static HAPPENING: RefCell<Option<Happening>> = const { RefCell::new(None) };
}

fn happen(path: &str) {
    HAPPENING.with_borrow_mut(|happening| {
        if let Some(happening) = happening {
            happening(path);
        }
    });
}

/// States before the rest.
const STATES_FIRST: Care = Care {
    turns: 2,
    turn: |path| {
        happen(path);
        Some(u8::from(!path.starts_with("state")))
    },
    is_state: |_| true,
};

const ALL_AT_ONCE: Care = Care {
    turns: 1,
    turn: |path| {
        happen(path);
        Some(0)
    },
    is_state: |_| true,
};

/// What is kept of a directory when this happens each time a path is looked at.
fn kept(store: &Store, care: Care, happening: impl FnMut(&str) + 'static) -> Files {
    let view = store.shelf().look().expect("a view");
    let mut writer = Writer::new(view, &store.path("folder"), care, Thrift::default());
    HAPPENING.set(Some(Box::new(happening)));
    writer.snapshot().expect("a snapshot");
    HAPPENING.set(None);
    store.restored().0
}

/// The history has grown by the time it is read: the state that came meanwhile is taken with it.
#[test]
fn what_should_have_been_read_before_is_read_after_all() {
    let store = Store::in_directory();
    let folder = store.path("folder");
    write(&folder, &[("history", b"one")]);
    let mut looks = 0;
    let files = kept(&store, STATES_FIRST, move |_| {
        looks += 1;
        if looks == 2 {
            write(
                &folder,
                &[("history", b"one two three"), ("state", b"three")],
            );
        }
    });
    assert_eq!(files["history"], b"one two three");
    assert_eq!(files.get("state").map(Vec::as_slice), Some(&b"three"[..]));
}

#[test]
fn a_file_that_gets_another_name_is_not_lost() {
    let store = Store::in_directory();
    let folder = store.path("folder");
    write(&folder, &[("state", b"three")]);
    let mut is_first = true;
    let files = kept(&store, ALL_AT_ONCE, move |path| {
        if std::mem::take(&mut is_first) {
            fs::rename(folder.join(path), folder.join("state.previous")).expect("a state");
        }
    });
    assert_eq!(
        files,
        Files::from([("state.previous".to_owned(), b"three".to_vec())])
    );
}

/// However restless a directory is, it is kept.
#[test]
fn a_directory_that_never_holds_still_is_kept_all_the_same() {
    let store = Store::in_directory();
    let folder = store.path("folder");
    write(&folder, &[("history", b"one")]);
    let mut looks = 0;
    let files = kept(&store, STATES_FIRST, move |path| {
        if path == "history" {
            looks += 1;
            write(&folder, &[(&format!("state-{looks}"), b"new")]);
        }
    });
    assert_eq!(files["history"], b"one");
    assert!(files.len() > 1);
}
