//! `gamete solve`: the exact value of a Connect-N position and of every move in it.

mod answer;
mod file;
mod progress;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use games::AnyGame;
use play::helpers::Helpers;
use play::solution::{self, Question, Solution, read_board};
use players::solver::{AnySolver, Board, Budget, Config, MoveScore};

use self::progress::Progress;
use crate::counts::from_to;
use crate::output::{Failure, print, print_json};
use crate::progress::threads;
use crate::rules::GameArguments;

const EXAMPLES: &str = "\
A position is the columns played so far, e.g. 4453 (with dashes beyond nine columns: 10-3-10), or a board as text. \
The score is positive if the player to move wins: the number of own pieces left unplayed, including the \
winning one; negative if the opponent wins; 0 for a draw.

Examples:
  gamete solve connect 44535331
  gamete solve connect --rows 4 --cols 5 --connect 3
  gamete solve connect '..../..../.xo./xox.' --rows 4 --cols 4
  gamete solve connect 4 --no-book --seconds 5 --weak
  gamete solve connect --positions positions.txt";

/// Arguments of `gamete solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The position [default: the empty board]
    #[arg(default_value = "", hide_default_value = true)]
    position: String,
    /// Solve every line of this file ('moves score') and print how many agree
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    positions: Option<PathBuf>,
    /// Find only whether it is won, drawn or lost, which is faster
    #[arg(long)]
    weak: bool,
    /// Stop after this many positions
    #[arg(long, value_name = "N", value_parser = from_to::<u64>(1, u64::MAX))]
    nodes: Option<u64>,
    /// Stop after this many seconds
    #[arg(long, value_name = "S", value_parser = crate::commands::bench::positive)]
    seconds: Option<f64>,
    /// Search even where the opening book has the answer (files of positions are always searched)
    #[arg(long)]
    no_book: bool,
    /// Size of the transposition table, as a power of two
    #[arg(long, value_name = "BITS", default_value_t = 24, value_parser = clap::value_parser!(u32).range(10..=30))]
    table: u32,
    /// Number of threads; the values are the same for any (files of positions, and --nodes, always use one) [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Solves and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let game = arguments.game.build()?;
    if let Some(path) = &arguments.positions {
        let summary = file::solve(
            &mut solver(&game, arguments, Book::Closed)?,
            path,
            arguments,
        )?;
        return if arguments.json {
            print_json(&summary)
        } else {
            print(&summary.text())
        };
    }
    let book = if arguments.no_book {
        Book::Closed
    } else {
        Book::Open
    };
    let mut solver = solver(&game, arguments, book)?;
    let board = read(&solver, &arguments.position)?;
    let solution = solve(&mut solver, &board, arguments);
    if arguments.json {
        return print_json(&solution);
    }
    let advice = if arguments.weak {
        "Give it more --seconds or --nodes."
    } else {
        "Give it more --seconds or --nodes, or ask for --weak."
    };
    print(&answer::text(&solution, &board, advice))
}

/// May the first moves be looked up?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Book {
    Open,
    Closed,
}

fn solver(game: &AnyGame, arguments: &Arguments, book: Book) -> Result<AnySolver, Failure> {
    let config = Config {
        table: arguments.table,
        book: book == Book::Open,
        ..Config::default()
    };
    let name = game.family().name;
    AnySolver::new(game, config)
        .ok_or_else(|| Failure::Usage(format!("{name} cannot be solved; only connect can")))
}

fn read(solver: &AnySolver, text: &str) -> Result<Board, Failure> {
    Ok(read_board(solver, text)?)
}

fn solve(solver: &mut AnySolver, board: &Board, arguments: &Arguments) -> Solution {
    let started = Instant::now();
    let progress = Progress::new(started);
    let deadline = deadline(started, arguments);
    let stop = || {
        progress.tick();
        deadline()
    };
    let question = match arguments.weak {
        true => Question::Verdict,
        false => Question::Moves,
    };
    let budget = budget(&stop, arguments);
    let tell = &mut |moves: &[MoveScore]| progress.know(moves);
    let helpers = Helpers::new(threads(arguments.threads), arguments.table);
    let solution = solution::solve_with(&helpers, solver, board, question, &budget, tell);
    progress.finish();
    solution
}

fn deadline(started: Instant, arguments: &Arguments) -> impl Fn() -> bool + use<> {
    let limit = arguments.seconds.map(Duration::from_secs_f64);
    move || limit.is_some_and(|limit| started.elapsed() >= limit)
}

fn budget<'a>(stop: &'a dyn Fn() -> bool, arguments: &Arguments) -> Budget<'a> {
    Budget {
        nodes: arguments.nodes,
        stop: Some(stop),
        ..Budget::default()
    }
}
