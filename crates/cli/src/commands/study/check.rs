//! `gamete study check`: what is wrong with a study, or what it will do.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use lab::check::Checked;
use lab::study::estimate::Estimate;
use lab::study::flaw::Flaws;
use lab::study::kind::Replication;
use lab::study::{Form, Setting, Study, StudyError};
use play::openings::Openings;
use play::playing::Workers;
use serde_json::{Value as Json, json};

use crate::output::{Failure, number, print, print_json};
use crate::progress::threads;
use crate::runs_dir::RunsDir;

/// Arguments of `gamete study check`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The study file
    study: PathBuf,
    #[command(flatten)]
    runs_dir: RunsDir,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Check what 'gamete run --short' would do
    #[arg(long)]
    short: bool,
    /// Number of threads of the run [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// A study, how far it is, and how long the rest will take.
struct Shown {
    study: Study,
    checked: Checked,
    estimate: Estimate,
    threads: usize,
}

/// Checks the study.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let form = if arguments.short {
        Form::Short
    } else {
        Form::Whole
    };
    let study = match Study::read(&arguments.study, form) {
        Ok(study) => study,
        Err(StudyError::Flaws(flaws)) if arguments.json => {
            print_json(&flaws_as_json(&flaws))?;
            return Err(StudyError::Flaws(flaws).into());
        }
        Err(error) => return Err(error.into()),
    };
    let store = arguments.runs_dir.store();
    let (checked, threads) = (Checked::of(&study, &store), threads(arguments.threads));
    let estimate = checked.estimate(&study, &Workers::new(threads)?);
    let shown = Shown {
        estimate: estimate.map_err(|error| Failure::Failed(error.into()))?,
        study,
        checked,
        threads,
    };
    if arguments.json {
        print_json(&shown.as_json())
    } else {
        print(&shown.as_text())
    }
}

fn flaws_as_json(flaws: &Flaws) -> Json {
    let flaw = |flaw: &lab::study::flaw::Flaw| json!({"line": flaws.line(flaw), "key": flaw.key, "message": flaw.message});
    let all: Vec<Json> = flaws.flaws.iter().map(flaw).collect();
    json!({"file": flaws.file, "flaws": all})
}

fn changes(setting: &Setting) -> String {
    let changes = setting.changes.iter();
    let changes: Vec<String> = changes
        .map(|(key, value)| format!("{key} = {value}"))
        .collect();
    changes.join(", ")
}

impl Shown {
    fn as_json(&self) -> Json {
        let setting = |setting: &Setting| {
            let changes: serde_json::Map<String, Json> = setting.changes.iter().cloned().collect();
            json!({"label": setting.label, "changes": changes, "games_at_most": setting.experiment.games(), "openings": setting.experiment.openings()})
        };
        let settings: Vec<Json> = self.study.settings.iter().map(setting).collect();
        json!({
            "name": self.study.name,
            "question": self.study.question,
            "kind": self.study.kind.name,
            "settings": settings,
            "repeats": self.study.repeats,
            "runs": self.checked.runs.len(),
            "runs_over": self.checked.runs.len() - self.checked.left.len(),
            "changed": self.checked.changed,
            "folder": self.checked.folder,
            "games_at_most": self.checked.games,
            "seconds": self.estimate.time.as_secs_f64(),
            "settings_tried": self.estimate.tried,
            "threads": self.threads,
        })
    }

    fn as_text(&self) -> String {
        let Study {
            name,
            question,
            kind,
            ..
        } = &self.study;
        let mut lines = vec![("study", name.clone())];
        if !question.is_empty() {
            lines.push(("question", question.clone()));
        }
        lines.push(("kind", format!("{}: {}", kind.name, kind.about)));
        lines.push(("settings", self.settings_line()));
        let head = lines.iter().map(|(what, text)| line(what, text));
        let mut text: String = head.collect();
        text += &self.settings_table();
        if let Some(openings) = self.openings_line() {
            text += &line("openings", &openings);
        }
        if let Some(games) = self.checked.games {
            let most = format!("{} at most", number(games as f64, 0));
            text += &line(self.study.unit(), &most);
        }
        text + &line("time", &self.time_line()) + &line("runs", &self.runs_line())
    }

    fn settings_line(&self) -> String {
        let (settings, repeats) = (self.study.settings.len(), self.study.repeats);
        let runs = self.checked.runs.len();
        match settings {
            1 => format!("1, repeated {}: {}", times(repeats), counted(runs, "run")),
            _ => format!("{settings}, each repeated {}: {runs} runs", times(repeats)),
        }
    }

    fn settings_table(&self) -> String {
        if self.study.settings.len() < 2 {
            return String::new();
        }
        let shown = || self.study.settings.iter().take(MOST_SHOWN);
        let width = shown().map(|setting| setting.label.chars().count()).max();
        let width = width.unwrap_or(0).max("setting".len());
        let row = |label: &str, changes: &str| format!("  {label:<width$}  {changes}\n");
        let rows = shown().map(|setting| row(&setting.label, &changes(setting)));
        let table = row("setting", "what is different") + &rows.collect::<String>();
        let more = self.study.settings.len().saturating_sub(MOST_SHOWN);
        let more = match more {
            0 => String::new(),
            more => format!("  and {more} more\n"),
        };
        table + &more
    }

    /// Where games begin, if any setting's do not begin at the start.
    fn openings_line(&self) -> Option<String> {
        let openings = self.study.settings.iter().map(|setting| {
            let openings = setting.experiment.openings();
            openings.unwrap_or_else(|| Openings::None.to_string())
        });
        let different: Vec<String> = BTreeSet::from_iter(openings).into_iter().collect();
        let at_start = different == [Openings::None.to_string()];
        (!at_start).then(|| different.join("; "))
    }

    fn time_line(&self) -> String {
        if self.checked.left.is_empty() {
            return "none: all runs are finished".to_owned();
        }
        let tried = match (self.estimate.tried, self.study.settings.len()) {
            (tried, all) if tried < all => {
                format!(
                    "; {tried} of {all} settings were tried, the others judged by their number of games"
                )
            }
            _ => String::new(),
        };
        // What was tried are the first generations, whose players die young.
        let is_evolved = |setting: &Setting| {
            let experiment = &setting.experiment;
            experiment.replication() == Replication::Runs && experiment.game().is_some()
        };
        let longer = if self.study.settings.iter().any(is_evolved) {
            ", and longer if players that become better play longer games"
        } else {
            ""
        };
        format!(
            "about {} on {}{longer}{tried}",
            rough(self.estimate.time),
            counted(self.threads, "thread")
        )
    }

    fn runs_line(&self) -> String {
        let over = self.checked.runs.len() - self.checked.left.len();
        let folder = self.checked.folder.display();
        match &self.checked.changed {
            Some(changed) => changed.clone(),
            None if !self.checked.folder.join(lab::store::STUDY).is_file() => {
                format!("none yet; they will be in {folder}")
            }
            None => format!(
                "{over} of {} are finished, in {folder}",
                self.checked.runs.len()
            ),
        }
    }
}

/// More settings would fill the screen.
const MOST_SHOWN: usize = 40;

fn line(what: &str, text: &str) -> String {
    format!("{what:<11} {text}\n")
}

fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// A time that does not promise more than is known.
fn rough(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        s if s < 1.5 => "a second".to_owned(),
        s if s < 90.0 => format!("{s:.0} seconds"),
        s if s < 90.0 * 60.0 => format!("{:.0} minutes", s / 60.0),
        s if s < 48.0 * 3600.0 => format!("{:.1} hours", s / 3600.0),
        s => format!("{:.1} days", s / 86400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rough() {
        let texts = [
            (0.2, "a second"),
            (1.2, "a second"),
            (1.7, "2 seconds"),
            (120.0, "2 minutes"),
        ];
        for (seconds, text) in texts {
            assert_eq!(rough(Duration::from_secs_f64(seconds)), text);
        }
    }
}
