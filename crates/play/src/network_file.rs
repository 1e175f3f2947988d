//! Networks as files: a line of JSON that says what they are, the weights, compressed, and a checksum of all before it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use games::{AnyGame, Options, registry};
use players::Spec;
use players::network::{AnyLookup, AnyNetwork, Floats, Shape, shelf};
use serde::{Deserialize, Serialize};

use crate::hashing::Hashing;

const FORMAT: &str = "gamete-network";
const VERSION: u32 = 1;
/// The ending of a network's file, and the name of the player that follows one.
pub const NETWORK: &str = "network";
/// The longest line that says what a network is.
const LONGEST_LINE: u64 = 1 << 16;
/// Bytes of a checksum.
const CHECKSUM: usize = blake3::OUT_LEN;
/// Digits of an id: enough that no two networks ever share one.
const ID_DIGITS: usize = 32;
/// Weights are compressed quickly: most of what can be saved are entries that were never met.
const LEVEL: i32 = 1;

/// What a network is and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NetworkFile {
    format: String,
    version: u32,
    /// The game.
    pub game: String,
    /// The rules it was trained with.
    pub rules: Options,
    /// The cells that its tables look at.
    pub tuples: String,
    /// Tiles that begin another stage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<u64>,
    /// The hash of its game, tuples and weights, which identifies it as a player.
    pub id: String,
    /// How it was trained.
    pub trained: Trained,
    /// How good it is, if it has been measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
}

/// How a network was trained.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trained {
    /// The name of its network.
    pub network: String,
    /// How errors changed its weights.
    pub method: String,
    /// Games it was trained with.
    pub games: u64,
    /// Moves of these games.
    pub moves: u64,
    /// Their seed.
    pub seed: u64,
}

/// How good a network is, in fresh games and without look-ahead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// How many.
    pub games: u64,
    /// Mean score.
    pub score: f64,
    /// The interval that holds the true mean in 95 of 100 such measurements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ci95: Option<[f64; 2]>,
}

/// Why a file is not a network.
#[derive(Debug, thiserror::Error)]
pub enum NetworkFileError {
    /// It cannot be read.
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

/// Does this player name refer to a network's file?
#[must_use]
pub fn is_network(player: &str) -> bool {
    let extension = Path::new(player).extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case(NETWORK))
}

impl NetworkFile {
    /// What there is to say of a network of this game, shape and weights.
    #[must_use]
    pub fn new(game: &AnyGame, shape: &Shape, weights: &[f32], trained: Trained) -> Self {
        let mut file = Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            id: String::new(),
            game: game.family().name.to_owned(),
            rules: game.options(),
            tuples: shape.tuples.clone(),
            stages: shape.stages.clone(),
            trained,
            measured: None,
        };
        file.id = file.id_of(weights);
        file
    }

    fn shape(&self) -> Shape {
        Shape {
            tuples: self.tuples.clone(),
            stages: self.stages.clone(),
        }
    }

    fn id_of(&self, weights: &[f32]) -> String {
        let mut hasher = blake3::Hasher::new();
        let (game, tuples, stages) = (&self.game, &self.tuples, &self.stages);
        hasher.update(format!("{game}\n{tuples}\n{stages:?}\n").as_bytes());
        hasher.update(bytemuck::cast_slice(weights));
        hasher.finalize().to_hex()[..ID_DIGITS].to_owned()
    }

    /// The player that follows it.
    #[must_use]
    pub fn player(&self) -> Spec {
        let spec: Spec = NETWORK.parse().expect("a name");
        spec.with("id", &self.id)
    }

    /// Writes the file: this, and the weights.
    pub fn write(&self, weights: &[f32], to: impl Write) -> io::Result<()> {
        let mut to = Hashing::new(BufWriter::new(to));
        serde_json::to_writer(&mut to, self)?;
        to.write_all(b"\n")?;
        let mut encoder = zstd::Encoder::new(&mut to, LEVEL)?;
        encoder.write_all(bytemuck::cast_slice(weights))?;
        encoder.finish()?;
        to.finish()
    }

    /// What a file says it is. Its weights are read when a player first needs them, if they have not been loaded before.
    pub fn open(path: &Path) -> Result<Self, NetworkFileError> {
        let file = read(path, |file| head(&mut BufReader::new(file)))?;
        shelf::put_later(&file.id, file.loader(path));
        Ok(file)
    }

    /// Gives the memory of its weights back; they are read from this file when a player next needs them.
    pub fn unload(&self, path: &Path) {
        shelf::unload(&self.id, self.loader(path));
    }

    fn loader(&self, path: &Path) -> shelf::Load {
        let (path, id) = (path.to_owned(), self.id.clone());
        Box::new(move || match load(&path) {
            Ok((read, network)) if read.id == id => Ok(network),
            Ok(_) => Err(format!("{} is another network now", path.display())),
            Err(error) => Err(error.to_string()),
        })
    }

    /// The network of a file, with its weights.
    pub fn load(path: &Path) -> Result<Self, NetworkFileError> {
        let file = Self::open(path)?;
        if !shelf::has(&file.id) {
            let (file, network) = load(path)?;
            shelf::put(&file.id, network);
        }
        Ok(file)
    }

    /// Bytes of its weights in memory.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let game = registry::build(&self.game, &self.rules).ok();
        let lookup = game.and_then(|game| AnyLookup::new(&game, &self.shape()).ok());
        let entries = lookup.map_or(0, |lookup| lookup.tables().iter().sum::<usize>());
        (entries * size_of::<f32>()) as u64
    }
}

/// Reads a file; what is wrong is said with its path.
fn read<T>(
    path: &Path,
    read: impl FnOnce(&mut File) -> Result<T, String>,
) -> Result<T, NetworkFileError> {
    let path = path.to_owned();
    let mut file = match File::open(&path) {
        Ok(file) => file,
        Err(error) => return Err(NetworkFileError::Unreadable { path, error }),
    };
    read(&mut file).map_err(|problem| NetworkFileError::Wrong { path, problem })
}

/// The line that says what a network is.
fn head(from: &mut impl BufRead) -> Result<NetworkFile, String> {
    let not_one = || "is not a network file".to_owned();
    let mut line = Vec::new();
    let read = from.take(LONGEST_LINE).read_until(b'\n', &mut line);
    read.map_err(|error| error.to_string())?;
    let line: serde_json::Value = serde_json::from_slice(&line).map_err(|_| not_one())?;
    if line["format"] != FORMAT {
        return Err(not_one());
    }
    let version = line["version"].as_u64().unwrap_or(0);
    if version > u64::from(VERSION) {
        return Err(format!(
            "was written by a newer gamete (version {version} of the format; this one knows up to {VERSION})"
        ));
    }
    serde_json::from_value(line).map_err(|error| format!("is damaged: {error}"))
}

fn load(path: &Path) -> Result<(NetworkFile, AnyNetwork), NetworkFileError> {
    read(path, |file| {
        let mut contents = Vec::new();
        let read = file.read_to_end(&mut contents);
        read.map_err(|error| error.to_string())?;
        let mut rest = contents.as_slice();
        let file = head(&mut rest)?;
        let damaged = || "is damaged: its checksum is wrong".to_owned();
        let end = contents.len().checked_sub(CHECKSUM).ok_or_else(damaged)?;
        let (body, checksum) = contents.split_at(end);
        if blake3::hash(body).as_bytes() != checksum {
            return Err(damaged());
        }
        let weights = rest.len().checked_sub(CHECKSUM).ok_or_else(damaged)?;
        let network = network(&file, &rest[..weights])?;
        Ok((file, network))
    })
}

fn network(file: &NetworkFile, compressed: &[u8]) -> Result<AnyNetwork, String> {
    let game = registry::build(&file.game, &file.rules).map_err(|error| error.to_string())?;
    let lookup = AnyLookup::new(&game, &file.shape()).map_err(|error| error.to_string())?;
    let entries = lookup.tables().iter().sum();
    let mut weights = Floats::<f32>::zeroed(entries)
        .map_err(|error| format!("needs {} MB of memory: {error}", entries >> 18))?;
    let mut decoder = zstd::Decoder::new(compressed).map_err(|error| error.to_string())?;
    decoder
        .read_exact(bytemuck::cast_slice_mut(weights.entries_mut()))
        .map_err(|error| format!("has too few weights: {error}"))?;
    if file.id_of(weights.entries()) != file.id {
        return Err("is not the network that it says it is".to_owned());
    }
    Ok(lookup.with(weights))
}

/// The player that a file's network makes.
pub(crate) fn of_file(file: &str, base: &Path) -> Result<(Spec, NetworkFile), NetworkFileError> {
    let network = NetworkFile::load(&base.join(file))?;
    Ok((network.player(), network))
}

/// The spec with its networks loaded and named by their ids instead of their files, which are relative to `base`.
pub(crate) fn with_ids(spec: &Spec, base: &Path) -> Result<Spec, NetworkFileError> {
    if let (NETWORK, Some(file)) = (spec.name(), spec.get("file")) {
        return Ok(of_file(file, base)?.0);
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
    Ok(named)
}

/// The networks that a player follows: itself one, or with one as its evaluation.
fn networks(player: &Spec) -> Vec<Spec> {
    if player.name() == NETWORK {
        return vec![player.clone()];
    }
    let within = |name: &str| player.get(name).and_then(|value| value.parse().ok());
    let within = player.names().filter_map(within);
    within
        .filter(|within: &Spec| within.name() == NETWORK)
        .collect()
}

/// Does a player follow a network that not every process has?
#[must_use]
pub fn follows_network(player: &Spec) -> bool {
    let is_shipped = |network: &Spec| network.get("id").is_none() && network.get("file").is_none();
    !networks(player).iter().all(is_shipped)
}

/// Does a player follow a network that nobody has said here where to find?
#[must_use]
pub fn follows_unknown_network(player: &Spec) -> bool {
    let networks = networks(player);
    let mut ids = networks.iter().filter_map(|network| network.get("id"));
    ids.any(|id| !shelf::knows(id))
}

/// The files of the networks that a player's text names within it.
#[must_use]
pub fn network_files(player: &str) -> Vec<String> {
    let player: Option<Spec> = player.parse().ok();
    let networks = player.iter().flat_map(networks);
    let file = |network: Spec| network.get("file").map(str::to_owned);
    networks.filter_map(file).collect()
}
