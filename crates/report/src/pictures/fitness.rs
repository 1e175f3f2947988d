//! Best, mean, median and worst fitness by generation, over the repeats of every setting.

use std::rc::Rc;

use super::histories::Histories;
use super::{MOST_LINES, axes, picture};
use crate::Picture;
use crate::charts::{Axes, Series, Style, lines};
use crate::results::Results;
use lab::run::history::{HistoryReader, Summary};

/// Best fitness by generation: the median of the repeats, with a band from minimum to maximum. With few settings there is room for the
/// mean, too, and with fewer for the median and the worst of the population.
pub(super) fn fitness(results: &Results, histories: &Histories) -> Option<Picture> {
    let count = results.settings.len();
    let mut series = Vec::new();
    for (place, setting) in results.settings.iter().enumerate().take(MOST_LINES) {
        let chronicles: Vec<Rc<HistoryReader>> = setting
            .runs
            .iter()
            .filter_map(|run| histories.of(run))
            .collect();
        if chronicles.is_empty() {
            continue;
        }
        let mut shape = 0;
        let mut line = |what: &str, value: fn(&Summary) -> f64| {
            let label = match count {
                1 => what.to_owned(),
                // With so many settings only the best are drawn.
                _ if count > MOST_LINES / 2 => setting.label.clone(),
                _ => format!("{}, {what}", setting.label),
            };
            // A setting has its colour; best, mean, median and worst have their dashes.
            let style = match count {
                1 => None,
                _ => Some(Style {
                    colour: place,
                    shape,
                }),
            };
            shape += 1;
            series.push(Series {
                style,
                ..over_repeats(label, &chronicles, value)
            });
        };
        line("best", |of| of.generation.best);
        if count <= MOST_LINES / 2 {
            line("mean", |of| of.generation.mean);
        }
        if count <= MOST_LINES / 4 {
            line("median", |of| of.quartiles[2]);
            line("worst", Summary::worst);
        }
    }
    if series.is_empty() {
        return None;
    }
    let title = match count > MOST_LINES / 2 {
        true => "Best fitness by generation",
        false => "Fitness by generation",
    };
    let caption = "Fitness of the population by generation: the median over the repeats, with a band from minimum to maximum. It is what selection saw, luck included.";
    Some(picture(
        "fitness",
        caption,
        lines(
            &Axes {
                counts_x: true,
                ..axes(title, "generation", "fitness")
            },
            &series,
        ),
    ))
}

fn over_repeats(
    label: String,
    chronicles: &[Rc<HistoryReader>],
    value: impl Fn(&Summary) -> f64,
) -> Series {
    let longest = chronicles
        .iter()
        .map(|one| one.generations.len())
        .max()
        .unwrap_or(0);
    let (mut points, mut band) = (Vec::new(), Vec::new());
    for place in 0..longest {
        let mut values: Vec<f64> = chronicles
            .iter()
            .filter_map(|one| one.generations.get(place))
            .map(&value)
            .collect();
        values.sort_by(f64::total_cmp);
        let middle = (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0;
        points.push((place as f64, middle));
        band.push((values[0], values[values.len() - 1]));
    }
    let band = (chronicles.len() > 1).then_some(band);
    Series {
        label,
        points,
        band,
        style: None,
    }
}
