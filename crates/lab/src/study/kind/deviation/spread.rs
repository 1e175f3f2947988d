//! Statistics of the deviation for each number of games: numbers, a table and a chart.

use crate::run::outcome::{Outcome, Table};
use crate::run::plot::{Plot, Style};
use play::stats::mean_interval;

/// What a deviation is a percentage of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RelativeTo {
    Truth,
    MeanOfBoth,
}

impl RelativeTo {
    /// The deviation of a fitness from the truth, which is not 0, in percent.
    fn deviation(self, fitness: f64, truth: f64) -> f64 {
        let whole = match self {
            Self::Truth => truth.abs(),
            Self::MeanOfBoth => f64::midpoint(fitness.abs(), truth.abs()),
        };
        100.0 * (fitness - truth).abs() / whole
    }
}

/// The outcome of a run. `means` has for every individual its truth (the mean of this many games), then its mean for every number of
/// games. Individuals whose truth is 0 have no relative deviation; they are left out and counted.
pub(super) fn outcome(
    truth: u32,
    games: &[u32],
    relative_to: RelativeTo,
    means: &[Vec<f64>],
) -> Outcome {
    let counted: Vec<&Vec<f64>> = means.iter().filter(|means| means[0] != 0.0).collect();
    let mut outcome = Outcome::default();
    outcome.number("individuals", counted.len() as f64);
    outcome.number("left out", (means.len() - counted.len()) as f64);
    if counted.is_empty() {
        return outcome;
    }
    let truths: Vec<f64> = counted.iter().map(|means| means[0]).collect();
    outcome.estimate("truth", mean(&truths), mean_interval(&truths));
    let spread = |(place, &games): (usize, &u32)| {
        let off = |means: &&Vec<f64>| relative_to.deviation(means[place + 1], means[0]);
        let deviations: Vec<f64> = counted.iter().map(off).collect();
        Spread::of(games, &deviations)
    };
    let spreads: Vec<Spread> = games.iter().enumerate().map(spread).collect();
    spreads.iter().for_each(|spread| spread.tell(&mut outcome));
    let title = format!("Deviation from the mean of {truth} games, in %");
    outcome.tables.push(table(&title, &spreads));
    outcome.plots.push(plot(&title, &spreads));
    outcome
}

/// The name of a metric.
pub(super) fn metric(what: &str, games: u32) -> String {
    format!("{what} at {games} games")
}

/// The deviation at one number of games, in percent.
struct Spread {
    games: u32,
    mean: f64,
    ci95: Option<[f64; 2]>,
    max: f64,
    sd: Option<f64>,
}

impl Spread {
    fn of(games: u32, deviations: &[f64]) -> Self {
        let mean = mean(deviations);
        let squares: f64 = deviations
            .iter()
            .map(|one| (one - mean) * (one - mean))
            .sum();
        let freedom = deviations.len() as f64 - 1.0;
        Self {
            games,
            mean,
            ci95: mean_interval(deviations),
            max: deviations.iter().copied().fold(0.0, f64::max),
            sd: (freedom > 0.0).then(|| (squares / freedom).sqrt()),
        }
    }

    fn tell(&self, outcome: &mut Outcome) {
        outcome.estimate(&metric("mean", self.games), self.mean, self.ci95);
        outcome.number(&metric("max", self.games), self.max);
        if let Some(sd) = self.sd {
            outcome.number(&metric("sd", self.games), sd);
        }
    }
}

fn table(title: &str, spreads: &[Spread]) -> Table {
    let text = |value: f64| format!("{value:.2}");
    let row = |spread: &Spread| {
        let sd = spread.sd.map(text).unwrap_or_default();
        let games = spread.games.to_string();
        vec![games, text(spread.mean), text(spread.max), sd]
    };
    Table {
        title: title.to_owned(),
        head: ["games", "mean", "max", "sd"].map(str::to_owned).into(),
        rows: spreads.iter().map(row).collect(),
    }
}

fn plot(title: &str, spreads: &[Spread]) -> Plot {
    let mut sorted: Vec<&Spread> = spreads.iter().collect();
    sorted.sort_by_key(|spread| spread.games);
    let line = |name: &str, value: fn(&Spread) -> f64| {
        let points = sorted
            .iter()
            .map(|spread| (f64::from(spread.games), value(spread)));
        (name.to_owned(), points.collect())
    };
    Plot {
        name: "deviation".to_owned(),
        title: title.to_owned(),
        x: "games".to_owned(),
        y: "deviation in %".to_owned(),
        style: Style::Lines,
        log: [true, false],
        series: vec![
            line("mean", |spread| spread.mean),
            line("max", |spread| spread.max),
        ],
    }
}

/// The mean of values, in their order.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::RelativeTo;

    #[test]
    fn a_deviation_is_relative_to_the_truth_or_to_the_mean_of_both() {
        assert_eq!(RelativeTo::Truth.deviation(150.0, 100.0), 50.0);
        assert_eq!(RelativeTo::MeanOfBoth.deviation(150.0, 100.0), 40.0);
        assert_eq!(RelativeTo::MeanOfBoth.deviation(0.0, 100.0), 200.0);
        assert_eq!(RelativeTo::MeanOfBoth.deviation(-100.0, 100.0), 200.0);
    }
}
