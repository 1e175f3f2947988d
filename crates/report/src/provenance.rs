//! Where results come from: what ran, when and with which version, how to run it again, and how to cite it.

use lab::run::outcome::SELECTED;
use lab::run::status::Status;
use lab::store::checksum_of;
use lab::study::Study;
use play::numbers::{figure, seconds};

use super::Block;
use crate::results::{Results, SettingResults};

/// The length of the part of the study's hash that is shown.
const HASH: usize = 16;

/// The sections of the report.
pub(crate) fn sections(results: &Results, study: &Study) -> Vec<Block> {
    let statuses: Vec<&Status> = results
        .settings
        .iter()
        .flat_map(|setting| &setting.runs)
        .filter_map(|run| run.status.as_ref())
        .collect();
    let made = Made::of(&statuses, study);
    let short = if study.short { " --short" } else { "" };
    vec![
        Block::Heading("How it ran".to_owned()),
        Block::Text(work(&statuses, results)),
        Block::Text(made.sentence()),
        Block::Text("To run it again, save the study below to a file and run:".to_owned()),
        Block::Command(format!(
            "gamete run {}.toml{short}",
            study.name.trim_end_matches("-short")
        )),
        Block::Command(study.text.clone()),
        Block::Heading("How to cite it".to_owned()),
        Block::Command(made.bibtex(study)),
    ]
}

fn work(statuses: &[&Status], results: &Results) -> String {
    let worked: f64 = statuses.iter().map(|status| status.seconds).sum();
    let threads = statuses.iter().map(|status| status.threads).max();
    let games: f64 = statuses.iter().map(|status| status.games as f64).sum();
    let selects = |setting: &SettingResults| setting.metrics.contains_key(SELECTED);
    let purpose = if results.is_training() {
        " to learn from"
    } else if results.settings.iter().any(selects) {
        " for selection"
    } else {
        ""
    };
    format!(
        "The runs took {} in all, several at a time on {} threads, for {} {}{purpose}. The same study gives the same \
         numbers on any machine and any number of threads; only times differ.",
        seconds(worked),
        threads.unwrap_or(0),
        figure(games),
        results.unit()
    )
}

/// What made the results.
struct Made {
    /// The versions of the program, oldest first.
    versions: Vec<String>,
    /// The day of the last change, as year-month-day; empty if nothing ran.
    day: String,
    /// The study's text, in short.
    hash: String,
    seed: u64,
}

impl Made {
    fn of(statuses: &[&Status], study: &Study) -> Self {
        let mut versions: Vec<String> = statuses.iter().map(|one| one.gamete.clone()).collect();
        versions.sort_unstable();
        versions.dedup();
        let last = statuses.iter().map(|status| status.updated.as_str()).max();
        let day = last.and_then(|time| time.split('T').next());
        let hash = checksum_of(study.text.as_bytes());
        Self {
            versions,
            day: day.unwrap_or_default().to_owned(),
            hash: hash[..HASH.min(hash.len())].to_owned(),
            seed: study.seed,
        }
    }

    fn sentence(&self) -> String {
        let Self {
            versions,
            day,
            hash,
            seed,
        } = self;
        let versions = versions.join(" and ");
        format!(
            "Made with Gamete {versions}, seed {seed}, finished on {day}. The study's text has the SHA-256 {hash}..."
        )
    }

    /// An entry for a bibliography.
    fn bibtex(&self, study: &Study) -> String {
        let name = &study.name;
        let title = match study.question.as_str() {
            "" => name.clone(),
            question => format!("{name}: {question}"),
        };
        // Braces and backslashes would end or change the entry.
        let title: String = title.chars().filter(|c| !"{}\\".contains(*c)).collect();
        let year = self.day.split('-').next().unwrap_or_default();
        let (versions, hash, seed) = (self.versions.join(" and "), &self.hash, self.seed);
        format!(
            "@misc{{gamete-{name},\n  title = {{{title}}},\n  howpublished = {{Study run with Gamete {versions}, seed {seed}}},\n  \
             note = {{SHA-256 of the study: {hash}}},\n  year = {{{year}}}\n}}\n"
        )
    }
}
