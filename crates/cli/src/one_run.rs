//! Commands that run a study of one run: made of their options, kept like any other, and copied where the user wants it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use lab::run::outcome::Outcome;
use lab::runner::StudyRun;
use lab::store::played::records;
use lab::study::flaw::Flaws;
use lab::study::kind::Experiment;
use lab::study::{Draft, Form, Study, keys};
use play::measure::Measurement;
use play::numbers::with_interval;
use report::export::{FORMATS, export};
use report::results::Results;

use crate::output::{Failure, Table};
use crate::studies::{baselines, next_steps};

/// The history as a table.
pub(crate) const HISTORY: &str = "history.csv";

/// The study of a draft. What is wrong with it is said of the `options` it was made of, by the keys they set.
pub(crate) fn study(
    mut draft: Draft,
    command: &str,
    game: &str,
    name: Option<String>,
    options: &[(&str, &str)],
) -> Result<Study, Failure> {
    let name = name.unwrap_or_else(|| {
        let hash = blake3::hash(draft.text().as_bytes()).to_hex();
        format!("{command}-{game}-{}", &hash[..8])
    });
    draft.set(keys::NAME, Some(name));
    let base = std::env::current_dir().map_err(anyhow::Error::from)?;
    let file = format!("gamete {command}");
    Study::parse(&draft.text(), &file, &base, Form::Whole)
        .map_err(|flaws| as_options(&flaws, options))
}

/// The only run of a study that is over.
pub(crate) struct OneRun<'a> {
    pub(crate) id: String,
    pub(crate) folder: PathBuf,
    pub(crate) experiment: &'a dyn Experiment,
    pub(crate) outcome: Outcome,
    /// Its champion in fresh games.
    pub(crate) measured: Measurement,
    /// How long it worked.
    pub(crate) seconds: f64,
}

impl<'a> OneRun<'a> {
    pub(crate) fn of(study: &'a Study, ran: &StudyRun) -> Result<Self, Failure> {
        let run = &study.runs()[0];
        let place = ran.folder.run(&run.folder);
        let missing = || anyhow::anyhow!("{} has no champion", run.name.id);
        let outcome = place.outcome()?.ok_or_else(missing)?;
        let experiment = &*study.settings[run.setting].experiment;
        let plan = experiment.measured(run.seed, &outcome);
        let plan = plan.ok_or_else(missing)?;
        let seconds = place.status(false)?.map_or(0.0, |status| status.seconds);
        let records = records(&plan, &place.path)?;
        Ok(Self {
            id: run.name.id.clone(),
            experiment,
            outcome,
            measured: plan.sum_up(&records, Duration::from_secs_f64(seconds)),
            seconds,
            folder: place.path,
        })
    }
}

/// How the output of such a command ends: where the champion is, and what to look at next.
pub(crate) fn ending(
    what: &str,
    place: &Path,
    results: &Results,
    page: Option<&PathBuf>,
) -> String {
    let place = place.display();
    let page = page.map_or(String::new(), |page| {
        let (page, next) = (page.display(), next_steps(results));
        format!("The report is in {page}\n{next}")
    });
    format!("\nThe {what} is in {place}: use it as --player {place}\n{page}")
}

fn as_options(flaws: &Flaws, options: &[(&str, &str)]) -> Failure {
    let messages =
        flaws.flaws.iter().map(
            |flaw| match options.iter().find(|(key, _)| *key == flaw.key) {
                Some((_, option)) => format!("{option}: {}", flaw.message),
                None => flaw.message.clone(),
            },
        );
    Failure::Usage(messages.collect::<Vec<_>>().join("\n"))
}

/// What would be written over is not.
pub(crate) fn check_free(directory: &Path, names: &[&str]) -> Result<(), Failure> {
    let taken = names.iter().find(|name| directory.join(name).exists());
    taken.map_or(Ok(()), |name| {
        Err(Failure::Usage(format!(
            "--out {}: {name} exists already; choose another directory",
            directory.display()
        )))
    })
}

/// Copies a file of a run to a directory, which is created.
pub(crate) fn copy(run: &Path, name: &str, out: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let to = out.join(name);
    std::fs::copy(run.join(name), &to).with_context(|| format!("cannot write {}", to.display()))?;
    Ok(())
}

/// Writes the history of a run as a table.
pub(crate) fn write_history(results: &Results, run: &str, path: &Path) -> Result<(), Failure> {
    let file =
        std::fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let csv = FORMATS.iter().find(|format| format.name == "csv");
    let csv = csv.expect("csv is a format");
    export(results, Some(run), csv, &mut std::io::BufWriter::new(file))?;
    Ok(())
}

/// The champion beside players that were neither evolved nor trained.
pub(crate) fn beside(results: &Results) -> String {
    let others = baselines(results);
    let champion = results.settings[0].metrics.get(&results.metric);
    let (false, Some(champion)) = (others.is_empty(), champion) else {
        return String::new();
    };
    let mut table = Table::new([
        "for comparison",
        &format!("{}, 95 % interval", results.metric),
    ]);
    let found = match results.is_training() {
        true => "the network",
        false => "the champion",
    };
    table.row([
        found.to_owned(),
        with_interval(champion.value, champion.ci95),
    ]);
    for (player, value) in others {
        table.row([player, value]);
    }
    format!("\n{}", table.render())
}
