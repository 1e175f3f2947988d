//! The networks of this process, each loaded once, by what they contain.
//!
//! A network is too large to be part of a player's text, so the text has its id, a hash of its contents, and whoever knows files says
//! here where it is. An id always means the same weights: what stands here decides whether a player can be made, never how it plays.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

use super::AnyNetwork;

/// Loads a network, or says why it cannot.
pub type Load = Box<dyn Fn() -> Result<AnyNetwork, String> + Send>;

enum Entry {
    Loaded(AnyNetwork),
    Known(Load),
}

fn shelf() -> &'static Mutex<BTreeMap<String, Entry>> {
    static SHELF: OnceLock<Mutex<BTreeMap<String, Entry>>> = OnceLock::new();
    SHELF.get_or_init(Mutex::default)
}

/// Puts a network under the hash of its contents.
pub fn put(id: &str, network: AnyNetwork) {
    let mut shelf = shelf().lock().expect("nobody panics with it");
    shelf.insert(id.to_owned(), Entry::Loaded(network));
}

/// Says how to load the network of this id when it is first asked for.
pub fn put_later(id: &str, load: Load) {
    let mut shelf = shelf().lock().expect("nobody panics with it");
    if !matches!(shelf.get(id), Some(Entry::Loaded(_))) {
        shelf.insert(id.to_owned(), Entry::Known(load));
    }
}

/// Is the network of this id loaded?
#[must_use]
pub fn has(id: &str) -> bool {
    let shelf = shelf().lock().expect("nobody panics with it");
    matches!(shelf.get(id), Some(Entry::Loaded(_)))
}

/// Can the network of this id be had here?
#[must_use]
pub fn knows(id: &str) -> bool {
    let shelf = shelf().lock().expect("nobody panics with it");
    shelf.contains_key(id)
}

/// The network of this id; an error if it is not known here, or cannot be loaded.
pub fn get(id: &str) -> Result<AnyNetwork, String> {
    let mut shelf = shelf().lock().expect("nobody panics with it");
    let network = match shelf.get(id) {
        Some(Entry::Loaded(network)) => return Ok(network.clone()),
        Some(Entry::Known(load)) => load()?,
        None => return Err(format!("the network '{id}' is not known here")),
    };
    shelf.insert(id.to_owned(), Entry::Loaded(network.clone()));
    Ok(network)
}

/// Gives the memory of a network back once no player uses it; it is loaded again when it is asked for.
pub fn unload(id: &str, load: Load) {
    let mut shelf = shelf().lock().expect("nobody panics with it");
    shelf.insert(id.to_owned(), Entry::Known(load));
}

/// Forgets a network, as a process that has never met it.
pub fn remove(id: &str) {
    let mut shelf = shelf().lock().expect("nobody panics with it");
    shelf.remove(id);
}
