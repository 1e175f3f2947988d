//! `gamete compare`: studies, settings or runs beside each other, and whether they differ.

use report::groups::{Groups, LeftOut, gather};

use crate::output::{Failure, Table, in_line, print, print_json};
use crate::runs_dir::RunsDir;

const EXAMPLES: &str = "\
A study stands for all its settings; 'my-study/s2' is its second setting; 'my-study/s2-r1' is one run. Settings are compared over their \
repeats, runs by the games of their champions; of several studies, only what plays the game of the first name, by its rules and against its opponent. p is corrected for the number of comparisons (Holm); A12 is the probability that a repeat of \
the first is better than one of the second.

Examples:
  gamete compare my-study
  gamete compare my-study/s1 my-study/s2 other-study
  gamete compare my-study/s1-r1 my-study/s2-r1 --json";

/// Arguments of `gamete compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Studies, settings or runs
    #[arg(required = true)]
    names: Vec<String>,
    #[command(flatten)]
    runs_dir: RunsDir,
    /// The metric to compare by [default: that of the first study]
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints the comparison.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let store = arguments.runs_dir.store();
    let groups = gather(&store, &arguments.names, arguments.metric.as_deref())?;
    match arguments.json {
        true => print_json(&groups)?,
        false => print(&render(&groups))?,
    }
    match groups.damage.is_empty() {
        true => Ok(()),
        false => Err(Failure::Failed(anyhow::anyhow!(
            "files of these runs are damaged: {}; 'gamete fsck' says what can be repaired",
            groups.damage.join("; ")
        ))),
    }
}

fn render(groups: &Groups) -> String {
    use play::numbers::{figure, with_interval};
    let comparison = &groups.comparison;
    let mut table = Table::new([
        "",
        "n",
        "mean, 95 % interval",
        "median, 95 % interval",
        "least",
        "greatest",
    ]);
    for sample in &comparison.samples {
        let of = |value: &dyn Fn(&play::stats::Spread) -> String| {
            sample.spread.as_ref().map_or("-".to_owned(), value)
        };
        table.row([
            sample.label.clone(),
            sample.n.to_string(),
            of(&|spread| with_interval(spread.mean, spread.mean_ci95)),
            of(&|spread| with_interval(spread.median, spread.median_ci95)),
            of(&|spread| figure(spread.min)),
            of(&|spread| figure(spread.max)),
        ]);
    }
    let mut text = format!("{} ({})\n\n{}\n", groups.metric, groups.of, table.render());
    for LeftOut { name, why, .. } in &groups.left_out {
        text += &in_line(&format!("Left out: {name}: {why}."));
        text += "\n";
    }
    if !groups.left_out.is_empty() {
        text += "\n";
    }
    if !comparison.pairs.is_empty() {
        text += &pairs(groups);
    }
    text + &in_line(&comparison.verdict) + "\n"
}

fn pairs(groups: &Groups) -> String {
    let comparison = &groups.comparison;
    let label = |place: usize| &comparison.samples[place].label;
    let mut table = Table::new(["pair", "p (Holm)", "A12", "effect", "better"]);
    for pair in &comparison.pairs {
        let winner = pair.winner.filter(|_| pair.significant);
        table.row([
            format!("{} - {}", label(pair.first), label(pair.second)),
            play::numbers::probability(pair.p_holm),
            format!("{:.2}", pair.a12),
            pair.effect.to_string(),
            winner.map_or("-".to_owned(), |winner| label(winner).clone()),
        ]);
    }
    format!("{}\n", table.render())
}
