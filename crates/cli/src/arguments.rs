//! The command line as a whole: which commands there are.

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::commands::{
    algorithms, bench, cloud, cluster, compare, completions, evolve, export, fsck, games, measure,
    perft, play, players, report, resume, rm, run, runs, serve, show, solve, study, tournament,
    train, verify, watch, worker,
};
use crate::rules;

const EXAMPLES: &str = "\
Examples:
  gamete play 2048
  gamete watch tetris --player weighted
  gamete measure 2048 --player expectimax --games 100
  gamete match connect 'alphabeta(depth=5)' mcts random
  gamete evolve 2048
  gamete train 2048
  gamete run studies/quick/2048.toml
  gamete serve

'gamete COMMAND --help' explains a command and shows examples; 'gamete COMMAND GAME --help' also lists the rules \
that can be set. Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.";

/// The commands by what people use them for; every command is in one group.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Play", &["play", "watch", "serve"]),
    (
        "Measure",
        &["measure", "match", "solve", "players", "games"],
    ),
    (
        "Evolve, train and study",
        &["evolve", "train", "algorithms", "study", "run", "resume"],
    ),
    (
        "Runs",
        &["runs", "show", "report", "compare", "export", "fsck", "rm"],
    ),
    ("More machines", &["cluster", "worker", "cloud"]),
    ("Check", &["bench", "verify", "perft"]),
    ("Shell", &["completions", "help"]),
];

/// What clap says of the command that it adds.
const ABOUT_HELP: &str = "Print this message, or the help of a command";

/// A laboratory for game-playing agents: play, measure, evolve and train players of 2048, Tetris and Connect-N.
#[derive(Debug, Parser)]
#[command(name = "gamete", version, after_help = EXAMPLES, arg_required_else_help = true, max_term_width = 100)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Arguments {
    /// Reads the command line. Help shows commands in groups and, of a command, the rules of the game that is named.
    pub(crate) fn read(words: &[OsString]) -> Result<Self, clap::Error> {
        let command = rules::show_those_of_named_game(grouped(Self::command()), words);
        Self::from_arg_matches(&command.try_get_matches_from(words)?)
    }
}

fn grouped(command: clap::Command) -> clap::Command {
    let heading = command.get_styles().get_header().to_owned();
    let about = |name: &&str| {
        let about = command
            .find_subcommand(name)
            .and_then(clap::Command::get_about);
        let about = about.map_or(ABOUT_HELP.to_owned(), ToString::to_string);
        format!("  {name:12} {about}\n")
    };
    let group = |(title, names): &(&str, &[&str])| {
        let lines: String = names.iter().map(about).collect();
        format!("{heading}{title}:{heading:#}\n{lines}\n")
    };
    let groups: String = GROUPS.iter().map(group).collect();
    let options = format!("{heading}Options:{heading:#}");
    command.help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{groups}{options}\n{{options}}{{after-help}}\n"
    ))
}

/// Everything gamete can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a game yourself, in the terminal
    Play(play::Arguments),
    /// Watch a player play a game, move by move
    Watch(watch::Arguments),
    /// Measure a player in many games: mean, interval, distribution
    Measure(measure::Arguments),
    /// Rate players against each other, and say who is better
    Match(tournament::Arguments),
    /// Find the weights or the program of a player by evolution
    Evolve(Box<evolve::Arguments>),
    /// Let a network learn a game by playing it
    Train(Box<train::Arguments>),
    /// Run or resume a study, and write its report
    Run(run::Arguments),
    /// List all runs with their state
    Runs(runs::Arguments),
    /// Show a study or a run in detail
    Show(show::Arguments),
    /// Resume interrupted studies
    Resume(resume::Arguments),
    /// Write the report of a study
    Report(report::Arguments),
    /// Compare studies, settings or runs, and say whether they differ
    Compare(compare::Arguments),
    /// Export run data for other programs
    Export(export::Arguments),
    /// Check the files of studies and runs, and repair what is damaged
    Fsck(fsck::Arguments),
    /// Remove studies or runs
    Rm(rm::Arguments),
    /// Open the page in your browser: play, watch, follow and start runs
    Serve(serve::Arguments),
    /// Start or stop a server for workers, show it, or write job files
    Cluster(cluster::Arguments),
    /// Play games for studies that are run elsewhere
    Worker(worker::Arguments),
    /// Run a study on rented machines: estimate the cost, start, follow, stop
    Cloud(cloud::Arguments),
    /// Write a study file, check one, or print the schema for editors
    Study(study::Arguments),
    /// List presets, algorithms and operators of evolution, or explain one
    Algorithms(algorithms::Arguments),
    /// Find the exact value of a Connect-N position
    Solve(solve::Arguments),
    /// List the players, or explain one
    Players(players::Arguments),
    /// Compare the speed of the fast boards with that of the plain ones
    Bench(bench::Arguments),
    /// Check evolution against reference implementations
    Verify(verify::Arguments),
    /// Count paths or positions of an exact length, to check the rules
    Perft(perft::Arguments),
    /// List the games, or the rules that can be set in one
    Games(games::Arguments),
    /// Print the completion script of a shell
    Completions(completions::Arguments),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group_of_the_help() {
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        grouped.sort_unstable();
        let command = Arguments::command();
        let mut all: Vec<&str> = command
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect();
        all.push("help");
        all.sort_unstable();
        assert_eq!(grouped, all);
    }

    /// Text that is wrapped in the source would be wrapped again where a terminal is narrower.
    #[test]
    fn help_is_wrapped_once() {
        fn check(command: &clap::Command) {
            let text = command
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
            let lines: Vec<&str> = text.lines().collect();
            for pair in lines.windows(2) {
                let twice = is_prose(pair[0]) && is_prose(pair[1]);
                assert!(!twice, "{}: join these lines: {pair:?}", command.get_name());
            }
            for example in lines.iter().filter(|line| line.starts_with(' ')) {
                assert!(
                    example.len() <= 100,
                    "{}: too long: {example}",
                    command.get_name()
                );
            }
            command.get_subcommands().for_each(check);
        }
        check(&Arguments::command());
    }

    fn help(words: &[&str]) -> String {
        let words: Vec<OsString> = words.iter().map(Into::into).collect();
        Arguments::read(&words)
            .expect_err("help is no command")
            .to_string()
    }

    #[test]
    fn help_lists_the_rules_of_the_game_at_hand_only() {
        let of_tetris = help(&["gamete", "measure", "tetris", "--help"]);
        assert!(of_tetris.contains("--gravity") && !of_tetris.contains("--four"));
        let of_none = help(&["gamete", "measure", "--help"]);
        assert!(!of_none.contains("--gravity") && of_none.contains("--help' lists its rules"));
        let of_solve = help(&["gamete", "solve", "--help"]);
        assert!(of_solve.contains("--pieces") && !of_solve.contains("--gravity"));
    }
}
