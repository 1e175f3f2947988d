//! `gamete play`: a game for people, in the terminal.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use games::AnyGame;
use play::seating::try_out;
use players::Spec;
use players::solver::has_book;

use crate::commands::watch;
use crate::output::Failure;
use crate::rules::GameArguments;
use crate::seats;
use crate::tui::is_terminal;
use crate::tui::play::{Table, sit, title, usual_hint};

const EXAMPLES: &str = "\
Keys are shown on the screen; i explains all of them, and ? asks for a hint. Best scores are kept in the user's data directory
(or in GAMETE_DATA). NO_COLOR=1 plays without colours.

Examples:
  gamete play 2048
  gamete play 2048 --size 5x5 --stop-at-win
  gamete play tetris
  gamete play tetris --turn-based --shapes pentominoes
  gamete play connect
  gamete play connect --player perfect --second --move-time 2s
  gamete play 2048 --hint 'expectimax(depth=4)'
  gamete play tetris --player my-champion/champion.json";

/// Without an opening book the perfect player may take minutes over its first moves, on a large board for ever; a person
/// should not have to wait so long unless they ask for it.
const PERFECT_TIME: Duration = Duration::from_secs(5);

/// Arguments of `gamete play`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// In a two-player game: play against this player, e.g. random [default: another person]; in a one-player game: watch it play
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
    /// Time limit per move of the player, e.g. 500ms, if it supports one [default: 5s for perfect except on 6x7, where it needs no limit]
    #[arg(long, value_name = "TIME", requires = "player", value_parser = humantime::parse_duration)]
    move_time: Option<Duration>,
    /// The player that gives the hints of key ?, e.g. greedy [default: a strong one]
    #[arg(long, value_name = "PLAYER")]
    hint: Option<String>,
    /// Let the player move first
    #[arg(long, requires = "player")]
    second: bool,
    /// Tetris without a clock: the piece does not fall by itself
    #[arg(long)]
    turn_based: bool,
    /// Random seed [default: a new one every time]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

/// Plays until the person leaves.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let game = arguments.game.build()?;
    let name = game.family().name;
    if let (Some(text), 1) = (&arguments.player, game.seats()) {
        return let_play(arguments, &game, text);
    }
    if arguments.turn_based && name != "tetris" {
        return Err(Failure::Usage(format!(
            "--turn-based: {name} has no clock anyway; it is for tetris"
        )));
    }
    let named = |text: &str| seats::player(&game, text);
    let player: Option<Spec> = arguments.player.as_deref().map(named).transpose()?;
    let hint: Spec = match &arguments.hint {
        Some(text) => named(text)?,
        None => usual_hint(&game).parse()?,
    };
    let specs: Vec<Spec> = player.iter().chain([&hint]).cloned().collect();
    try_out(&game, &specs)?;
    let table = Table {
        title: title(&game),
        record: format!("{name} {}", game.options()),
        seed: arguments.seed.unwrap_or_else(any_seed),
        move_time: arguments
            .move_time
            .or_else(|| usual_time(&game, player.as_ref()?)),
        player,
        hint,
        second: arguments.second,
        turn_based: arguments.turn_based,
        game,
    };
    if !is_terminal() {
        return Err(Failure::Usage(format!(
            "play needs a terminal; 'gamete watch {name}' and 'gamete measure {name}' do not"
        )));
    }
    sit(&table)
}

/// In a one-player game there is no opponent: the player plays and the person watches.
fn let_play(arguments: &Arguments, game: &AnyGame, text: &str) -> Result<(), Failure> {
    let name = game.family().name;
    for (option, given) in [
        ("--second", arguments.second),
        ("--hint", arguments.hint.is_some()),
        ("--move-time", arguments.move_time.is_some()),
        ("--turn-based", arguments.turn_based),
    ] {
        if given {
            let problem =
                format!("{option}: {name} is played by one, and with --player it is only watched");
            return Err(Failure::Usage(problem));
        }
    }
    let player = seats::player(game, text)?;
    let delay = humantime::parse_duration(watch::USUAL_DELAY).map_err(anyhow::Error::from)?;
    let seed = arguments.seed.unwrap_or_else(any_seed);
    watch::show(game, vec![player], delay, seed, watch::Files::default())
}

/// The time a move that a player gets if nothing is said.
fn usual_time(game: &AnyGame, player: &Spec) -> Option<Duration> {
    let endless = player.name() == "perfect" && player.get("nodes").is_none();
    (endless && !knows_openings(game)).then_some(PERFECT_TIME)
}

/// Has the perfect player an opening book for this game?
fn knows_openings(game: &AnyGame) -> bool {
    match game {
        AnyGame::Connect(game) => has_book(game.rules()),
        _ => false,
    }
}

/// An unpredictable seed: hash maps are seeded from the system's randomness.
fn any_seed() -> u64 {
    RandomState::new().hash_one(0)
}
