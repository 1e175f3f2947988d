//! Reads price tables in SkyPilot's format: CSV, one row per machine type and zone.

use std::fs;
use std::path::Path;

use csv::{Reader, StringRecord};

use super::{Offer, PriceError};
use crate::clouds::{Cloud, cloud};

/// Columns that every price table has.
pub const COLUMNS: [&str; 5] = ["InstanceType", "vCPUs", "Price", "SpotPrice", "Region"];

/// A higher price must be a mistake: the most expensive machines cost some hundreds of dollars per hour.
const MOST_DOLLARS: f64 = 10_000.0;
/// No machine has more processors.
const MOST_VCPUS: f64 = 4096.0;

/// Indices of the columns of a table.
struct Columns {
    machine_type: usize,
    vcpus: usize,
    on_demand: usize,
    spot: usize,
    region: usize,
    accelerator: Option<usize>,
    architecture: Option<usize>,
    /// Our own column, for files that are not in a directory named after the cloud.
    cloud: Option<usize>,
}

/// The suitable machines of a table. They are of this cloud unless the column says otherwise.
pub(super) fn read(path: &Path, cloud: Option<&'static Cloud>) -> Result<Vec<Offer>, PriceError> {
    let text = fs::read(path).map_err(|error| PriceError::Unreadable {
        path: path.to_owned(),
        error,
    })?;
    let mut reader = Reader::from_reader(text.as_slice());
    let head = reader
        .headers()
        .map_err(|error| bad_row(path, &error))?
        .clone();
    let columns = Columns::find(&head, path)?;
    if columns.cloud.is_none() && cloud.is_none() {
        let path = path.to_owned();
        return Err(PriceError::NoCloud { path });
    }
    let mut offers = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| bad_row(path, &error))?;
        let offer = columns.offer(&record, cloud);
        offers.extend(offer.map_err(|what| PriceError::BadRow {
            path: path.to_owned(),
            line: record.position().map_or(1, |start| line_of(start, &text)),
            what,
        })?);
    }
    Ok(offers)
}

/// The line of a row. Its position includes the empty lines before it.
fn line_of(start: &csv::Position, text: &[u8]) -> u64 {
    let rest = text.iter().skip(start.byte() as usize);
    let empty = rest.take_while(|byte| matches!(byte, b'\r' | b'\n'));
    start.line() + empty.filter(|&&byte| byte == b'\n').count() as u64
}

fn bad_row(path: &Path, error: &csv::Error) -> PriceError {
    PriceError::BadRow {
        path: path.to_owned(),
        line: error.position().map_or(1, csv::Position::line),
        what: format!("not a row of the table: {}", reason(error.kind())),
    }
}

fn reason(kind: &csv::ErrorKind) -> String {
    match kind {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("it has {len} columns where the first line has {expected_len}"),
        csv::ErrorKind::Utf8 { .. } => "it is not UTF-8".to_owned(),
        other => format!("{other:?}"),
    }
}

impl Columns {
    fn find(head: &StringRecord, path: &Path) -> Result<Self, PriceError> {
        let find = |name: &str| head.iter().position(|column| column.trim() == name);
        let needed = |column: &'static str| {
            find(column).ok_or_else(|| PriceError::NoColumn {
                path: path.to_owned(),
                column,
            })
        };
        let [machine_type, vcpus, on_demand, spot, region] = COLUMNS;
        Ok(Self {
            machine_type: needed(machine_type)?,
            vcpus: needed(vcpus)?,
            on_demand: needed(on_demand)?,
            spot: needed(spot)?,
            region: needed(region)?,
            accelerator: find("AcceleratorName"),
            architecture: find("Arch"),
            cloud: find("Cloud"),
        })
    }

    /// The offer of a row; `None` if the machine is unsuitable. An error says what is wrong with the row.
    fn offer(
        &self,
        row: &StringRecord,
        cloud: Option<&'static Cloud>,
    ) -> Result<Option<Offer>, String> {
        let text = |column: usize| row.get(column).unwrap_or_default().trim();
        let cloud = self.cloud_of(row).transpose()?.or(cloud);
        let cloud = cloud.ok_or("the column 'Cloud' is empty")?;
        let machine_type = text(self.machine_type);
        let vcpus = number("vCPUs", text(self.vcpus), MOST_VCPUS)?;
        let on_demand = number("Price", text(self.on_demand), MOST_DOLLARS)?;
        let spot = number("SpotPrice", text(self.spot), MOST_DOLLARS)?;
        let is_x86 = |arch: &str| !arch.contains("arm") && !arch.contains("aarch");
        let is_fit = cloud.is_fit(machine_type)
            && self
                .accelerator
                .is_none_or(|column| text(column).is_empty())
            && self.architecture.is_none_or(|column| is_x86(text(column)));
        let vcpus = vcpus.unwrap_or(0.0) as u32;
        // Rows without a machine type are accelerators.
        let is_suitable = is_fit
            && !machine_type.is_empty()
            && !text(self.region).is_empty()
            && vcpus > 0
            && on_demand.or(spot).is_some();
        Ok(is_suitable.then(|| Offer {
            cloud,
            region: Some(text(self.region).to_owned()),
            machine_type: machine_type.to_owned(),
            vcpus,
            on_demand,
            spot,
        }))
    }

    fn cloud_of(&self, row: &StringRecord) -> Option<Result<&'static Cloud, String>> {
        let name = row.get(self.cloud?)?.trim();
        (!name.is_empty()).then(|| cloud(name).map_err(|unknown| unknown.to_string()))
    }
}

/// A number above zero, or `None` if there is none.
fn number(column: &str, text: &str, most: f64) -> Result<Option<f64>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    match text.parse::<f64>() {
        Ok(0.0) => Ok(None),
        Ok(value) if value > 0.0 && value <= most => Ok(Some(value)),
        _ => Err(format!(
            "{column} is '{text}'; expected a number from 0 to {most}, or nothing"
        )),
    }
}
