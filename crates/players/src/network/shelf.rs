//! The networks that this process has loaded, each once, by what they contain.
//!
//! A network is too large to be part of a player's text, so the text has its id, a hash of its contents, and whoever reads files puts the
//! network here first. An id always means the same weights: what stands here decides whether a player can be made, never how it plays.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

use super::AnyNetwork;

fn shelf() -> &'static Mutex<BTreeMap<String, AnyNetwork>> {
    static SHELF: OnceLock<Mutex<BTreeMap<String, AnyNetwork>>> = OnceLock::new();
    SHELF.get_or_init(Mutex::default)
}

/// Puts a network under the hash of its contents.
pub fn put(id: &str, network: AnyNetwork) {
    let mut shelf = shelf().lock().expect("nobody panics with it");
    shelf.insert(id.to_owned(), network);
}

/// The network of this id, if it has been loaded.
#[must_use]
pub fn get(id: &str) -> Option<AnyNetwork> {
    let shelf = shelf().lock().expect("nobody panics with it");
    shelf.get(id).cloned()
}
