//! Networks as files: a line of JSON that says what they are, the weights, compressed, and a checksum of all before it.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use games::{AnyGame, Options, registry};
use players::Spec;
use players::network::shelf::{self, AnyNetwork};
use players::network::twenty48::BoardLookup;
use players::network::{Floats, Lookup, Network, Tuples};
use serde::{Deserialize, Serialize};

const FORMAT: &str = "gamete-network";
const VERSION: u32 = 1;
/// The ending of a network's file.
pub const EXTENSION: &str = "network";
/// Bytes of a checksum.
const CHECKSUM: usize = blake3::OUT_LEN;
/// Digits of an id: enough that no two networks ever share one.
const ID_DIGITS: usize = 32;
/// Weights are compressed quickly: most of what can be saved are entries that were never met.
const LEVEL: i32 = 1;

/// What a network is and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NetworkAbout {
    format: String,
    version: u32,
    /// The game.
    pub game: String,
    /// The rules it was trained with.
    pub rules: Options,
    /// The cells that its tables look at.
    pub tuples: String,
    /// How it was trained.
    pub method: String,
    /// Games it was trained for.
    pub games: u64,
    /// The seed of those games.
    pub seed: u64,
    /// The hash of its game, tuples and weights, which identifies it as a player.
    pub id: String,
}

/// Why a file is not a network.
#[derive(Debug, thiserror::Error)]
pub enum NetworkFileError {
    /// It cannot be read or written.
    #[error("cannot read the network {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Its content is wrong.
    #[error("{}: {problem}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
}

impl NetworkAbout {
    /// What there is to say of a network with these weights.
    #[must_use]
    pub fn new(game: &AnyGame, tuples: &Tuples, weights: &[f32]) -> Self {
        let (game, rules) = (game.family().name.to_owned(), game.options());
        let tuples = tuples.to_string();
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            id: id(&game, &tuples, weights),
            game,
            rules,
            tuples,
            method: String::new(),
            games: 0,
            seed: 0,
        }
    }

    /// Writes the network: this, and its weights.
    pub fn write(&self, weights: &[f32], to: &mut impl Write) -> io::Result<()> {
        let mut to = Hashing::new(to);
        serde_json::to_writer(&mut to, self)?;
        to.write_all(b"\n")?;
        let mut encoder = zstd::Encoder::new(&mut to, LEVEL)?;
        encoder.write_all(bytemuck::cast_slice(weights))?;
        encoder.finish()?;
        let checksum = to.hasher.finalize();
        to.inner.write_all(checksum.as_bytes())
    }
}

/// The network of a file is put on the shelf.
pub fn load(path: &Path) -> Result<NetworkAbout, NetworkFileError> {
    let wrong = |problem: String| NetworkFileError::Wrong {
        path: path.to_owned(),
        problem,
    };
    let unreadable = |error| NetworkFileError::Unreadable {
        path: path.to_owned(),
        error,
    };
    let contents = std::fs::read(path).map_err(unreadable)?;
    let (about, weights) = parts(&contents).map_err(wrong)?;
    if shelf::get(&about.id).is_none() {
        let network = network(&about, weights).map_err(wrong)?;
        shelf::put(&about.id, network);
    }
    Ok(about)
}

/// What a file says it is, and its compressed weights.
fn parts(contents: &[u8]) -> Result<(NetworkAbout, &[u8]), String> {
    let not_one = || "is not a network file".to_owned();
    let line = contents.iter().position(|&byte| byte == b'\n');
    let (line, rest) = contents.split_at(line.ok_or_else(not_one)?);
    let about: NetworkAbout = serde_json::from_slice(line).map_err(|_| not_one())?;
    if about.format != FORMAT {
        return Err(not_one());
    }
    if about.version > VERSION {
        return Err(format!(
            "was written by a newer gamete (version {} of the format; this one knows up to {VERSION})",
            about.version
        ));
    }
    let damaged = || "is damaged: its checksum is wrong".to_owned();
    let end = contents.len().checked_sub(CHECKSUM).ok_or_else(damaged)?;
    let (body, checksum) = contents.split_at(end);
    if blake3::hash(body).as_bytes() != checksum {
        return Err(damaged());
    }
    let weights = rest[1..].len().checked_sub(CHECKSUM).ok_or_else(damaged)?;
    Ok((about, &rest[1..=weights]))
}

fn network(about: &NetworkAbout, compressed: &[u8]) -> Result<AnyNetwork, String> {
    let game = registry::build(&about.game, &about.rules).map_err(|error| error.to_string())?;
    let AnyGame::Twenty48(game) = &game else {
        return Err(format!("networks of {} are not known", about.game));
    };
    let (rows, cols) = (game.rules().rows, game.rules().cols);
    let tuples = Tuples::read(&about.tuples, rows, cols).map_err(|error| error.to_string())?;
    let lookup = BoardLookup::new(&tuples);
    let entries = lookup.tables().iter().sum();
    let mut weights = Floats::<f32>::zeroed(entries)
        .map_err(|error| format!("needs {} MB of memory: {error}", entries >> 18))?;
    let mut decoder = zstd::Decoder::new(compressed).map_err(|error| error.to_string())?;
    decoder
        .read_exact(bytemuck::cast_slice_mut(weights.entries_mut()))
        .map_err(|error| format!("has too few weights: {error}"))?;
    if id(&about.game, &about.tuples, weights.entries()) != about.id {
        return Err("is not the network that it says it is".to_owned());
    }
    let network = Network::new(lookup, weights);
    Ok(AnyNetwork::Twenty48(Arc::new(network)))
}

fn id(game: &str, tuples: &str, weights: &[f32]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(format!("{game}\n{tuples}\n").as_bytes());
    hasher.update(bytemuck::cast_slice(weights));
    hasher.finalize().to_hex()[..ID_DIGITS].to_owned()
}

/// The spec with its networks loaded and named by their ids instead of their files, which are relative to `base`.
pub(crate) fn with_ids(spec: &Spec, base: &Path) -> Result<Spec, NetworkFileError> {
    if let (EXTENSION, Some(file)) = (spec.name(), spec.get("file")) {
        return of_file(file, base);
    }
    let mut named = spec.clone();
    for name in spec.names() {
        let value = spec.get(name).unwrap_or_default();
        if let Ok(within) = value.parse::<Spec>()
            && within.get("file").is_some()
        {
            named = named.with(name, &with_ids(&within, base)?.to_string());
        }
    }
    Ok(named.with_label(&spec.label()))
}

/// The player that follows the network of a file.
pub(crate) fn of_file(file: &str, base: &Path) -> Result<Spec, NetworkFileError> {
    let about = load(&base.join(file))?;
    let spec: Spec = "network".parse().expect("a name");
    Ok(spec.with("id", &about.id).with_label(file))
}

/// Passes on what is written and hashes it.
struct Hashing<W> {
    inner: W,
    hasher: blake3::Hasher,
}

impl<W> Hashing<W> {
    fn new(inner: W) -> Self {
        Self {
            inner,
            hasher: blake3::Hasher::new(),
        }
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
