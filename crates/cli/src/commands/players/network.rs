//! What a network's file holds.

use std::path::Path;

use play::network_file::{Measured, NetworkFile};
use play::numbers::{bytes, figure};

use crate::output::{Failure, print};

/// Prints it.
pub(super) fn show(name: &str, dot: bool) -> Result<(), Failure> {
    if dot {
        return Err(Failure::Usage(format!("--dot: {name} has no program")));
    }
    let path = Path::new(name);
    // Reading all of it finds what is damaged, too.
    let file = NetworkFile::load(path).map_err(|error| Failure::Usage(error.to_string()))?;
    let size = path.metadata().map_or(0, |about| about.len());
    print(&render(name, &file, size))
}

fn render(name: &str, file: &NetworkFile, size: u64) -> String {
    let trained = &file.trained;
    let moves = figure(trained.moves as f64);
    let mut lines = vec![
        ("network", trained.network.clone()),
        ("tuples", file.tuples.clone()),
        ("stages", stages(&file.stages)),
        (
            "trained",
            format!(
                "{} games ({moves} moves) by {}, seed {}",
                figure(trained.games as f64),
                trained.method,
                trained.seed
            ),
        ),
        (
            "size",
            format!(
                "{} as a file, {} in memory",
                bytes(size),
                bytes(file.bytes())
            ),
        ),
        ("score", score(file.measured.as_ref())),
        ("id", file.id.clone()),
    ];
    // A list of cells is a name of its own.
    lines.retain(|(what, text)| *what != "network" || *text != file.tuples);
    let lines = lines
        .iter()
        .map(|(what, text)| format!("  {what:<8} {text}\n"));
    let head = format!(
        "{name}: a network that plays {} ({})\n",
        file.game, file.rules
    );
    head + &lines.collect::<String>()
}

fn stages(tiles: &[u64]) -> String {
    if tiles.is_empty() {
        return "one".to_owned();
    }
    let tiles: Vec<String> = tiles.iter().map(|&tile| figure(tile as f64)).collect();
    format!("{}; others begin at {}", tiles.len() + 1, tiles.join(", "))
}

fn score(measured: Option<&Measured>) -> String {
    measured.map_or("not measured".to_owned(), |measured| {
        let interval = measured.ci95.map_or(String::new(), |[low, high]| {
            format!(" (95 % interval {} to {})", figure(low), figure(high))
        });
        format!(
            "{}{interval} in {} fresh games, without look-ahead",
            figure(measured.score),
            figure(measured.games as f64)
        )
    })
}
