//! The charts of a report, from the data of the runs.

mod beside;
mod champions;
mod fitness;
mod histories;
mod individuals;
mod plots;
mod settings;

use self::histories::Histories;
use super::Picture;
use super::charts::Axes;
use crate::results::Results;

/// The most settings in one line chart.
const MOST_LINES: usize = 8;

/// All charts that apply to the results, or the requested ones.
pub(super) fn pictures(results: &Results, wanted: Option<&[String]>) -> Vec<Picture> {
    let is_wanted = |name: &str| wanted.is_none_or(|wanted| wanted.iter().any(|one| one == name));
    let histories = Histories::default();
    let mut pictures = Vec::new();
    let mut add = |name: &str, make: &dyn Fn() -> Option<Picture>| {
        if is_wanted(name) {
            pictures.extend(make());
        }
    };
    add("fitness", &|| fitness::fitness(results, &histories));
    add("settings", &|| settings::settings(results));
    add("luck", &|| beside::luck(results));
    add("published", &|| beside::published(results));
    let best = results.best_run();
    add("genes", &|| individuals::genes(best?, &histories));
    add("generation", &|| individuals::generation(best?, &histories));
    add("individuals", &|| {
        individuals::individuals(best?, &histories)
    });
    add("surface", &|| individuals::surface(best?, &histories));
    add("champions", &|| champions::champions(results));
    add("classes", &|| settings::classes(results));
    add("game", &|| champions::game(best?));
    let plots = plots::plots(results);
    pictures.extend(plots.into_iter().filter(|picture| is_wanted(&picture.name)));
    pictures
}

fn picture(name: &str, caption: impl Into<String>, svg: String) -> Picture {
    Picture {
        name: name.to_owned(),
        caption: caption.into(),
        svg,
    }
}

fn axes(title: &str, x: &str, y: &str) -> Axes {
    Axes {
        title: title.to_owned(),
        x: x.to_owned(),
        y: y.to_owned(),
        ..Axes::default()
    }
}

/// Scales the largest absolute value to 1.
fn normalised(weights: &[f64]) -> Vec<f64> {
    let largest = weights.iter().map(|w| w.abs()).fold(0.0, f64::max);
    weights
        .iter()
        .map(|w| if largest > 0.0 { w / largest } else { 0.0 })
        .collect()
}
