//! What machines cost: a catalogue of offers, from a file, from SkyPilot, or built in.

mod built_in;
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
    /// Cheap, but may be taken away at any time.
    Spot,
    /// At the full price, for as long as needed.
    OnDemand,
}

/// A machine type in a region, with its prices.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Offer {
    /// The cloud.
    pub cloud: &'static Cloud,
    /// The region; the built-in table does not say.
    pub region: Option<String>,
    /// The machine type, as the cloud calls it.
    pub machine_type: String,
    /// Virtual processors; on most machines one of the two threads of a core.
    pub vcpus: u32,
    /// Dollars per hour on demand.
    pub on_demand: Option<f64>,
    /// Dollars per hour as a spot machine, in the cheapest zone of the region.
    pub spot: Option<f64>,
}

impl Offer {
    /// Dollars per hour, if it is offered on this market.
    #[must_use]
    pub fn price(&self, market: Market) -> Option<f64> {
        match market {
            Market::Spot => self.spot,
            Market::OnDemand => self.on_demand,
        }
    }
}

/// Offers and their source.
#[derive(Debug, Clone, PartialEq)]
pub struct Catalogue {
    /// Their source.
    pub source: Source,
    /// One per cloud, region and machine type, sorted in this order.
    pub offers: Vec<Offer>,
}

/// Where prices come from, and their date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file given by the user.
    File {
        /// The file.
        path: PathBuf,
        /// When it was last modified.
        modified: SystemTime,
    },
    /// SkyPilot's catalogue on this machine.
    SkyPilot {
        /// Its directory.
        directory: PathBuf,
        /// When the oldest of its files was downloaded.
        downloaded: SystemTime,
    },
    /// The built-in table.
    BuiltIn,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, modified } => {
                write!(f, "{}, modified on {}", path.display(), day(*modified))
            }
            Self::SkyPilot { downloaded, .. } => {
                write!(
                    f,
                    "SkyPilot's catalogue, downloaded on {}",
                    day(*downloaded)
                )
            }
            Self::BuiltIn => f.write_str(built_in::ABOUT),
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
    #[error("cannot read prices from {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
    /// A column is missing.
    #[error("{}, line 1: column '{column}' is missing; a price table has {}", path.display(), COLUMNS.join(", "))]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The column.
        column: &'static str,
    },
    /// A line is not a row of the table.
    #[error("{}, line {line}: {what}", path.display())]
    BadRow {
        /// The file.
        path: PathBuf,
        /// Its line.
        line: u64,
        /// What is wrong with it, and what is expected.
        what: String,
    },
    /// It has no suitable machine.
    #[error("{} offers no suitable machine: x86-64, dedicated processors, no accelerator", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The cloud is unknown.
    #[error("{} does not say which cloud it is for; name it {}/vms.csv, or add a column 'Cloud' with {}", path.display(), names()[0], names().join(" or "))]
    NoCloud {
        /// The file.
        path: PathBuf,
    },
}

impl Catalogue {
    /// The offers of the given file; else of SkyPilot's catalogue below the home directory; else of the built-in table.
    pub fn find(file: Option<&Path>, home: Option<&Path>) -> Result<Self, PriceError> {
        if let Some(path) = file {
            return Self::read(path);
        }
        let directory = home.and_then(newest_catalogue);
        let found = directory.map(|directory| Self::read_skypilot(&directory));
        Ok(found.transpose()?.flatten().unwrap_or_else(Self::built_in))
    }

    /// The built-in table.
    #[must_use]
    pub fn built_in() -> Self {
        Self {
            source: Source::BuiltIn,
            offers: built_in::offers(),
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
                modified: modified(path)?,
            },
            offers,
        })
    }

    /// SkyPilot's tables of our clouds, if there are any.
    fn read_skypilot(directory: &Path) -> Result<Option<Self>, PriceError> {
        let (mut offers, mut dates) = (Vec::new(), Vec::new());
        for cloud in CLOUDS {
            let path = directory.join(cloud.name).join("vms.csv");
            if path.is_file() {
                offers.extend(table::read(&path, Some(cloud))?);
                dates.push(modified(&path)?);
            }
        }
        let oldest = dates.into_iter().min();
        Ok(oldest.map(|downloaded| Self {
            source: Source::SkyPilot {
                directory: directory.to_owned(),
                downloaded,
            },
            offers: cheapest_zones(offers),
        }))
    }
}

fn modified(path: &Path) -> Result<SystemTime, PriceError> {
    let time = fs::metadata(path).and_then(|file| file.modified());
    time.map_err(|error| PriceError::Unreadable {
        path: path.to_owned(),
        error,
    })
}

/// SkyPilot has one directory per version of its tables: `v7`, `v8`.
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

/// Tables have one row per zone; SkyPilot chooses the zone.
fn cheapest_zones(rows: Vec<Offer>) -> Vec<Offer> {
    let mut offers: BTreeMap<(&str, Option<String>, String), Offer> = BTreeMap::new();
    for row in rows {
        let key = (row.cloud.name, row.region.clone(), row.machine_type.clone());
        let known = offers.entry(key).or_insert_with(|| row.clone());
        known.spot = lower(known.spot, row.spot);
        known.on_demand = lower(known.on_demand, row.on_demand);
    }
    offers.into_values().collect()
}

fn lower(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    }
}
