//! The individuals of a run: genes of the best by generation, the last generation, and the fitness of all of them.

use super::histories::Histories;
use super::{axes, normalised, picture};
use crate::Picture;
use crate::charts::{Series, heat, lines, scatter};
use crate::results::RunResults;
use lab::run::individuals::Individuals;

/// Genes of the best by generation.
pub(super) fn genes(run: &RunResults, histories: &Histories) -> Option<Picture> {
    let history = histories.of(run)?;
    let mut series: Vec<Series> = history
        .columns
        .iter()
        .map(|name| Series {
            label: name.clone(),
            ..Series::default()
        })
        .collect();
    for summary in &history.generations {
        let weights = normalised(summary.best_weights.as_ref()?);
        for (one, weight) in series.iter_mut().zip(weights) {
            one.points
                .push((f64::from(summary.generation.number), weight));
        }
    }
    let caption = format!(
        "Genes of the fittest of every generation of {}, each generation scaled to a maximum of 1.",
        run.id
    );
    Some(picture(
        "genes",
        caption,
        lines(
            &axes("Genes of the best", "generation", "gene, -1 to 1"),
            &series,
        ),
    ))
}

/// Genes and fitness of the last generation, sorted by fitness.
pub(super) fn generation(run: &RunResults, histories: &Histories) -> Option<Picture> {
    let history = histories.of(run)?;
    let rows = history.rows(history.generations.len() - 1).ok()?;
    if rows.weights.is_empty() {
        return None;
    }
    let mut order: Vec<usize> = (0..rows.fitness.len()).collect();
    order.sort_by(|&a, &b| rows.fitness[b].total_cmp(&rows.fitness[a]));
    let fitness = normalised(&rows.fitness);
    let ranked = |value: &dyn Fn(usize) -> f64| {
        order
            .iter()
            .enumerate()
            .map(|(rank, &place)| (rank as f64 + 1.0, value(place)))
            .collect()
    };
    let weights: Vec<Vec<f64>> = rows
        .weights
        .iter()
        .map(|weights| normalised(weights))
        .collect();
    let mut series = vec![Series {
        label: "fitness".to_owned(),
        points: ranked(&|place| fitness[place]),
        ..Series::default()
    }];
    for (gene, name) in history.columns.iter().enumerate() {
        series.push(Series {
            label: name.clone(),
            points: ranked(&|place| weights[place][gene]),
            ..Series::default()
        });
    }
    let caption = format!(
        "The last generation of {}, the fittest first: fitness and genes, each scaled to -1 to 1.",
        run.id
    );
    Some(picture(
        "generation",
        caption,
        lines(
            &axes(
                "The last generation by fitness",
                "rank",
                "fitness and genes, -1 to 1",
            ),
            &series,
        ),
    ))
}

/// The most individuals that are drawn one by one.
const MOST_BARS: usize = 150;

/// Mean, lowest and highest score of every individual of the last generation.
pub(super) fn individuals(run: &RunResults, histories: &Histories) -> Option<Picture> {
    let history = histories.of(run)?;
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
        label: String::new(),
        points,
        band: Some(band),
        ..Series::default()
    };
    let caption = format!(
        "The individuals of the last generation of {} (number {}), the fittest first: the mean of their games, with a bar from the lowest to the highest.",
        run.id, last.generation
    );
    let axes = axes(
        "Games of the last generation: lowest, mean and highest",
        "rank",
        "score",
    );
    Some(picture("individuals", caption, draw(&axes, &[series])))
}

/// The most columns in the heat map.
const MOST_COLUMNS: usize = 200;

/// Fitness of all individuals of all generations.
pub(super) fn surface(run: &RunResults, histories: &Histories) -> Option<Picture> {
    let history = histories.of(run)?;
    let all = history.generations.len();
    if all < 3 {
        return None;
    }
    let step = all.div_ceil(MOST_COLUMNS);
    let (mut columns, mut rows): (Vec<f64>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
    for place in (0..all).step_by(step) {
        let mut fitness = history.rows(place).ok()?.fitness;
        fitness.sort_by(|a, b| b.total_cmp(a));
        rows.resize(rows.len().max(fitness.len()), vec![f64::NAN; columns.len()]);
        columns.push(f64::from(history.generations[place].generation.number));
        for (rank, row) in rows.iter_mut().enumerate() {
            row.push(fitness.get(rank).copied().unwrap_or(f64::NAN));
        }
    }
    let caption = format!(
        "Every individual of {}: one column per generation, the fittest on top.",
        run.id
    );
    let svg = heat(
        &axes("Fitness of all generations", "generation", "rank"),
        "fitness",
        &columns,
        &rows,
    );
    Some(picture("surface", caption, svg))
}
