//! `/api/runs`: all runs in pages, and one run in detail.

use std::collections::BTreeMap;
use std::path::Path as FilePath;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use games::Options;
use lab::run::outcome::{Metric, Outcome};
use lab::run::status::Status;
use lab::store::{Folder, Named, Order, Query, Row, RunFolder, Sort};
use lab::study::NETWORK;
use play::network_file::NetworkFile;
use play::player_file::Expressions;
use report::charts_of;
use report::results::Results;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json_;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::files::svg;
use super::paging::Paging;
use super::studies::{Chart, charts};
use crate::input::{Params, Path};
use crate::problem::{Failure, Problem};
use crate::site::Site;
use crate::threads::on_thread;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(show))
        .routes(routes!(chart))
}

/// Which runs.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct RunFilter {
    /// A part of the name of the run or its setting.
    #[serde(default)]
    query: String,
    /// Only those of this study.
    study: Option<String>,
    /// Only those in this state: waiting, running, interrupted, failed, finished.
    state: Option<String>,
    #[serde(default)]
    #[param(inline)]
    sort: Sort,
    #[serde(default)]
    #[param(inline)]
    order: Order,
}

/// A page of runs.
#[derive(Debug, Serialize, ToSchema)]
struct RunsPage {
    /// Runs on all pages.
    total: u64,
    page: u32,
    size: u32,
    runs: Vec<Row>,
}

fn given(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

/// All runs, filtered, sorted and in pages.
#[utoipa::path(get, path = "/api/runs", tag = "runs", params(RunFilter, Paging),
    responses((status = 200, body = RunsPage), (status = 400, body = Failure)))]
async fn list(
    State(site): State<Arc<Site>>,
    Params(filter): Params<RunFilter>,
    Params(paging): Params<Paging>,
) -> Result<Json<RunsPage>, Problem> {
    let size = paging.size()?;
    let query = Query {
        text: filter.query,
        study: given(filter.study),
        state: given(filter.state),
        sort: filter.sort,
        order: filter.order,
        page: paging.page,
        size,
    };
    on_thread(move || {
        let found = site.catalogue.ask(|index| index.find(&query))?;
        Ok(Json(RunsPage {
            total: found.total,
            page: query.page,
            size,
            runs: found.rows,
        }))
    })
    .await
}

/// A run in detail.
#[derive(Debug, Serialize, ToSchema)]
struct RunDetail {
    row: Row,
    /// What it does: evolve, train, measure ...
    kind: String,
    /// Everything its numbers depend on.
    #[schema(value_type = Object)]
    config: Json_,
    /// Its seed, as a text: a browser's numbers are exact only up to 2^53.
    seed: String,
    /// Its numbers by name; empty until it is over.
    metrics: BTreeMap<String, Metric>,
    /// The best player found, once it is over.
    champion: Option<Champion>,
    /// The network of a training that is over or was stopped.
    network: Option<NetworkInfo>,
    /// How often each kind came in the champion's games: `highest tile`.
    classes: BTreeMap<String, BTreeMap<u64, u64>>,
    /// Whether the champion's games, its best game and a history can be had.
    files: Vec<String>,
    /// What happened to it.
    log: Vec<String>,
    /// Charts that can be drawn of it.
    charts: Vec<Chart>,
    /// What its steps are called.
    steps_name: String,
    /// Threads that played, and how often it was begun or resumed.
    workers: Workers,
}

/// Who worked on a run.
#[derive(Debug, Default, Serialize, ToSchema)]
struct Workers {
    threads: usize,
    attempts: u32,
    /// The version of gamete.
    gamete: String,
}

/// The champion of a run.
#[derive(Debug, Serialize, ToSchema)]
struct Champion {
    /// The player with its weights or program, as it is written wherever players are.
    spec: String,
    /// The player without its weights or program.
    player: String,
    game: Option<String>,
    #[schema(value_type = BTreeMap<String, String>)]
    rules: Options,
    /// Its weights by name; empty for a program.
    genes: Vec<GeneValue>,
    /// Its program as people read it.
    formulas: Vec<Formula>,
}

/// A trained network.
#[derive(Debug, Serialize, ToSchema)]
struct NetworkInfo {
    /// The name of its tuples, or their cells.
    tuples: String,
    /// Tiles that begin another stage.
    stages: Vec<u64>,
    /// How errors changed its weights.
    method: String,
    /// Games it was trained with.
    games: u64,
    /// Bytes of its file.
    file_bytes: u64,
    /// Bytes of its weights in memory.
    memory_bytes: u64,
}

/// A weight of a champion.
#[derive(Debug, Serialize, ToSchema)]
struct GeneValue {
    name: String,
    value: f64,
}

/// A line of a champion's program.
#[derive(Debug, Serialize, ToSchema)]
struct Formula {
    name: String,
    expression: String,
}

/// The run of these names.
pub(super) fn find(site: &Site, study: &str, run: &str) -> Result<(Folder, RunFolder), Problem> {
    match site.store().find(&format!("{study}/{run}"))? {
        Named::Run(folder, run) => Ok((folder, run)),
        Named::Study(_) => Err(Problem::missing("this names a study, not a run")),
    }
}

/// One run in detail.
#[utoipa::path(get, path = "/api/runs/{study}/{run}", tag = "runs", params(("study" = String, Path), ("run" = String, Path)),
    responses((status = 200, body = RunDetail), (status = 404, body = Failure)))]
async fn show(
    State(site): State<Arc<Site>>,
    Path((study, run)): Path<(String, String)>,
) -> Result<Json<RunDetail>, Problem> {
    on_thread(move || detail(&site, &study, &run).map(Json)).await
}

fn detail(site: &Site, study: &str, run: &str) -> Result<RunDetail, Problem> {
    let (folder, place) = find(site, study, run)?;
    let id = format!("{study}/{run}");
    let row = site.catalogue.ask(|index| index.row(&id))?;
    let row = row.ok_or_else(|| Problem::missing(format!("{id} no longer exists")))?;
    let file = place.file()?;
    let file = file.ok_or_else(|| Problem::missing(format!("{id} has not begun")))?;
    let status = place.status(folder.is_locked())?;
    let results = Results::read(&folder)?;
    let outcome = place.outcome()?;
    let kind = results.kind.to_owned();
    let metrics = results.run(&id).map(|(_, run)| run.metrics.clone());
    let pictures = results
        .only(&id)
        .map(|results| charts(&charts_of(&results, None)));
    Ok(RunDetail {
        row,
        kind,
        config: file.config,
        seed: file.seed.to_string(),
        metrics: metrics.unwrap_or_default(),
        classes: outcome
            .as_ref()
            .map(|outcome| outcome.classes.clone())
            .unwrap_or_default(),
        champion: outcome.as_ref().and_then(champion),
        network: network(&place.path.join(NETWORK)),
        files: super::files::of_run(&place),
        log: log(site, &id, status.as_ref()),
        charts: pictures.unwrap_or_default(),
        steps_name: file.steps,
        workers: status.map(workers).unwrap_or_default(),
    })
}

fn workers(status: Status) -> Workers {
    Workers {
        threads: status.threads,
        attempts: status.attempts,
        gamete: status.gamete,
    }
}

/// The network in this file, if there is a good one.
fn network(path: &FilePath) -> Option<NetworkInfo> {
    let file_bytes = path.metadata().ok()?.len();
    let file = NetworkFile::open(path).ok()?;
    Some(NetworkInfo {
        memory_bytes: file.bytes(),
        tuples: file.trained.network,
        stages: file.stages,
        method: file.trained.method,
        games: file.trained.games,
        file_bytes,
    })
}

fn champion(outcome: &Outcome) -> Option<Champion> {
    if let Some(genome) = &outcome.genome {
        let gene = |(name, &value): (&String, &f64)| GeneValue {
            name: name.clone(),
            value,
        };
        return Some(Champion {
            spec: String::new(),
            player: String::new(),
            game: None,
            rules: Options::default(),
            genes: genome.iter().map(gene).collect(),
            formulas: Vec::new(),
        });
    }
    let file = outcome.champion.as_ref()?;
    let genes = file.named_weights().into_iter();
    let formulas = file.program().ok().flatten();
    let formulas = formulas.iter().flat_map(Expressions::formulas);
    Some(Champion {
        spec: file
            .spec()
            .map_or(file.player.clone(), |spec| spec.to_string()),
        player: file.player.clone(),
        game: Some(file.game.clone()),
        rules: file.rules.clone(),
        genes: genes
            .map(|(name, value)| GeneValue { name, value })
            .collect(),
        formulas: formulas
            .map(|(name, expression)| Formula { name, expression })
            .collect(),
    })
}

/// What happened to it: from its status, and from recent events.
fn log(site: &Site, id: &str, status: Option<&Status>) -> Vec<String> {
    let mut log = Vec::new();
    if let Some(status) = status {
        log.push(format!(
            "{} begun (attempt {})",
            status.started,
            status.attempts.max(1)
        ));
        log.extend(status.error.iter().map(|error| format!("failed: {error}")));
        log.push(format!("{} {}", status.updated, status.state.word()));
    }
    let notes = site.hub.of_run(id).into_iter().filter_map(|event| {
        let event: Json_ = serde_json::from_str(&event.text).ok()?;
        Some(event.get("text")?.as_str()?.to_owned())
    });
    log.extend(notes);
    log
}

/// A chart of one run.
#[utoipa::path(get, path = "/api/runs/{study}/{run}/charts/{chart}", tag = "runs",
    params(("study" = String, Path), ("run" = String, Path), ("chart" = String, Path)),
    responses((status = 200, content_type = "image/svg+xml", body = String), (status = 404, body = Failure)))]
async fn chart(
    State(site): State<Arc<Site>>,
    Path((study, run, chart)): Path<(String, String, String)>,
) -> Result<axum::response::Response, Problem> {
    on_thread(move || {
        let (folder, _) = find(&site, &study, &run)?;
        let results = Results::read(&folder)?.only(&format!("{study}/{run}"));
        let results =
            results.ok_or_else(|| Problem::missing("its study no longer has this run"))?;
        svg(
            charts_of(&results, Some(std::slice::from_ref(&chart))),
            &chart,
        )
    })
    .await
}
