//! The networks that trainings found.

use super::Block;
use crate::results::{Results, RunResults};
use lab::run::outcome::Table;
use lab::study::NETWORK;
use play::network_file::NetworkFile;
use play::numbers::{bytes, figure, with_interval};

/// The best network of every setting; none if the study trains none.
pub(super) fn section(results: &Results, most: usize) -> Vec<Block> {
    let settings = results.settings.iter().take(most);
    let rows: Vec<Vec<String>> = settings
        .filter_map(|setting| {
            let run = setting.best_run(&results.metric, results.better)?;
            let mut row = vec![setting.label.clone(), run.id.clone()];
            row.extend(about(results, run)?);
            Some(row)
        })
        .collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let metric = format!("{} (95 % interval)", results.metric);
    let head = [
        "setting", "run", "network", "method", "games", "file", &metric,
    ];
    let table = Table {
        title: "The best network of every setting".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows,
    };
    let note = format!(
        "Every run keeps its network as {NETWORK}, which can be used wherever a player is expected, or as the evaluation of a search: \
         expectimax(depth=2, eval=network(file={NETWORK})). 'gamete players show' tells more of it. Intervals are within the run. Its best \
         game is best-game.json, which 'gamete watch --replay' shows."
    );
    vec![
        Block::Heading("Networks".to_owned()),
        Block::Table(table),
        Block::Note(note),
    ]
}

fn about(results: &Results, run: &RunResults) -> Option<Vec<String>> {
    let path = run.path.join(NETWORK);
    let file = NetworkFile::open(&path).ok()?;
    let size = path.metadata().ok()?.len();
    let metric = run.metrics.get(&results.metric)?;
    Some(vec![
        file.trained.network,
        file.trained.method,
        figure(file.trained.games as f64),
        bytes(size),
        with_interval(metric.value, metric.ci95),
    ])
}
