//! `gamete solve`: the exact value of a Connect-N position and of every move in it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use games::connect::{Bits, Connect, Position};
use games::{AnyGame, Game};
use players::solver::{Budget, Config, MoveScore, Solver, Verdict};
use serde::Serialize;

use crate::output::{Failure, Table, number, print, print_json, seconds};
use crate::rules::GameArguments;

const EXAMPLES: &str = "\
A position is the columns played so far, e.g. 4453 (with dashes beyond nine columns: 10-3-10), or a board as text.
The score is positive if the player to move wins: the number of own pieces left unplayed, the winning one counted
in; negative if the opponent wins; 0 for a draw.

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
    /// The position; the empty board if there is none
    #[arg(default_value = "", hide_default_value = true)]
    position: String,
    /// Solve every line of this file ('moves score') and tell how many agree
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    positions: Option<PathBuf>,
    /// Ask only whether it is won, drawn or lost, which is quicker
    #[arg(long)]
    weak: bool,
    /// Stop after this many positions looked at
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Stop after this many seconds
    #[arg(long, value_name = "S", value_parser = crate::commands::bench::positive)]
    seconds: Option<f64>,
    /// Search even where the opening book has the answer (files of positions are always searched)
    #[arg(long)]
    no_book: bool,
    /// Positions to remember, as a power of two
    #[arg(long, value_name = "BITS", default_value_t = 24, value_parser = clap::value_parser!(u32).range(10..=30))]
    table: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Solves and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match arguments.game.build()? {
        AnyGame::Connect(game) => Questions {
            game: &game,
            arguments,
        }
        .answer(),
        AnyGame::WideConnect(game) => Questions {
            game: &game,
            arguments,
        }
        .answer(),
        other => {
            let name = other.family().name;
            Err(Failure::Usage(format!(
                "{name} cannot be solved; only connect can"
            )))
        }
    }
}

/// What was asked, about a board of the word `B`.
struct Questions<'a, B> {
    game: &'a Connect<B>,
    arguments: &'a Arguments,
}

/// May the first moves be looked up?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Book {
    Open,
    Closed,
}

/// An answer as it is printed.
#[derive(Debug, Serialize)]
struct Answer {
    position: String,
    /// For the player to move; missing when it is not proved.
    value: Option<String>,
    score: Option<i32>,
    /// Between these lies the score, when it is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    between: Option<[i32; 2]>,
    /// Moves of both players until the winning line.
    plies: Option<u32>,
    best: Option<String>,
    moves: Vec<MoveAnswer>,
    proved: bool,
    /// Was the opening book asked?
    book: bool,
    nodes: u64,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct MoveAnswer {
    column: String,
    value: Option<String>,
    score: Option<i32>,
}

impl<B: Bits> Questions<'_, B> {
    fn answer(&self) -> Result<(), Failure> {
        if let Some(file) = &self.arguments.positions {
            return self.answer_file(file);
        }
        let position = self.read(&self.arguments.position)?;
        let answer = self.solve(&position);
        if self.arguments.json {
            print_json(&answer)
        } else {
            let advice = if self.arguments.weak {
                "Give it more --seconds or --nodes."
            } else {
                "Give it more --seconds or --nodes, or ask for --weak."
            };
            print(&tell(&answer, &position, advice))
        }
    }

    /// Columns played, or a board.
    fn read(&self, text: &str) -> Result<Position<B>, Failure> {
        if text.contains(['.', 'x', 'o', 'X', 'O']) {
            let position = text.parse()?;
            self.game.check(&position)?;
            return Ok(position);
        }
        Ok(self.game.position_after(text)?)
    }

    fn solver(&self, book: Book) -> Solver {
        Solver::new(
            self.game.rules(),
            Config {
                table: self.arguments.table,
                book: book == Book::Open,
                ..Config::default()
            },
        )
    }

    fn budget<'a>(&self, stop: &'a dyn Fn() -> bool) -> Budget<'a> {
        Budget {
            nodes: self.arguments.nodes,
            stop: Some(stop),
            ..Budget::default()
        }
    }

    fn solve(&self, position: &Position<B>) -> Answer {
        let started = Instant::now();
        let stop = self.deadline(started);
        let budget = self.budget(&stop);
        let book = if self.arguments.no_book {
            Book::Closed
        } else {
            Book::Open
        };
        let mut solver = self.solver(book);
        let mut answer = self.value(&mut solver, position, &budget);
        if !self.arguments.weak {
            let judged = solver.judge_moves(position, &budget);
            answer.moves = judged.moves.iter().map(move_answer).collect();
            answer.best = best(&judged.moves).or(answer.best);
            answer.nodes += judged.nodes;
        }
        answer.seconds = started.elapsed().as_secs_f64();
        answer
    }

    fn deadline(&self, started: Instant) -> impl Fn() -> bool + use<B> {
        let limit = self.arguments.seconds.map(Duration::from_secs_f64);
        move || limit.is_some_and(|limit| started.elapsed() >= limit)
    }

    /// The value alone, proved or not.
    fn value(&self, solver: &mut Solver, position: &Position<B>, budget: &Budget<'_>) -> Answer {
        let mut answer = Answer {
            position: position.to_string(),
            value: None,
            score: None,
            between: None,
            plies: None,
            best: None,
            moves: Vec::new(),
            proved: true,
            book: solver.uses_book(position),
            nodes: 0,
            seconds: 0.0,
        };
        let unproved = if self.arguments.weak {
            solver.weak(position, budget).map(|weak| {
                answer.value = Some(weak.verdict.to_string());
                answer.nodes = weak.nodes;
            })
        } else {
            solver.solve(position, budget).map(|solved| {
                answer.value = Some(solved.verdict().to_string());
                answer.score = Some(solved.score);
                answer.plies = solved.moves;
                answer.nodes = solved.nodes;
            })
        };
        if let Err(unproved) = unproved {
            answer.proved = false;
            answer.between = Some([unproved.lower, unproved.upper]);
            answer.best = Some(unproved.best.to_string());
            answer.nodes = unproved.nodes;
        }
        answer
    }

    /// Solves a file of lines `moves score`.
    fn answer_file(&self, file: &Path) -> Result<(), Failure> {
        let lines = self.read_file(file)?;
        // What is told is how long solving takes.
        let mut solver = self.solver(Book::Closed);
        let mut summary = Summary {
            file: file.display().to_string(),
            positions: lines.len(),
            ..Summary::default()
        };
        let (mut nodes, mut time) = (0, 0.0);
        for (position, expected) in &lines {
            let started = Instant::now();
            let stop = self.deadline(started);
            let answer = self.value(&mut solver, position, &self.budget(&stop));
            time += started.elapsed().as_secs_f64();
            nodes += answer.nodes;
            summary.unproved += usize::from(!answer.proved);
            let agrees = match answer.score {
                Some(score) => score == *expected,
                None => answer.value == Some(Verdict::of(*expected).to_string()),
            };
            summary.agree += usize::from(agrees);
        }
        let count = lines.len().max(1) as f64;
        summary.mean_seconds = time / count;
        summary.mean_nodes = nodes as f64 / count;
        if self.arguments.json {
            print_json(&summary)
        } else {
            print(&summary.tell())
        }
    }

    fn read_file(&self, file: &Path) -> Result<Vec<(Position<B>, i32)>, Failure> {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        let lines = text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(number, line)| {
                let wrong = |why: &str| {
                    Failure::Usage(format!("{}, line {}: {why}", file.display(), number + 1))
                };
                let (moves, score) = line
                    .rsplit_once(' ')
                    .ok_or_else(|| wrong("expected 'moves score'"))?;
                let score = score
                    .parse()
                    .map_err(|_| wrong("the score must be a whole number"))?;
                let position = self
                    .game
                    .position_after(moves.trim())
                    .map_err(|error| wrong(&error.to_string()))?;
                Ok((position, score))
            })
            .collect()
    }
}

fn move_answer(known: &MoveScore) -> MoveAnswer {
    MoveAnswer {
        column: known.column.to_string(),
        value: known.score().map(|score| Verdict::of(score).to_string()),
        score: known.score(),
    }
}

/// The first move of the highest proved score, if all are proved.
fn best(moves: &[MoveScore]) -> Option<String> {
    let scores: Option<Vec<i32>> = moves.iter().map(MoveScore::score).collect();
    let scores = scores?;
    let highest = scores.iter().max()?;
    moves
        .iter()
        .zip(&scores)
        .find(|(_, score)| *score == highest)
        .map(|(known, _)| known.column.to_string())
}

/// The answer as a person reads it; `advice` is for one that is not proved.
fn tell(answer: &Answer, position: &impl std::fmt::Display, advice: &str) -> String {
    let mut text = format!("{position:#}\n\n");
    text += &match (&answer.value, answer.plies, answer.between) {
        (Some(value), Some(plies), _) => {
            format!(
                "{value} for the player to move, in {plies} moves of both (score {})\n",
                answer.score.unwrap_or(0)
            )
        }
        (Some(value), None, _) => format!("{value} for the player to move\n"),
        (None, _, Some([low, high])) => format!(
            "not proved: the score lies between {low} and {high}; column {} looks best so far\n{advice}\n",
            answer.best.as_deref().unwrap_or("-")
        ),
        (None, ..) => String::new(),
    };
    if !answer.moves.is_empty() {
        let mut table = Table::new(["column", "value", "score"]);
        for judged in &answer.moves {
            table.row([
                judged.column.clone(),
                judged
                    .value
                    .clone()
                    .unwrap_or_else(|| "not proved".to_owned()),
                judged
                    .score
                    .map_or("-".to_owned(), |score| format!("{score:+}")),
            ]);
        }
        text += &format!("\n{}", table.render());
    }
    let book = if answer.book {
        ", with the opening book"
    } else {
        ""
    };
    text + &format!(
        "\n{} positions in {}{book}\n",
        number(answer.nodes as f64, 0),
        seconds(answer.seconds)
    )
}

/// What a file of positions came to.
#[derive(Debug, Default, Serialize)]
struct Summary {
    file: String,
    positions: usize,
    agree: usize,
    unproved: usize,
    mean_seconds: f64,
    mean_nodes: f64,
}

impl Summary {
    fn tell(&self) -> String {
        format!(
            "{} of {} positions agree, {} were not proved; {} and {} positions looked at on average\n",
            self.agree,
            self.positions,
            self.unproved,
            seconds(self.mean_seconds),
            number(self.mean_nodes, 1)
        )
    }
}
