//! Queries on the index: the database filters, sorts and pages runs and studies, so that a page out of ten thousand costs as much
//! as one out of ten.

use rusqlite::{Connection, named_params};
use serde::{Deserialize, Serialize};

use super::index::{COLUMNS, read_row};
use super::{Index, IndexError, Row};

/// Which runs, in which order, and which page of them.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// Part of the name of the run or its setting; empty for all.
    pub text: String,
    /// Only those of this study.
    pub study: Option<String>,
    /// Only those in this state.
    pub state: Option<String>,
    /// Sort key.
    pub sort: Sort,
    /// Sort order.
    pub order: Order,
    /// Page number, from 0.
    pub page: u32,
    /// Rows per page.
    pub size: u32,
}

/// Sort key of runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Sort {
    /// When they were last updated.
    #[default]
    Updated,
    /// When they started.
    Started,
    /// Their name.
    Id,
    /// Their best fitness.
    Best,
    /// Time worked.
    Seconds,
    /// Share done.
    Done,
}

/// Sort order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Order {
    /// Ascending.
    Asc,
    /// Descending.
    #[default]
    Desc,
}

/// A page of results.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<T> {
    /// Number of rows on all pages.
    pub total: u64,
    /// Rows of this page.
    pub rows: Vec<T>,
}

/// A study in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StudyRow {
    /// Its name.
    pub name: String,
    /// The question it should answer.
    pub question: String,
    /// What its runs do; empty if it cannot be read.
    pub kind: String,
    /// The game, if it plays one.
    pub game: Option<String>,
    /// Started runs.
    pub runs: u64,
    /// Finished runs.
    pub finished: u64,
    /// The state of the study as a whole.
    pub state: String,
    /// When it was last updated.
    pub updated: String,
    /// Why it cannot be read, if it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<String>,
}

const CHOSEN: &str =
    "(:text = '' OR instr(lower(id), :text) > 0 OR instr(lower(setting), :text) > 0)
    AND (:study IS NULL OR study = :study) AND (:state IS NULL OR state = :state)";

/// A study runs if one of its runs does; it has failed if one has and none runs.
const STUDIES: &str = "
    SELECT studies.id, question, kind, game, count(runs.id), coalesce(sum(state = 'finished'), 0),
        CASE WHEN max(state = 'running') THEN 'running' WHEN studies.damage IS NOT NULL OR max(state = 'damaged') THEN 'damaged' WHEN max(state = 'failed') THEN 'failed' WHEN max(state = 'interrupted') THEN 'interrupted'
            WHEN min(state = 'finished') THEN 'finished' ELSE 'waiting' END,
        coalesce(max(updated), '') AS last, studies.damage
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

    /// A page of studies whose name or question contains `text`, the last updated first.
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
    // Rows without a value come last in either order.
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
                damage: row.get(8)?,
            })
        },
    )?;
    Ok(Found {
        total: total as u64,
        rows: rows.collect::<rusqlite::Result<_>>()?,
    })
}
