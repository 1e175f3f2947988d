//! The charts of a report, from the data of the runs.

mod beside;
mod champions;
mod fitness;
mod histories;
mod individuals;
mod learning;
mod plots;
mod settings;
mod sweep;

use self::histories::Histories;
use super::Picture;
use super::charts::{Axes, Mark, Size};
use crate::results::Results;
use crate::sweep::is_composed;
use lab::store::baselines::Baseline;
use play::numbers::figure;

/// The most settings in one line chart.
const MOST_LINES: usize = 8;

/// What charts are drawn from, and how large their texts are.
pub(super) struct Sheet<'a> {
    results: &'a Results,
    histories: Histories,
    size: Size,
}

impl Sheet<'_> {
    fn axes(&self, title: &str, x: &str, y: &str) -> Axes {
        Axes {
            title: capitalised(title),
            x: x.to_owned(),
            y: y.to_owned(),
            keys_x: self.results.varied().iter().all(is_composed),
            size: self.size,
            ..Axes::default()
        }
    }

    /// The main metric of the players that were not evolved.
    fn baselines(&self) -> Vec<Mark> {
        let metric = &self.results.metric;
        let mark = |baseline: &Baseline| {
            let value = baseline.metrics.get(metric)?.value;
            let label = format!("{}: {}", baseline.player, figure(value));
            Some(Mark { label, value })
        };
        self.results.baselines.iter().filter_map(mark).collect()
    }
}

/// All charts that apply to the results, or the requested ones.
pub(super) fn pictures(results: &Results, wanted: Option<&[String]>, size: Size) -> Vec<Picture> {
    let is_wanted = |name: &str| wanted.is_none_or(|wanted| wanted.iter().any(|one| one == name));
    let sheet = &Sheet {
        results,
        histories: Histories::default(),
        size,
    };
    let mut pictures = Vec::new();
    let mut add = |name: &str, make: &dyn Fn() -> Option<Picture>| {
        if is_wanted(name) {
            pictures.extend(make());
        }
    };
    add("fitness", &|| fitness::by_generation(sheet));
    add("fitness-by-games", &|| fitness::by_games(sheet));
    add("learning", &|| learning::scores(sheet));
    add("results-by-game", &|| learning::results(sheet));
    add("settings", &|| settings::settings(sheet));
    add("effects", &|| sweep::effects(sheet));
    add("map", &|| sweep::map(sheet));
    add("parallel", &|| sweep::parallel(sheet));
    add("luck", &|| beside::luck(sheet));
    add("published", &|| beside::published(sheet));
    let best = results.best_run();
    add("individuals", &|| individuals::individuals(sheet, best?));
    add("surface", &|| individuals::surface(sheet, best?));
    add("champions", &|| champions::champions(sheet));
    add("classes", &|| settings::classes(sheet));
    add("game", &|| champions::game(best?));
    let plots = plots::plots(sheet);
    pictures.extend(plots.into_iter().filter(|picture| is_wanted(&picture.name)));
    pictures
}

fn picture(name: &str, caption: impl AsRef<str>, svg: String) -> Picture {
    Picture {
        name: name.to_owned(),
        caption: capitalised(caption.as_ref()),
        svg,
    }
}

/// Titles and captions may begin with the name of a metric.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// Whether values are best seen on a logarithmic axis: all are positive, and the largest is at least a hundred times the smallest.
fn spans_decades(values: impl Iterator<Item = f64>) -> bool {
    let finite = values.filter(|value| value.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, 0.0_f64), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    low > 0.0 && low.is_finite() && high / low >= 100.0
}

/// Scales the largest absolute value to 1.
fn normalised(weights: &[f64]) -> Vec<f64> {
    let largest = weights.iter().map(|w| w.abs()).fold(0.0, f64::max);
    weights
        .iter()
        .map(|w| if largest > 0.0 { w / largest } else { 0.0 })
        .collect()
}
