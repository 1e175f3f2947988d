//! The individuals of a run: the games of the last generation, and the fitness of all generations.

use super::{Sheet, picture};
use crate::Picture;
use crate::charts::{Series, heat, lines, scatter};
use crate::results::RunResults;
use lab::run::individuals::Individuals;
use play::stats::Better;

/// The most individuals that are drawn one by one.
const MOST_BARS: usize = 150;

/// Mean, lowest and highest score of every individual of the last generation.
pub(super) fn individuals(sheet: &Sheet<'_>, run: &RunResults) -> Option<Picture> {
    let history = sheet.histories.of(run)?;
    let last = Individuals::at(&history, history.generations.len() - 1).ok()?;
    let (mut points, mut band) = (Vec::new(), Vec::new());
    for (rank, one) in (1..).zip(&last.individuals) {
        points.push((f64::from(rank), one.fitness));
        band.push((one.lowest?, one.highest?));
    }
    // Where all play one game, there is nothing between lowest and highest.
    if band.iter().all(|(low, high)| low == high) {
        return None;
    }
    let draw = if points.len() > MOST_BARS {
        lines
    } else {
        scatter
    };
    let series = Series {
        points,
        band: Some(band),
        ..Series::default()
    };
    let caption = format!(
        "The last generation of {} (number {}), the fittest first: the mean of each individual's games, with a bar from the lowest to the highest.",
        run.id, last.generation
    );
    let title = "Games of the last generation: lowest, mean, highest";
    let axes = sheet.axes(title, "rank", "score");
    Some(picture("individuals", caption, draw(&axes, &[series])))
}

/// The most columns in the heat map.
const MOST_COLUMNS: usize = 200;

/// Fitness of all individuals of all generations.
pub(super) fn surface(sheet: &Sheet<'_>, run: &RunResults) -> Option<Picture> {
    if sheet.results.is_training() {
        return None;
    }
    let history = sheet.histories.of(run)?;
    let all = history.generations.len();
    if all < 3 {
        return None;
    }
    let lower_is_better = sheet.results.better == Better::Lower;
    let step = all.div_ceil(MOST_COLUMNS);
    let (mut columns, mut rows): (Vec<f64>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
    for place in (0..all).step_by(step) {
        let mut fitness = history.rows(place).ok()?.fitness;
        fitness.sort_by(f64::total_cmp);
        if !lower_is_better {
            fitness.reverse();
        }
        rows.resize(rows.len().max(fitness.len()), vec![f64::NAN; columns.len()]);
        columns.push(f64::from(history.generations[place].generation.number));
        for (rank, row) in rows.iter_mut().enumerate() {
            row.push(fitness.get(rank).copied().unwrap_or(f64::NAN));
        }
    }
    let caption = format!(
        "Every individual of {}: one column per generation, the fittest on top; lighter is fitter.",
        run.id
    );
    let svg = heat(
        &sheet.axes("Fitness of all generations", "generation", "rank"),
        "fitness",
        &columns,
        &rows,
        lower_is_better,
    );
    Some(picture("surface", caption, svg))
}
