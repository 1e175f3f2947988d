//! Reports: the question of a study, its results and charts, for people and for programs.
//!
//! [`Report`] holds the texts, tables and charts; every format is one file that writes them. A new format is a file and a line in [`FORMATS`].

pub mod board_picture;
mod build;
pub mod charts;
pub mod curves;
pub mod export;
mod figures;
mod formats;
pub mod groups;
mod keys;
pub mod leaderboard;
mod networks;
mod pictures;
mod provenance;
mod published;
mod ranges;
pub mod results;
mod sweep;
mod workers;

use std::path::{Path, PathBuf};

use self::charts::Size;
pub use self::figures::{FIGURES, Figure};
pub use self::formats::FORMATS;
use crate::results::Results;
use lab::run::file::{FileError, make_directory, replace};
use lab::run::outcome::Table;
use lab::store::{Folder, StoreError};

/// A report before it has a format.
#[derive(Debug, Clone)]
pub struct Report {
    /// The study.
    pub title: String,
    /// Everything else, from top to bottom.
    pub blocks: Vec<Block>,
}

impl Report {
    fn pictures(&self) -> impl Iterator<Item = &Picture> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Picture(picture) => Some(picture),
            _ => None,
        })
    }
}

/// A part of a report.
#[derive(Debug, Clone)]
pub enum Block {
    /// A heading.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A less prominent paragraph: a remark on the block above.
    Note(String),
    /// A command to type.
    Command(String),
    /// A table.
    Table(Table),
    /// A table that numbers are looked up in, which few read as a whole: folded where it is long.
    Lookup(Table),
    /// A picture.
    Picture(Picture),
}

/// A picture with a name.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Its name, also used for its file.
    pub name: String,
    /// What it shows, in one sentence.
    pub caption: String,
    /// The picture.
    pub svg: String,
}

/// A format.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its name.
    pub name: &'static str,
    /// The file it is written to; there may be others next to it.
    pub file: &'static str,
    make: fn(&Report, &Results) -> Made,
}

/// A report in a format.
struct Made {
    /// The contents of its file.
    contents: Vec<u8>,
    /// Other files, by their paths beside it.
    beside: Vec<(String, Vec<u8>)>,
}

impl From<Vec<u8>> for Made {
    fn from(contents: Vec<u8>) -> Self {
        let beside = Vec::new();
        Self { contents, beside }
    }
}

impl From<String> for Made {
    fn from(text: String) -> Self {
        text.into_bytes().into()
    }
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// Results could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The report could not be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Untrusted text as part of HTML or SVG.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// The charts of the results: all that apply, or the requested ones.
#[must_use]
pub fn charts_of(results: &Results, wanted: Option<&[String]>) -> Vec<Picture> {
    pictures::pictures(results, wanted, Size::Page)
}

/// The directory of a study's report.
#[must_use]
pub fn directory(folder: &Folder) -> PathBuf {
    folder.path().join("report")
}

/// What of a report is written, and how large the texts of its charts are.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Formats of the report.
    pub reports: Vec<&'static Format>,
    /// Formats of its pictures as files of their own.
    pub figures: Vec<&'static Figure>,
    /// How large texts of charts are.
    pub size: Size,
}

impl Wanted {
    /// The report in all formats.
    #[must_use]
    pub fn all() -> Self {
        Self {
            reports: FORMATS.iter().collect(),
            ..Self::default()
        }
    }
}

/// Writes the report of a study in all formats to its default directory, and returns the files.
pub fn write_all(folder: &Folder) -> Result<(Results, Vec<PathBuf>), ReportError> {
    write(folder, &Wanted::all(), &directory(folder))
}

/// Writes what is wanted of the report of a study to a directory, and returns the files.
pub fn write(
    folder: &Folder,
    wanted: &Wanted,
    directory: &Path,
) -> Result<(Results, Vec<PathBuf>), ReportError> {
    let (report, results) = gather(folder, wanted.size)?;
    make_directory(directory)?;
    let put = |name: &str, contents: &[u8]| -> Result<PathBuf, FileError> {
        let path = directory.join(name);
        path.parent().map_or(Ok(()), make_directory)?;
        replace(&path, contents)?;
        Ok(path)
    };
    let mut files = Vec::new();
    for format in &wanted.reports {
        let Made { contents, beside } = (format.make)(&report, &results);
        // A reader of the report finds what it refers to.
        for (name, contents) in beside {
            put(&name, &contents)?;
        }
        files.push(put(format.file, &contents)?);
    }
    for figure in &wanted.figures {
        for picture in report.pictures() {
            let (name, contents) = figure.file(picture);
            files.push(put(&name, &contents)?);
        }
    }
    Ok((results, files))
}

/// The report of a study in a format, without writing anything.
pub fn make(folder: &Folder, format: &Format) -> Result<Vec<u8>, StoreError> {
    let (report, results) = gather(folder, Size::Page)?;
    Ok((format.make)(&report, &results).contents)
}

fn gather(folder: &Folder, size: Size) -> Result<(Report, Results), StoreError> {
    let study = folder.study()?;
    let results = Results::of(&study, folder)?;
    Ok((build::build(&results, &study, size), results))
}
