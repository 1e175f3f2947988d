//! How an external program is run, and the genes it scores.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The longest time limit: a day.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// An external program as the fitness function.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The shell command that starts the program.
    pub command: String,
    /// The folder to start it in; by default the current one.
    pub folder: Option<PathBuf>,
    /// Its genes. All are real numbers.
    pub genes: Genes,
    /// Lowest initial value of a gene. Genes may leave the range later.
    pub low: f64,
    /// Highest initial value.
    pub high: f64,
    /// Whether to maximise or minimise.
    pub goal: Goal,
    /// Time limit per answer; the first one of a copy includes its start.
    pub time_limit: Duration,
    /// How often a request is repeated after a crash, a timeout or an invalid answer. The copy is restarted first.
    pub retries: u32,
    /// Copies running in parallel.
    pub copies: usize,
}

/// The genes of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Genes {
    /// Unnamed genes.
    Count(usize),
    /// Genes with these names.
    Named(Vec<String>),
}

/// Whether to maximise or minimise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Higher is better.
    #[default]
    Highest,
    /// Lower is better.
    Lowest,
}

/// Invalid settings.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// No command.
    #[error("exec needs a command, like exec = \"python3 mysim.py\"")]
    NoCommand,
    /// No genes.
    #[error("a program needs genes: genes = 10, or names = [\"a\", \"b\"]")]
    NoGenes,
    /// Two genes with the same name.
    #[error("names: two genes are called '{0}'")]
    SameName(String),
    /// The initial range is empty.
    #[error("low = {low}, high = {high}: low must be less than high, both finite")]
    Range {
        /// The lowest value.
        low: f64,
        /// The highest one.
        high: f64,
    },
    /// The time limit is out of range.
    #[error("time-limit = {}: must be a time from 1ms to 24h, like 500ms or 10s", humantime::format_duration(*.0))]
    TimeLimit(Duration),
    /// No copies.
    #[error("copies = 0: at least one copy of the program must run")]
    NoCopies,
}

impl Settings {
    /// A program with default settings: maximise, 10 s per answer, 2 retries, one copy.
    #[must_use]
    pub fn new(command: impl Into<String>, genes: Genes, low: f64, high: f64) -> Self {
        Self {
            command: command.into(),
            folder: None,
            genes,
            low,
            high,
            goal: Goal::default(),
            time_limit: Duration::from_secs(10),
            retries: 2,
            copies: 1,
        }
    }

    /// Are the settings valid?
    pub fn check(&self) -> Result<(), SettingsError> {
        let (low, high) = (self.low, self.high);
        if self.command.trim().is_empty() {
            return Err(SettingsError::NoCommand);
        }
        self.genes.check()?;
        if !(low.is_finite() && high.is_finite() && low < high) {
            return Err(SettingsError::Range { low, high });
        }
        if !(Duration::from_millis(1)..=LONGEST).contains(&self.time_limit) {
            return Err(SettingsError::TimeLimit(self.time_limit));
        }
        if self.copies == 0 {
            return Err(SettingsError::NoCopies);
        }
        Ok(())
    }
}

impl Genes {
    /// The number of genes.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Self::Count(count) => *count,
            Self::Named(names) => names.len(),
        }
    }

    /// Their names, by default x1, x2 and so on.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        match self {
            Self::Count(count) => (1..=*count).map(|gene| format!("x{gene}")).collect(),
            Self::Named(names) => names.clone(),
        }
    }

    fn check(&self) -> Result<(), SettingsError> {
        if self.count() == 0 {
            return Err(SettingsError::NoGenes);
        }
        if let Self::Named(names) = self {
            let mut sorted: Vec<&String> = names.iter().collect();
            sorted.sort_unstable();
            if let Some(same) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(SettingsError::SameName(same[0].clone()));
            }
        }
        Ok(())
    }
}

impl Goal {
    /// The score of a fitness: higher is better.
    #[must_use]
    pub fn score(self, fitness: f64) -> f64 {
        match self {
            Self::Highest => fitness,
            // Not `-fitness`, which would turn 0 into -0.
            Self::Lowest => 0.0 - fitness,
        }
    }

    /// The fitness of a score, as the program reports it. Valid for means as well.
    #[must_use]
    pub fn fitness(self, score: f64) -> f64 {
        self.score(score)
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Highest => "highest",
            Self::Lowest => "lowest",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_settings_are_refused_with_what_is_right() {
        let check = |change: &dyn Fn(&mut Settings), part: &str| {
            let mut settings = Settings::new("a", Genes::Count(2), 0.0, 1.0);
            assert_eq!(settings.check(), Ok(()));
            change(&mut settings);
            let error = settings.check().unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        };
        check(&|s| s.command = " ".into(), "exec needs a command");
        check(&|s| s.genes = Genes::Count(0), "genes = 10, or names");
        let twice = Genes::Named(["a", "b", "a"].map(String::from).to_vec());
        check(&|s| s.genes = twice.clone(), "two genes are called 'a'");
        check(&|s| s.low = 1.0, "low must be less than high");
        check(&|s| s.high = f64::NAN, "both finite");
        check(&|s| s.time_limit = Duration::ZERO, "from 1ms to 24h");
        check(&|s| s.copies = 0, "at least one copy");
    }

    #[test]
    fn scores_turn_back_into_fitness() {
        for goal in [Goal::Highest, Goal::Lowest] {
            assert_eq!(goal.fitness(goal.score(3.5)), 3.5);
            assert!(goal.score(0.0).is_sign_positive());
            let text = serde_json::to_value(goal).unwrap();
            assert_eq!(text, goal.to_string());
        }
        assert!(Goal::Lowest.score(1.0) > Goal::Lowest.score(2.0));
        assert!(Goal::Highest.score(1.0) < Goal::Highest.score(2.0));
    }

    #[test]
    fn genes_without_names_are_numbered() {
        assert_eq!(Genes::Count(2).names(), ["x1", "x2"]);
        assert_eq!(Genes::Named(vec!["kp".into()]).names(), ["kp"]);
    }
}
