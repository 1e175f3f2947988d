//! Questions to the index: runs and studies filtered, sorted and cut into pages by the database, so that a page of ten thousand costs as much
//! as one of ten.

use rusqlite::{Connection, named_params};
use serde::{Deserialize, Serialize};

use super::index::{COLUMNS, read_row};
use super::{Index, IndexError, Row};

/// Which runs, in which order, and which page of them.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// A part of the name of the run or its setting; empty for all.
    pub text: String,
    /// Only those of this study.
    pub study: Option<String>,
    /// Only those in this state.
    pub state: Option<String>,
    /// What comes first.
    pub sort: Sort,
    /// Which way.
    pub order: Order,
    /// Which page, from 0.
    pub page: u32,
    /// How many a page.
    pub size: u32,
}

/// By what runs are sorted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Sort {
    /// When they were last heard of.
    #[default]
    Updated,
    /// When they began.
    Started,
    /// Their name.
    Id,
    /// Their best fitness.
    Best,
    /// The time they have worked.
    Seconds,
    /// What part of them is done.
    Done,
}

/// Which way runs are sorted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Order {
    /// The least first.
    Asc,
    /// The greatest first.
    #[default]
    Desc,
}

/// A page of what was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<T> {
    /// How many there are on all pages.
    pub total: u64,
    /// Those of the page.
    pub rows: Vec<T>,
}

/// A study in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StudyRow {
    /// Its name.
    pub name: String,
    /// What it is to answer.
    pub question: String,
    /// What its runs do; empty if it cannot be read.
    pub kind: String,
    /// The game, if it is one.
    pub game: Option<String>,
    /// Runs that have begun.
    pub runs: u64,
    /// Those that are over.
    pub finished: u64,
    /// What its runs are doing, as a whole.
    pub state: String,
    /// When it was last heard of.
    pub updated: String,
}

const CHOSEN: &str =
    "(:text = '' OR instr(lower(id), :text) > 0 OR instr(lower(setting), :text) > 0)
    AND (:study IS NULL OR study = :study) AND (:state IS NULL OR state = :state)";

/// A study runs if one of its runs does; it has failed if one has and none runs.
const STUDIES: &str = "
    SELECT studies.id, question, kind, game, count(runs.id), coalesce(sum(state = 'finished'), 0),
        CASE WHEN max(state = 'running') THEN 'running' WHEN max(state = 'failed') THEN 'failed' WHEN max(state = 'interrupted') THEN 'interrupted'
            WHEN min(state = 'finished') THEN 'finished' ELSE 'waiting' END,
        coalesce(max(updated), '') AS last
    FROM studies LEFT JOIN runs ON runs.study = studies.id
    WHERE :text = '' OR instr(lower(studies.id), :text) > 0 OR instr(lower(question), :text) > 0
    GROUP BY studies.id ORDER BY last DESC, studies.id LIMIT :size OFFSET :start";

impl Sort {
    fn column(self) -> &'static str {
        match self {
            Self::Updated => "updated",
            Self::Started => "started",
            Self::Id => "study",
            Self::Best => "best",
            Self::Seconds => "seconds",
            Self::Done => "CAST(done AS REAL) / max(of_steps, 1)",
        }
    }
}

impl Order {
    fn word(self) -> &'static str {
        match self {
            Self::Asc => "ASC",
            Self::Desc => "DESC",
        }
    }
}

impl Index {
    /// A page of runs.
    pub fn find(&self, query: &Query) -> Result<Found<Row>, IndexError> {
        find(&self.connection, query).map_err(|error| self.failed(error))
    }

    /// A page of studies, the last heard of first, whose name or question contains `text`.
    pub fn studies(&self, text: &str, page: u32, size: u32) -> Result<Found<StudyRow>, IndexError> {
        studies(&self.connection, &text.to_lowercase(), page, size)
            .map_err(|error| self.failed(error))
    }

    /// One run.
    pub fn row(&self, id: &str) -> Result<Option<Row>, IndexError> {
        let found = self
            .connection
            .prepare_cached(&format!("SELECT {COLUMNS} FROM runs WHERE id = ?1"))
            .and_then(|mut statement| statement.query_map([id], read_row)?.next().transpose());
        found.map_err(|error| self.failed(error))
    }
}

fn find(connection: &Connection, query: &Query) -> rusqlite::Result<Found<Row>> {
    let text = query.text.to_lowercase();
    let (study, state) = (&query.study, &query.state);
    let total: i64 = connection
        .prepare_cached(&format!("SELECT count(*) FROM runs WHERE {CHOSEN}"))?
        .query_row(
            named_params! {":text": text, ":study": study, ":state": state},
            |row| row.get(0),
        )?;
    let (sort, order) = (query.sort.column(), query.order.word());
    // What has no value yet comes last, whichever way.
    let sql = format!(
        "SELECT {COLUMNS} FROM runs WHERE {CHOSEN} ORDER BY {sort} IS NULL, {sort} {order}, study {order}, run {order} LIMIT :size OFFSET :start"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let start = i64::from(query.page) * i64::from(query.size);
    let rows = statement.query_map(
        named_params! {":text": text, ":study": study, ":state": state, ":size": query.size, ":start": start},
        read_row,
    )?;
    Ok(Found {
        total: total as u64,
        rows: rows.collect::<rusqlite::Result<_>>()?,
    })
}

fn studies(
    connection: &Connection,
    text: &str,
    page: u32,
    size: u32,
) -> rusqlite::Result<Found<StudyRow>> {
    let count = "SELECT count(*) FROM studies WHERE :text = '' OR instr(lower(id), :text) > 0 OR instr(lower(question), :text) > 0";
    let total: i64 = connection
        .prepare_cached(count)?
        .query_row(named_params! {":text": text}, |row| row.get(0))?;
    let mut statement = connection.prepare_cached(STUDIES)?;
    let start = i64::from(page) * i64::from(size);
    let rows = statement.query_map(
        named_params! {":text": text, ":size": size, ":start": start},
        |row| {
            let game: String = row.get(3)?;
            Ok(StudyRow {
                name: row.get(0)?,
                question: row.get(1)?,
                kind: row.get(2)?,
                game: Some(game).filter(|game| !game.is_empty()),
                runs: row.get::<_, i64>(4)? as u64,
                finished: row.get::<_, i64>(5)? as u64,
                state: row.get(6)?,
                updated: row.get(7)?,
            })
        },
    )?;
    Ok(Found {
        total: total as u64,
        rows: rows.collect::<rusqlite::Result<_>>()?,
    })
}
