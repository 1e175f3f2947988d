//! `gamete watch`: a player's game, move by move, or a game that was kept.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use games::AnyGame;
use play::replay::{Recorder, Replay};
use play::seating::introduced;
use players::Spec;

use crate::output::{Failure, print};
use crate::rules::OptionalGame;
use crate::seats::seats;
use crate::tui::events::Events;
use crate::tui::play::title;
use crate::tui::watch::{Cast, Subject, Watched, watch, watch_again};

const EXAMPLES: &str = "\
The game is the first of 'gamete measure' with the same player and seed. Statistics are printed at the end; \
in a pipe the game is played without a screen. A saved game is shown without its players.

Examples:
  gamete watch 2048 --player random
  gamete watch tetris --delay 200ms --seed 7
  gamete watch connect --player random --against random
  gamete watch tetris --board 10x10 | cat
  gamete watch 2048 --save game.json
  gamete watch 2048 --player greedy --times times.csv
  gamete watch --replay game.json";

/// Time between two moves if nothing is said.
pub(crate) const USUAL_DELAY: &str = "50ms";

/// Arguments of `gamete watch`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("game", |game| game.required_unless_present("replay")),
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: OptionalGame,
    /// The player, e.g. random
    #[arg(long, value_name = "PLAYER", default_value = "random")]
    player: String,
    /// The second player, in a two-player game [default: the same as the first]
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    /// Time between two moves, e.g. 50ms, 2s
    #[arg(long, value_name = "TIME", default_value = USUAL_DELAY, value_parser = humantime::parse_duration)]
    delay: Duration,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Save the game to this new file, as far as it was played
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Write the time of every move to this new file, as CSV: move, seat, seconds
    #[arg(long, value_name = "FILE")]
    times: Option<PathBuf>,
    /// Show the game saved in this file, with its rules and players
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "player", "against", "seed", "save", "times"])]
    replay: Option<PathBuf>,
}

/// Shows the game and prints its result.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match (
        &arguments.replay,
        arguments.game.given("the file says which rules hold")?,
    ) {
        (Some(path), _) => show_again(path, arguments.delay),
        (None, Some(game)) => {
            let game = game.build()?;
            let players = seats(&game, &arguments.player, arguments.against.as_deref())?;
            let files = Files {
                save: arguments.save.as_deref(),
                times: arguments.times.as_deref(),
            };
            show(
                &game,
                &players,
                arguments.delay,
                arguments.seed,
                files,
                None,
            )
        }
        (None, None) => Err(Failure::Usage(
            "name a game, e.g. gamete watch 2048, or a saved game: --replay FILE".to_owned(),
        )),
    }
}

/// New files for a game.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Files<'a> {
    /// The game itself.
    save: Option<&'a Path>,
    /// The times of its moves.
    times: Option<&'a Path>,
}

/// Shows a game of these players and prints its result; `files` keep it.
pub(crate) fn show(
    game: &AnyGame,
    players: &[Spec],
    delay: Duration,
    seed: u64,
    files: Files<'_>,
    events: Option<Events>,
) -> Result<(), Failure> {
    let players = introduced(game, players)?;
    let subject = Subject {
        game: game.clone(),
        title: title(game),
        players: players.iter().map(Spec::label).collect(),
        origin: format!("seed {seed}"),
        delay,
    };
    let create =
        |option, path: Option<_>| path.map(|path| NewFile::create(option, path)).transpose();
    let file = create("--save", files.save)?;
    let times = create("--times", files.times)?;
    let cast = Cast {
        players,
        seed,
        recorder: file.as_ref().map(|_| Recorder::default()),
    };
    let watched = watch(&subject, cast, events)?;
    let kept = match (file, &watched.replay) {
        (Some(file), Some(replay)) => file.keep(|file| replay.write(BufWriter::new(file))),
        _ => Ok(()),
    };
    let timed = times.map_or(Ok(()), |file| {
        file.keep(|mut file| file.write_all(watched.times.as_bytes()))
    });
    // The result is printed even if the game cannot be saved.
    print_result(&watched).and(kept).and(timed)
}

/// Shows a saved game and prints its result.
fn show_again(path: &Path, delay: Duration) -> Result<(), Failure> {
    let replay = Replay::read(path).map_err(|error| Failure::Usage(error.to_string()))?;
    let game = replay.build()?;
    let origin = match replay.about.as_str() {
        "" => path.display().to_string(),
        about => about.to_owned(),
    };
    let subject = Subject {
        title: title(&game),
        game,
        players: replay.players.clone(),
        origin,
        delay,
    };
    print_result(&watch_again(&subject, &replay)?)
}

fn print_result(watched: &Watched) -> Result<(), Failure> {
    let printed = print(&watched.summary);
    watched.leave.result()?;
    printed
}

/// A file for a game that is about to be played; it is made before, and goes again if nothing comes of the game.
struct NewFile<'a> {
    path: &'a Path,
    file: File,
    is_kept: bool,
}

impl<'a> NewFile<'a> {
    fn create(option: &str, path: &'a Path) -> Result<Self, Failure> {
        let file = File::create_new(path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => Failure::Usage(format!(
                "{option} {}: the file exists already; name a new one",
                path.display()
            )),
            _ => Failure::Usage(format!(
                "{option}: cannot write {}: {error}",
                path.display()
            )),
        })?;
        let is_kept = false;
        Ok(Self {
            path,
            file,
            is_kept,
        })
    }

    fn keep(mut self, write: impl FnOnce(&File) -> io::Result<()>) -> Result<(), Failure> {
        let written = write(&self.file);
        written.with_context(|| format!("cannot write {}", self.path.display()))?;
        self.is_kept = true;
        Ok(())
    }
}

impl Drop for NewFile<'_> {
    fn drop(&mut self) {
        if !self.is_kept {
            // What cannot be removed is empty, and no replay.
            let _ = fs::remove_file(self.path);
        }
    }
}
