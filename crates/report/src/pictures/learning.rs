//! Learning curves: the scores of training games, and what these games ended with.

use std::rc::Rc;

use super::fitness::{Over, baselines, left_out, over_repeats};
use super::{MOST_LINES, Sheet, picture, spans_decades};
use crate::Picture;
use crate::charts::{Axes, Series, Style, lines};
use lab::run::curve::spread;
use lab::run::history::{HistoryReader, Summary};
use lab::run::learning::result_shares;

/// Mean score by training game over the repeats of every setting; with few settings the best game of each block, too.
pub(super) fn scores(sheet: &Sheet<'_>) -> Option<Picture> {
    // Who plays against itself wins as often as it loses, however good it is.
    if !sheet.results.is_training() || sheet.results.settings[0].seats() != Some(1) {
        return None;
    }
    let count = sheet.results.settings.len();
    let has_best = count <= MOST_LINES / 2;
    let settings = 0..count.min(MOST_LINES);
    let series: Vec<Series> = settings
        .flat_map(|place| lines_of(sheet, place, has_best))
        .collect();
    let marks = baselines(sheet);
    let values = series.iter().flat_map(|one| &one.points);
    let values = values.map(|point| point.1);
    let axes = Axes {
        counts_x: true,
        log_y: spans_decades(values.chain(marks.iter().map(|mark| mark.value))),
        marks,
        ..sheet.axes("Score by training game", "training games", "score")
    };
    let caption = caption(sheet, has_best);
    (!series.is_empty()).then(|| picture("learning", caption, lines(&axes, &series)))
}

fn caption(sheet: &Sheet<'_>, has_best: bool) -> String {
    let best = match has_best {
        true => ", and their best game",
        false => "",
    };
    let over = match sheet.results.repeats {
        1 => "",
        _ => {
            " Lines are the median over the repeats; the band reaches from the minimum to the maximum."
        }
    };
    let left_out = left_out(sheet);
    format!(
        "Mean score of the training games, block by block{best}{left_out}. The network learns while it plays them.{over}"
    )
}

/// The mean of a setting over its repeats, and the best; none if no run has a history.
fn lines_of(sheet: &Sheet<'_>, place: usize, has_best: bool) -> Vec<Series> {
    let runs = sheet.results.settings[place].runs.iter();
    let histories = runs.filter_map(|run| sheet.histories.of(run));
    let histories: Vec<Rc<HistoryReader>> = histories.collect();
    if histories.is_empty() {
        return Vec::new();
    }
    let line = |what: &str, shape: usize, value: fn(&Summary) -> f64| {
        let label = named(sheet, place, what, has_best);
        // A setting has its colour; mean and best have their dashes.
        let style = Style {
            colour: place,
            shape,
        };
        Series {
            style: (sheet.results.settings.len() > 1).then_some(style),
            ..over_repeats(label, &histories, Over::Games, value)
        }
    };
    let mut series = vec![line("mean", 0, |of| of.generation.mean)];
    if has_best {
        let best = line("best", 1, |of| of.generation.best);
        series.push(Series { band: None, ..best });
    }
    series
}

fn named(sheet: &Sheet<'_>, place: usize, what: &str, has_several: bool) -> String {
    match sheet.results.settings.as_slice() {
        [_] => what.to_owned(),
        settings if has_several => format!("{}, {what}", settings[place].label),
        settings => settings[place].label.clone(),
    }
}

/// The most blocks that are read: their games have to be decompressed.
const MOST_BLOCKS: usize = 200;

/// The share of games of the best run that reached each result, by training game.
pub(super) fn results(sheet: &Sheet<'_>) -> Option<Picture> {
    if !sheet.results.is_training() {
        return None;
    }
    let runs = || {
        let settings = sheet.results.settings.iter();
        settings.flat_map(|setting| &setting.runs)
    };
    let run = sheet.results.best_run();
    let run = run.or_else(|| runs().find(|run| sheet.histories.of(run).is_some()))?;
    let history = sheet.histories.of(run)?;
    let blocks = spread(history.generations.len(), MOST_BLOCKS);
    let seats = sheet.results.settings[0].seats().unwrap_or(1);
    let shares = result_shares(&history, &blocks, seats).ok()?;
    let games = |place: &usize| history.generations[*place].generation.games as f64;
    let series: Vec<Series> = shares
        .into_iter()
        .map(|result| Series {
            points: blocks.iter().map(games).zip(result.shares).collect(),
            label: result.label,
            ..Series::default()
        })
        .collect();
    let title = "Results by training game";
    let axes = Axes {
        counts_x: true,
        ..sheet.axes(title, "training games", "share of games")
    };
    let caption = match seats {
        1 => format!(
            "The share of the training games of {} that reached a tile, block by block.",
            run.id
        ),
        _ => format!(
            "How the training games of {} ended, block by block.",
            run.id
        ),
    };
    (!series.is_empty()).then(|| picture("results-by-game", caption, lines(&axes, &series)))
}
