//! Best, mean, median and worst fitness by generation or by games, over the repeats of every setting.

use std::rc::Rc;

use super::{MOST_LINES, Sheet, picture, spans_decades};
use crate::Picture;
use crate::charts::{Axes, COLOURS, Mark, Series, Style, lines};
use crate::curves::median;
use lab::run::history::{HistoryReader, Summary};

/// What the horizontal axis counts.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Over {
    Generations,
    Games,
}

const CAPTION: &str = "The median over the repeats, with a band from minimum to maximum. It is what selection saw, luck included.";

/// Best fitness by generation: the median of the repeats, with a band from minimum to maximum. With few settings there is room for the
/// mean, too, and with fewer for the median and the worst of the population.
pub(super) fn by_generation(sheet: &Sheet<'_>) -> Option<Picture> {
    let what = match sheet.results.settings.len() > MOST_LINES / 2 {
        true => "Best fitness",
        false => "Fitness",
    };
    let title = format!("{what} by generation");
    let axes = sheet.axes(&title, "generation", "fitness");
    let svg = draw(sheet, axes, Over::Generations)?;
    let left_out = left_out(sheet);
    let caption = format!("Fitness of the population by generation{left_out}. {CAPTION}");
    Some(picture("fitness", caption, svg))
}

/// The same by the games that were played: a setting with a larger population or more games has fewer generations for them.
pub(super) fn by_games(sheet: &Sheet<'_>) -> Option<Picture> {
    if !have_different_generations(sheet) {
        return None;
    }
    let what = sheet.results.unit();
    let title = format!("Best fitness by {what}");
    let axes = sheet.axes(&title, &format!("{what} so far"), "fitness");
    let svg = draw(sheet, axes, Over::Games)?;
    let left_out = left_out(sheet);
    let caption = format!(
        "Best fitness of the population by the {what} that the search has taken{left_out}: settings are compared at equal cost. {CAPTION}"
    );
    Some(picture("fitness-by-games", caption, svg))
}

/// Says so if not all settings are drawn.
pub(super) fn left_out(sheet: &Sheet<'_>) -> String {
    match sheet.results.settings.len() {
        all if all > MOST_LINES => format!(", of the first {MOST_LINES} of {all} settings"),
        _ => String::new(),
    }
}

/// Whether a generation takes more games in some settings than in others.
fn have_different_generations(sheet: &Sheet<'_>) -> bool {
    let each = |place: usize| {
        let runs = &sheet.results.settings[place].runs;
        let history = runs.iter().find_map(|run| sheet.histories.of(run))?;
        let games = history.generations.last()?.generation.games;
        Some(games as f64 / history.generations.len() as f64)
    };
    let each: Vec<f64> = (0..sheet.results.settings.len()).filter_map(each).collect();
    let least = each.iter().copied().fold(f64::INFINITY, f64::min);
    each.iter().any(|&games| games > 1.05 * least)
}

/// The lines of all settings; `None` if no run has a history of generations.
fn draw(sheet: &Sheet<'_>, axes: Axes, over: Over) -> Option<String> {
    if sheet.results.is_training() {
        return None;
    }
    let settings = &sheet.results.settings;
    let count = settings.len();
    let mut series = Vec::new();
    for (place, setting) in settings.iter().enumerate().take(MOST_LINES) {
        let histories = setting
            .runs
            .iter()
            .filter_map(|run| sheet.histories.of(run));
        let chronicles: Vec<Rc<HistoryReader>> = histories.collect();
        if chronicles.is_empty() {
            continue;
        }
        let only_best = count > MOST_LINES / 2 || over == Over::Games;
        let mut shape = place / COLOURS;
        let mut line = |what: &str, value: fn(&Summary) -> f64| {
            let label = match count {
                1 => what.to_owned(),
                _ if only_best => setting.label.clone(),
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
                ..over_repeats(label, &chronicles, over, value)
            });
        };
        line("best", |of| of.generation.best);
        if only_best {
            continue;
        }
        line("mean", |of| of.generation.mean);
        if count <= MOST_LINES / 4 {
            line("median", |of| of.quartiles[2]);
            line("worst", Summary::worst);
        }
    }
    let marks = baselines(sheet);
    let values = series
        .iter()
        .flat_map(|one| one.points.iter().map(|point| point.1))
        .chain(marks.iter().map(|mark| mark.value));
    let log_y = spans_decades(values);
    let axes = Axes {
        counts_x: true,
        log_y,
        marks,
        ..axes
    };
    (!series.is_empty()).then(|| lines(&axes, &series))
}

/// Players that were not evolved, in a one-player game: in others, candidates have other opponents than champions.
pub(super) fn baselines(sheet: &Sheet<'_>) -> Vec<Mark> {
    match sheet.results.settings[0].seats() {
        Some(1) => sheet.baselines(),
        _ => Vec::new(),
    }
}

pub(super) fn over_repeats(
    label: String,
    chronicles: &[Rc<HistoryReader>],
    over: Over,
    value: impl Fn(&Summary) -> f64,
) -> Series {
    let lengths = chronicles.iter().map(|one| one.generations.len());
    let longest = lengths.max().unwrap_or(0);
    let (mut points, mut band) = (Vec::new(), Vec::new());
    for place in 0..longest {
        let those = || {
            chronicles
                .iter()
                .filter_map(|one| one.generations.get(place))
        };
        let mut values: Vec<f64> = those().map(&value).collect();
        values.sort_by(f64::total_cmp);
        let x = match over {
            Over::Generations => place as f64,
            Over::Games => {
                let mut games: Vec<f64> = those().map(|of| of.generation.games as f64).collect();
                games.sort_by(f64::total_cmp);
                median(&games)
            }
        };
        points.push((x, median(&values)));
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
