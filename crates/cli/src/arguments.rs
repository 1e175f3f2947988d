//! The command line as a whole: which commands there are.

use clap::{Parser, Subcommand};

use crate::commands::{
    algorithms, bench, cloud, cluster, compare, completions, evolve, export, fsck, games, measure,
    perft, play, players, report, resume, rm, run, runs, serve, show, solve, study, tournament,
    verify, watch, worker,
};

const EXAMPLES: &str = "\
Examples:
  gamete play 2048
  gamete watch tetris --player random
  gamete measure tetris --player random --games 1000
  gamete match connect --players 'alphabeta(depth=5)' random --games 100
  gamete evolve 2048
  gamete run studies/quick/2048.toml
  gamete study new tetris > my-study.toml
  gamete serve
  gamete solve connect 44535331
  gamete players 2048
  gamete perft connect 8
  gamete games 2048

'gamete COMMAND --help' shows examples of a command.
Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.";

/// A laboratory for game-playing agents: play, measure and evolve players of 2048, Tetris and Connect-N.
#[derive(Debug, Parser)]
#[command(name = "gamete", version, after_help = EXAMPLES, arg_required_else_help = true, max_term_width = 100)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Everything gamete can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a game yourself, in the terminal
    Play(play::Arguments),
    /// Watch a player play a game, move by move
    Watch(watch::Arguments),
    /// Let a player play many games and print statistics
    Measure(measure::Arguments),
    /// Let players play each other and print who is better
    Match(tournament::Arguments),
    /// Find the weights or the program of a player by evolution
    Evolve(Box<evolve::Arguments>),
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
    /// Serve the page: play, watch and follow runs in the browser
    Serve(serve::Arguments),
    /// Start a server for workers, look at it, stop it, or write job files for them
    Cluster(cluster::Arguments),
    /// Play games for studies that are run elsewhere
    Worker(worker::Arguments),
    /// Run a study on rented machines: what it costs, start, follow, end
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
