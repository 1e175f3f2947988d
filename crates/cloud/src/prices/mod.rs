//! What machines cost: a catalogue of offers, from a file, from SkyPilot, or from the document.

mod document;
mod table;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

pub use self::table::COLUMNS;
use crate::clouds::{CLOUDS, Cloud, names};

/// How a machine is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Market {
    /// Cheap, and may be taken away at any moment.
    Spot,
    /// At the full price, for as long as it is wanted.
    OnDemand,
}

/// A machine type in a region, with its prices.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Offer {
    /// Whose machine it is.
    pub cloud: &'static Cloud,
    /// Where it stands; the document does not say.
    pub region: Option<String>,
    /// What the cloud calls it.
    pub machine_type: String,
    /// Processors; on most machines each is one of two threads of a core.
    pub vcpus: u32,
    /// Dollars an hour on demand.
    pub on_demand: Option<f64>,
    /// Dollars an hour as a spot machine, in the cheapest zone of the region.
    pub spot: Option<f64>,
}

impl Offer {
    /// Dollars an hour, if it is offered that way.
    #[must_use]
    pub fn price(&self, market: Market) -> Option<f64> {
        match market {
            Market::Spot => self.spot,
            Market::OnDemand => self.on_demand,
        }
    }
}

/// Offers, and where they come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Catalogue {
    /// Where they come from.
    pub source: Source,
    /// One for each cloud, region and machine type, in this order.
    pub offers: Vec<Offer>,
}

/// Where prices come from, and from when they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file that was named.
    File {
        /// The file.
        path: PathBuf,
        /// When it was last changed.
        changed: SystemTime,
    },
    /// What SkyPilot keeps on this machine.
    SkyPilot {
        /// The directory of the catalogue.
        directory: PathBuf,
        /// When the oldest of its files was fetched.
        fetched: SystemTime,
    },
    /// The table of the document.
    Document,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, changed } => {
                write!(f, "{}, changed on {}", path.display(), day(*changed))
            }
            Self::SkyPilot { fetched, .. } => {
                write!(f, "SkyPilot's catalogue, fetched on {}", day(*fetched))
            }
            Self::Document => f.write_str(document::ABOUT),
        }
    }
}

fn day(time: SystemTime) -> String {
    let text = humantime::format_rfc3339_seconds(time).to_string();
    text.split('T').next().unwrap_or_default().to_owned()
}

/// Why there are no prices.
#[derive(Debug, thiserror::Error)]
pub enum PriceError {
    /// The file cannot be read.
    #[error("cannot read the prices in {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A column is missing.
    #[error("{}, line 1: there is no column '{column}'; a price table has {}", path.display(), COLUMNS.join(", "))]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The column.
        column: &'static str,
    },
    /// A line is no row of the table.
    #[error("{}, line {line}: {what}", path.display())]
    BadRow {
        /// The file.
        path: PathBuf,
        /// Its line.
        line: u64,
        /// What is wrong with it, and what would be right.
        what: String,
    },
    /// It has no machine that could be used.
    #[error("{} offers no machine that can be used: x86-64, no accelerator, processors of its own", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// Nothing says whose prices they are.
    #[error("{} does not say whose prices they are; keep it as {}/vms.csv, or add a column 'Cloud' with {}", path.display(), names()[0], names().join(" or "))]
    NoCloud {
        /// The file.
        path: PathBuf,
    },
}

impl Catalogue {
    /// The offers of a file that was named; else of SkyPilot, as far as it is there, under the home directory; else of the document.
    pub fn find(named: Option<&Path>, home: Option<&Path>) -> Result<Self, PriceError> {
        if let Some(path) = named {
            return Self::read(path);
        }
        let directory = home.and_then(newest_catalogue);
        let kept = directory.map(|directory| Self::read_kept(&directory));
        Ok(kept.transpose()?.flatten().unwrap_or_else(Self::document))
    }

    /// The table of the document.
    #[must_use]
    pub fn document() -> Self {
        Self {
            source: Source::Document,
            offers: document::offers(),
        }
    }

    fn read(path: &Path) -> Result<Self, PriceError> {
        let folder = path.parent().and_then(Path::file_name);
        let cloud = CLOUDS
            .iter()
            .find(|cloud| folder.is_some_and(|folder| folder == cloud.name));
        let offers = cheapest_zones(table::read(path, cloud)?);
        if offers.is_empty() {
            let path = path.to_owned();
            return Err(PriceError::Empty { path });
        }
        Ok(Self {
            source: Source::File {
                path: path.to_owned(),
                changed: changed(path)?,
            },
            offers,
        })
    }

    /// What SkyPilot keeps of our clouds, if it keeps anything.
    fn read_kept(directory: &Path) -> Result<Option<Self>, PriceError> {
        let (mut offers, mut fetched) = (Vec::new(), Vec::new());
        for cloud in CLOUDS {
            let path = directory.join(cloud.name).join("vms.csv");
            if path.is_file() {
                offers.extend(table::read(&path, Some(cloud))?);
                fetched.push(changed(&path)?);
            }
        }
        let oldest = fetched.into_iter().min();
        Ok(oldest.map(|fetched| Self {
            source: Source::SkyPilot {
                directory: directory.to_owned(),
                fetched,
            },
            offers: cheapest_zones(offers),
        }))
    }
}

fn changed(path: &Path) -> Result<SystemTime, PriceError> {
    let time = fs::metadata(path).and_then(|file| file.modified());
    time.map_err(|error| PriceError::Unreadable {
        path: path.to_owned(),
        error,
    })
}

/// SkyPilot keeps one directory for each version of its tables: `v7`, `v8`.
fn newest_catalogue(home: &Path) -> Option<PathBuf> {
    let versions = fs::read_dir(home.join(".sky/catalogs")).ok()?;
    let number = |path: &PathBuf| -> Option<u32> {
        let name = path.file_name()?.to_str()?;
        name.strip_prefix('v')?.parse().ok()
    };
    let paths = versions.filter_map(|entry| Some(entry.ok()?.path()));
    paths
        .filter_map(|path| Some((number(&path)?, path)))
        .max()
        .map(|(_, path)| path)
}

/// Tables have a row for each zone; which zone it will be is SkyPilot's choice.
fn cheapest_zones(rows: Vec<Offer>) -> Vec<Offer> {
    let mut offers: BTreeMap<(&str, Option<String>, String), Offer> = BTreeMap::new();
    for row in rows {
        let key = (row.cloud.name, row.region.clone(), row.machine_type.clone());
        match offers.entry(key) {
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(row);
            }
            std::collections::btree_map::Entry::Occupied(mut place) => {
                let known = place.get_mut();
                known.spot = lower(known.spot, row.spot);
                known.on_demand = lower(known.on_demand, row.on_demand);
            }
        }
    }
    offers.into_values().collect()
}

fn lower(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    }
}
