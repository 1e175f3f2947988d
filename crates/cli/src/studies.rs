//! What the commands on studies and runs share: errors, how results are shown, and how a study ends.

use std::path::{Path, PathBuf};

use lab::run::best_game::BEST_GAME;
use lab::run::context::RunError;
use lab::run::outcome::SELECTED;
use lab::runner::StudyRun;
use lab::store::baselines::Baseline;
use lab::store::{IndexError, StoreError};
use lab::study::{Study, StudyError};
use play::numbers::{figure, listed, with_interval};
use report::results::{Results, RunResults};

use crate::output::{Failure, Table, harmless, in_line, print, print_to_stderr};
use crate::runs_dir::RUNS;

impl From<StudyError> for Failure {
    fn from(error: StudyError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unknown { .. }
            | StoreError::Absent { .. }
            | StoreError::Locked(_)
            | StoreError::Study(_) => Self::Usage(error.to_string()),
            other => Self::Failed(other.into()),
        }
    }
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Store(error) => error.into(),
            other => Self::Failed(other.into()),
        }
    }
}

/// Writes the report, sends the study's notifications, and prints what came out.
pub(crate) fn end(study: &Study, ran: &StudyRun) -> Result<(), Failure> {
    let (results, files) = report_and_notify(study, ran)?;
    let printed = print_results(&results, files.first());
    // Whether anybody listened or not, a failure is a failure.
    check_finished(study, ran)?;
    printed
}

/// Writes the report and sends the study's notifications; those that fail are warned about.
pub(crate) fn report_and_notify(
    study: &Study,
    ran: &StudyRun,
) -> Result<(Results, Vec<PathBuf>), Failure> {
    let (results, files, errors) = notify::report_and_notify(study, ran)?;
    for error in errors {
        print_to_stderr(format_args!("warning: {}", harmless(&error.to_string())));
    }
    Ok((results, files))
}

/// Fails if the study is not finished, and says how to resume it.
pub(crate) fn check_finished(study: &Study, ran: &StudyRun) -> Result<(), Failure> {
    if let Some((run, error)) = ran.failed.first() {
        let more = match ran.failed.len() {
            1 => String::new(),
            several => format!(" (and {} others)", several - 1),
        };
        let name = &study.name;
        return Err(Failure::Failed(match error {
            RunError::Damaged(_) => anyhow::anyhow!(
                "{run} is damaged{more}: {error}. 'gamete fsck {name} --repair' repairs it"
            ),
            _ => anyhow::anyhow!(
                "{run} failed{more}: {error}. 'gamete resume {name}' tries again where it stopped"
            ),
        }));
    }
    if ran.interrupted {
        let _ = print(&format!("'gamete resume {}' continues.\n", study.name));
        return Err(Failure::Interrupted);
    }
    Ok(())
}

/// Fails if files of runs are damaged, and names them.
pub(crate) fn check_whole(results: &Results) -> Result<(), Failure> {
    let damaged = |run: &RunResults| format!("{} is damaged: {}", run.id, run.damage.join("; "));
    let damaged: Vec<String> = results.damaged().map(damaged).collect();
    if damaged.is_empty() {
        return Ok(());
    }
    let (study, damaged) = (&results.study, damaged.join("\n"));
    Err(Failure::Failed(anyhow::anyhow!(
        "{damaged}\n'gamete fsck {study} --repair' repairs it"
    )))
}

fn print_results(results: &Results, page: Option<&PathBuf>) -> Result<(), Failure> {
    print(&render_results(results))?;
    match page {
        Some(page) => print(&format!(
            "\nThe report is in {}\n{}",
            page.display(),
            next_steps(results)
        )),
        None => Ok(()),
    }
}

/// What to look at now.
pub(crate) fn next_steps(results: &Results) -> String {
    let best = results.best_run().map(|run| run.path.join(BEST_GAME));
    let best = best.filter(|game| game.is_file());
    let watch = best.map_or(String::new(), |game| {
        format!(
            "Watch the best game: gamete watch --replay {}\n",
            game.display()
        )
    });
    let root = results.settings.iter().flat_map(|setting| &setting.runs);
    let root = root
        .map(|run| run.path.as_path())
        .find_map(|run| run.parent()?.parent());
    let elsewhere = root.filter(|root| *root != Path::new(RUNS));
    let elsewhere = elsewhere.map_or(String::new(), |root| {
        format!(" --runs-dir {}", root.display())
    });
    format!("{watch}See it in the browser: gamete serve{elsewhere}\n")
}

/// Results as a person reads them.
pub(crate) fn render_results(results: &Results) -> String {
    let mut text = format!(
        "{}: {} of {} runs finished\n\n",
        results.study, results.finished, results.runs
    );
    text += &settings(results);
    let verdict = Some(&results.comparison.verdict).filter(|verdict| !verdict.is_empty());
    let sentences = verdict.into_iter().chain(&results.remarks);
    for (place, sentence) in sentences.enumerate() {
        text += if place == 0 { "\n" } else { "" };
        text += &format!("{}\n", in_line(sentence));
    }
    text + &best_genome(results)
}

fn settings(results: &Results) -> String {
    let selected = results
        .settings
        .iter()
        .any(|setting| setting.metrics.contains_key(SELECTED));
    let is_published = results
        .settings
        .iter()
        .any(|setting| setting.published.contains_key(&results.metric));
    let with = format!("{}, 95 % interval", results.metric);
    let mut head = vec!["setting", "runs"];
    head.extend(selected.then_some(SELECTED));
    head.push(&with);
    head.extend(is_published.then_some("published"));
    let mut table = Table::with_head(&head);
    for setting in &results.settings {
        let value = setting.metrics.get(&results.metric);
        let mut row = vec![
            setting.name().to_owned(),
            value.map_or(0, |value| value.n).to_string(),
        ];
        let at = setting
            .metrics
            .get(SELECTED)
            .map_or("-".to_owned(), |a| figure(a.value));
        row.extend(selected.then_some(at));
        row.push(value.map_or("-".to_owned(), |a| with_interval(a.value, a.ci95)));
        let published = setting
            .published
            .get(&results.metric)
            .map_or(String::new(), |&v| figure(v));
        row.extend(is_published.then_some(published));
        table.add(row);
    }
    for (player, value) in baselines(results) {
        let mut row = vec![player, "-".to_owned()];
        row.extend(selected.then(|| "-".to_owned()));
        row.push(value);
        row.extend(is_published.then(String::new));
        table.add(row);
    }
    table.render()
}

/// The players that were not evolved, with their main metric.
pub(crate) fn baselines(results: &Results) -> Vec<(String, String)> {
    let row = |baseline: &Baseline| {
        let value = baseline.metrics.get(&results.metric)?;
        let value = with_interval(value.value, value.ci95);
        Some((baseline.player.clone(), value))
    };
    results.baselines.iter().filter_map(row).collect()
}

/// The genome of the best run, where no player carries it.
fn best_genome(results: &Results) -> String {
    let best = results.best_run();
    let genome = best.and_then(|run| Some((run, run.outcome.as_ref()?.genome.as_ref()?)));
    genome.map_or(String::new(), |(run, genome)| {
        let genes = genome.iter().map(|(name, value)| (name.clone(), *value));
        format!("\nThe best genome ({}): {}\n", run.id, listed(genes))
    })
}
