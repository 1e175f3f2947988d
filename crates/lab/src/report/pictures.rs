//! The charts of a report, each from what the runs kept.

use std::collections::BTreeMap;

use super::Picture;
use super::charts::{Axes, Bar, BarSeries, Series, bars, boxes, heat, lines, radar, scatter};
use crate::replay::Replay;
use crate::results::{Results, RunResults, SettingResults};
use crate::run::best_game::BEST_GAME;
use crate::run::history::Chronicle;
use crate::run::plot::{Plot, Style};
use crate::study::kind::HISTORY;

/// Names of charts that a study may ask for; kinds of studies bring further ones.
pub const CHARTS: [&str; 12] = [
    "fitness",
    "settings",
    "genes",
    "generation",
    "surface",
    "champions",
    "classes",
    "game",
    "time-by-move",
    "deviation",
    "cost",
    "cost-flat",
];

/// More settings are not drawn in one chart of lines.
const MOST_LINES: usize = 8;

/// All charts that fit the results, or those that are wanted.
pub(super) fn pictures(results: &Results, wanted: Option<&[String]>) -> Vec<Picture> {
    let is_wanted = |name: &str| wanted.is_none_or(|wanted| wanted.iter().any(|one| one == name));
    let mut pictures = Vec::new();
    let mut add = |name: &str, make: &dyn Fn() -> Option<Picture>| {
        if is_wanted(name) {
            pictures.extend(make());
        }
    };
    add("fitness", &|| fitness(results));
    add("settings", &|| settings(results));
    let best = best_run(results);
    add("genes", &|| genes(best?));
    add("generation", &|| generation(best?));
    add("surface", &|| surface(best?));
    add("champions", &|| champions(results));
    add("classes", &|| classes(results));
    add("game", &|| game(best?));
    let plots = plots(results);
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

/// The best run of all settings.
fn best_run(results: &Results) -> Option<&RunResults> {
    let place = results.comparison.best.unwrap_or(0);
    let of =
        |setting: &'_ SettingResults| setting.runs.iter().position(|run| run.outcome.is_some());
    let setting = results
        .settings
        .get(place)
        .filter(|setting| of(setting).is_some());
    let setting = setting.or_else(|| {
        results
            .settings
            .iter()
            .find(|setting| of(setting).is_some())
    })?;
    setting.best_run(&results.metric, results.better)
}

fn chronicle(run: &RunResults) -> Option<Chronicle> {
    Chronicle::read(&run.path.join(HISTORY))
        .ok()
        .filter(|chronicle| !chronicle.generations.is_empty())
}

/// Best and mean fitness by generation: the median of the repeats, with the band from the least to the greatest.
fn fitness(results: &Results) -> Option<Picture> {
    let few = results.settings.len() <= MOST_LINES / 2;
    let mut series = Vec::new();
    for setting in results.settings.iter().take(MOST_LINES) {
        let chronicles: Vec<Chronicle> = setting.runs.iter().filter_map(chronicle).collect();
        if chronicles.is_empty() {
            continue;
        }
        let label = |what: &str| match results.settings.len() {
            1 => what.to_owned(),
            _ => format!("{}, {what}", setting.label),
        };
        series.push(over_repeats(label("best"), &chronicles, |of| of.best));
        if few {
            series.push(over_repeats(label("mean"), &chronicles, |of| of.mean));
        }
    }
    if series.is_empty() {
        return None;
    }
    let caption = "Fitness of the living by generation: the median over the repeats, and the band from the least to the greatest. It is what selection saw, luck included.";
    Some(picture(
        "fitness",
        caption,
        lines(
            &axes("Fitness by generation", "generation", "fitness"),
            &series,
        ),
    ))
}

fn over_repeats(
    label: String,
    chronicles: &[Chronicle],
    value: impl Fn(&crate::evolution::Generation) -> f64,
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
            .map(|summary| value(&summary.generation))
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
    }
}

/// Box plots of the settings.
fn settings(results: &Results) -> Option<Picture> {
    let groups: Vec<(String, Vec<f64>)> = results
        .settings
        .iter()
        .map(|setting| {
            (
                setting.label.clone(),
                setting.sample(&results.metric).values,
            )
        })
        .filter(|(_, values)| !values.is_empty())
        .collect();
    if groups.iter().all(|(_, values)| values.len() < 2) {
        return single_bars(results);
    }
    let title = format!("{} by setting", results.metric);
    let caption = "Every dot is a run; the box holds the middle half of them.";
    Some(picture(
        "settings",
        caption,
        boxes(&axes(&title, "", &results.metric), &groups),
    ))
}

/// One run a setting: bars with the interval within the run.
fn single_bars(results: &Results) -> Option<Picture> {
    let with = |setting: &&SettingResults| setting.metrics.contains_key(&results.metric);
    let settings: Vec<&SettingResults> = results.settings.iter().filter(with).collect();
    if settings.len() < 2 {
        return None;
    }
    let bar = |setting: &&SettingResults| {
        let of = setting.metrics[&results.metric];
        Bar {
            value: of.value,
            interval: of.ci95,
        }
    };
    let series = BarSeries {
        label: String::new(),
        bars: settings.iter().map(bar).collect(),
    };
    let categories: Vec<String> = settings
        .iter()
        .map(|setting| setting.label.clone())
        .collect();
    let title = format!("{} by setting", results.metric);
    let caption = "One run a setting; whiskers are 95 % intervals within the run.";
    Some(picture(
        "settings",
        caption,
        bars(&axes(&title, "", &results.metric), &categories, &[series]),
    ))
}

/// The largest absolute value becomes 1.
fn normalised(weights: &[f64]) -> Vec<f64> {
    let largest = weights.iter().map(|w| w.abs()).fold(0.0, f64::max);
    weights
        .iter()
        .map(|w| if largest > 0.0 { w / largest } else { 0.0 })
        .collect()
}

/// Genes of the best by generation.
fn genes(run: &RunResults) -> Option<Picture> {
    let chronicle = chronicle(run)?;
    let mut series: Vec<Series> = chronicle
        .columns
        .iter()
        .map(|name| Series {
            label: name.clone(),
            ..Series::default()
        })
        .collect();
    for summary in &chronicle.generations {
        let weights = normalised(summary.best_weights.as_ref()?);
        for (one, weight) in series.iter_mut().zip(weights) {
            one.points
                .push((f64::from(summary.generation.number), weight));
        }
    }
    let caption = format!(
        "Genes of the fittest of every generation of {}, the largest of each generation made 1.",
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
fn generation(run: &RunResults) -> Option<Picture> {
    let mut chronicle = chronicle(run)?;
    let rows = chronicle.rows(chronicle.generations.len() - 1).ok()?;
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
        band: None,
    }];
    for (gene, name) in chronicle.columns.iter().enumerate() {
        series.push(Series {
            label: name.clone(),
            points: ranked(&|place| weights[place][gene]),
            band: None,
        });
    }
    let caption = format!(
        "The last generation of {}, the fittest first: fitness and genes, each made -1 to 1.",
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

/// The heat map has at most so many columns.
const MOST_COLUMNS: usize = 200;

/// Fitness of all individuals of all generations.
fn surface(run: &RunResults) -> Option<Picture> {
    let mut chronicle = chronicle(run)?;
    let all = chronicle.generations.len();
    if all < 3 {
        return None;
    }
    let step = all.div_ceil(MOST_COLUMNS);
    let (mut columns, mut rows): (Vec<f64>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
    for place in (0..all).step_by(step) {
        let mut fitness = chronicle.rows(place).ok()?.fitness;
        fitness.sort_by(|a, b| b.total_cmp(a));
        rows.resize(rows.len().max(fitness.len()), vec![f64::NAN; columns.len()]);
        columns.push(f64::from(chronicle.generations[place].generation.number));
        for (rank, row) in rows.iter_mut().enumerate() {
            row.push(fitness.get(rank).copied().unwrap_or(f64::NAN));
        }
    }
    let caption = format!(
        "Every individual of {}: a column a generation, the fittest on top.",
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

/// Genes of the champions: the best of every setting, or of every run if there is one setting.
fn champions(results: &Results) -> Option<Picture> {
    let weights = |run: &RunResults| {
        let outcome = run.outcome.as_ref()?;
        let file = outcome.champion.as_ref()?;
        Some((
            file.weight_names.clone()?,
            normalised(file.weights.as_ref()?),
        ))
    };
    let runs: Vec<(String, &RunResults)> = match results.settings.as_slice() {
        [one] => one
            .runs
            .iter()
            .map(|run| (format!("repeat {}", run.repeat), run))
            .collect(),
        several => several
            .iter()
            .filter_map(|setting| {
                Some((
                    setting.label.clone(),
                    setting.best_run(&results.metric, results.better)?,
                ))
            })
            .collect(),
    };
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
    let caption = "Genes of the champions, the largest of each made 1.";
    Some(picture(
        "champions",
        caption,
        radar("Genes of the champions", &names, &champions),
    ))
}

/// How often each kind came, e.g. the highest tile of a game.
fn classes(results: &Results) -> Option<Picture> {
    let mut counts: Vec<(String, BTreeMap<u64, u64>)> = Vec::new();
    let mut name = String::new();
    for setting in results.settings.iter().take(MOST_LINES) {
        let mut sum: BTreeMap<u64, u64> = BTreeMap::new();
        for outcome in setting.runs.iter().filter_map(|run| run.outcome.as_ref()) {
            if let Some((fact, classes)) = outcome.classes.iter().next() {
                name.clone_from(fact);
                classes
                    .iter()
                    .for_each(|(class, count)| *sum.entry(*class).or_default() += count);
            }
        }
        if !sum.is_empty() {
            counts.push((setting.label.clone(), sum));
        }
    }
    let all: std::collections::BTreeSet<u64> = counts
        .iter()
        .flat_map(|(_, sum)| sum.keys().copied())
        .collect();
    if all.is_empty() {
        return None;
    }
    let series: Vec<BarSeries> = counts
        .iter()
        .map(|(label, sum)| class_bars(label, sum, &all))
        .collect();
    let categories: Vec<String> = all.iter().map(u64::to_string).collect();
    let caption = format!("{name} of the measured games; whiskers are Wilson's 95 % intervals.");
    Some(picture(
        "classes",
        caption,
        bars(&axes(&name, &name, "share of games"), &categories, &series),
    ))
}

fn class_bars(
    label: &str,
    sum: &BTreeMap<u64, u64>,
    all: &std::collections::BTreeSet<u64>,
) -> BarSeries {
    let total: u64 = sum.values().sum();
    let bar = |class: &u64| {
        let share = crate::stats::Share::new(sum.get(class).copied().unwrap_or(0), total);
        Bar {
            value: share.share,
            interval: Some(share.ci95),
        }
    };
    BarSeries {
        label: label.to_owned(),
        bars: all.iter().map(bar).collect(),
    }
}

/// The end of the best game of the best champion.
fn game(run: &RunResults) -> Option<Picture> {
    let path = run.path.join(BEST_GAME);
    let replay = Replay::read(&path).ok()?;
    let caption = format!(
        "The end of the best game of {}: score {}, {} moves. 'gamete watch --replay' shows it from the start.",
        run.id,
        super::numbers::figure(replay.score as f64),
        super::numbers::figure(replay.moves as f64)
    );
    Some(picture("game", caption, replay.last_picture().ok()?))
}

/// What the runs themselves have to draw: plots of the same name in one chart, of several repeats the first.
fn plots(results: &Results) -> Vec<Picture> {
    let mut joined: Vec<Plot> = Vec::new();
    for setting in &results.settings {
        let Some(run) = setting.runs.iter().find(|run| run.outcome.is_some()) else {
            continue;
        };
        let of_outcome = run.outcome.iter().flat_map(|outcome| &outcome.plots);
        let of_status = run.status.iter().flat_map(|status| &status.plots);
        for plot in of_outcome.chain(of_status) {
            let mut plot = plot.clone();
            if results.settings.len() > 1 {
                for (label, _) in &mut plot.series {
                    *label = if label.is_empty() {
                        setting.label.clone()
                    } else {
                        format!("{}, {label}", setting.label)
                    };
                }
            }
            match joined.iter_mut().find(|known| known.name == plot.name) {
                Some(known) => known.series.extend(plot.series),
                None => joined.push(plot),
            }
        }
    }
    joined.iter().map(draw).collect()
}

fn draw(plot: &Plot) -> Picture {
    let [log_x, log_y] = plot.log;
    let axes = Axes {
        log_x,
        log_y,
        ..axes(&plot.title, &plot.x, &plot.y)
    };
    let series: Vec<Series> = plot
        .series
        .iter()
        .map(|(label, points)| Series {
            label: label.clone(),
            points: points.clone(),
            band: None,
        })
        .collect();
    let svg = match plot.style {
        Style::Lines => lines(&axes, &series),
        Style::Points => scatter(&axes, &series),
    };
    picture(&plot.name, &plot.title, svg)
}
