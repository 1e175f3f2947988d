//! Champions: their genes, and the end of the best game.

use super::{Sheet, normalised, picture};
use crate::charts::{POLYGONS, radar};
use crate::results::{Results, RunResults};
use crate::{Picture, board_picture};
use lab::run::best_game::BEST_GAME;
use play::numbers::figure;
use play::replay::Replay;
use play::stats::Better;
use std::cmp::Ordering;

/// The champions to draw: the best of every setting, or of every run if there is one setting; of many the best.
fn drawn(results: &Results) -> Vec<(String, &RunResults)> {
    let mut runs: Vec<(String, &RunResults)> = match results.settings.as_slice() {
        [one] => one
            .runs
            .iter()
            .map(|run| (format!("repeat {}", run.repeat), run))
            .collect(),
        several => several
            .iter()
            .filter_map(|setting| {
                let best = setting.best_run(&results.metric, results.better)?;
                Some((setting.label.clone(), best))
            })
            .collect(),
    };
    if runs.len() > POLYGONS {
        let value = |run: &RunResults| {
            let value = run.metrics.get(&results.metric).map(|metric| metric.value);
            value.map(|value| match results.better {
                Better::Higher => value,
                Better::Lower => -value,
            })
        };
        runs.retain(|(_, run)| value(run).is_some());
        runs.sort_by(|(_, a), (_, b)| value(b).partial_cmp(&value(a)).unwrap_or(Ordering::Equal));
        runs.truncate(POLYGONS);
    }
    runs
}

/// Genes of the champions.
pub(super) fn champions(sheet: &Sheet<'_>) -> Option<Picture> {
    let weights = |run: &RunResults| {
        let outcome = run.outcome.as_ref()?;
        let file = outcome.champion.as_ref()?;
        let (names, weights): (Vec<String>, Vec<f64>) = file.named_weights().into_iter().unzip();
        (!names.is_empty()).then(|| (names, normalised(&weights)))
    };
    let runs = drawn(sheet.results);
    let (names, _) = runs.iter().find_map(|(_, run)| weights(run))?;
    let same = |run: &RunResults| {
        weights(run)
            .filter(|(own, _)| *own == names)
            .map(|(_, weights)| weights)
    };
    let champions: Vec<(String, Vec<f64>)> = runs
        .iter()
        .filter_map(|(label, run)| Some((label.clone(), same(run)?)))
        .collect();
    let which = match champions.len() {
        POLYGONS => "the champions (of more than four, the best)",
        _ => "the champions",
    };
    let caption = format!(
        "Genes of {which}, divided by the largest gene of each champion: only ratios and signs can be compared."
    );
    let axes = sheet.axes("Genes of the champions", "", "");
    let svg = radar(&axes, &names, &champions);
    Some(picture("champions", caption, svg))
}

fn last_picture(replay: &Replay) -> Option<String> {
    let end = replay.script().ok()?.positions().last()?;
    Some(board_picture::draw(&end))
}

/// The end of the best game of the best champion.
pub(super) fn game(run: &RunResults) -> Option<Picture> {
    let path = run.path.join(BEST_GAME);
    let replay = Replay::read(&path).ok()?;
    let caption = format!(
        "The end of the best game of {}: score {}, {} moves. 'gamete watch --replay' shows it from the start.",
        run.id,
        figure(replay.score as f64),
        figure(replay.moves as f64)
    );
    Some(picture("game", caption, last_picture(&replay)?))
}
