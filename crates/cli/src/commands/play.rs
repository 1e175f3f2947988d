//! `gamete play`: a game for people, in the terminal.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::time::Duration;

use games::{AnyGame, Options, registry};
use play::any::AnyPosition;
use play::named_player::NamedPlayer;
use play::seating::try_out;
use play::suggested::usual_hint;
use players::Spec;
use players::solver::has_book;

use crate::commands::watch;
use crate::output::Failure;
use crate::rules::OptionalGame;
use crate::seats;
use crate::tui::events::Events;
use crate::tui::is_terminal;
use crate::tui::menu::choose;
use crate::tui::play::{Table, sit, title};

const EXAMPLES: &str = "\
Without GAME, a menu asks what to play and who plays: you, or an algorithm with its depth, heuristic and so on. \
Keys are shown on the screen; i explains all of them, and ? asks for a hint. Best scores are kept in the user's data directory \
(or in GAMETE_DATA). NO_COLOR=1 plays without colours.

Examples:
  gamete play
  gamete play 2048
  gamete play 2048 --size 5x5 --stop-at-win
  gamete play tetris
  gamete play tetris --turn-based --shapes pentominoes
  gamete play connect
  gamete play connect --player perfect --second --move-time 2s
  gamete play connect --player perfect --from 4435
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
    game: OptionalGame,
    /// In a two-player game: play against this player, e.g. random [default: another person]; in a one-player game: watch it play
    #[arg(long, value_name = "PLAYER", requires = "game")]
    player: Option<String>,
    /// Time limit per move of the player, e.g. 500ms, if it supports one [default: 5s for perfect except on 6x7, where it needs no limit]
    #[arg(long, value_name = "TIME", requires = "player", value_parser = humantime::parse_duration)]
    move_time: Option<Duration>,
    /// The player that gives the hints of key ?, e.g. greedy [default: a strong one]
    #[arg(long, value_name = "PLAYER", requires = "game")]
    hint: Option<String>,
    /// The player moves first
    #[arg(long, requires = "player")]
    second: bool,
    /// Tetris without a clock: the piece does not fall by itself
    #[arg(long, requires = "game")]
    turn_based: bool,
    /// Begin with this position: moves such as 4435, or a board as text, as the page's address has it
    #[arg(long, value_name = "POSITION", requires = "game")]
    from: Option<String>,
    /// Random seed [default: a new one every time]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

/// Plays until the person leaves.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let named = arguments
        .game
        .given("name the game, too: gamete play GAME")?;
    let Some(named) = named else {
        return ask(arguments);
    };
    let game = named.build()?;
    let named = |text: &str| seats::player(&game, text);
    let wish = Wish {
        player: arguments.player.as_deref().map(named).transpose()?,
        hint: arguments.hint.as_deref().map(named).transpose()?,
        second: arguments.second,
    };
    start(arguments, game, wish, None)
}

/// Who is to play, and how.
struct Wish {
    player: Option<Spec>,
    hint: Option<Spec>,
    second: bool,
}

/// Lets the person choose from a menu, and plays that.
fn ask(arguments: &Arguments) -> Result<(), Failure> {
    if !is_terminal() {
        return Err(Failure::Usage(
            "the menu of play needs a terminal; 'gamete watch GAME' and 'gamete measure GAME' do not"
                .to_owned(),
        ));
    }
    let events = Events::listen()?;
    let Some(chosen) = choose(&events)? else {
        return Ok(());
    };
    let game = registry::build(chosen.game, &Options::default())?;
    let wish = Wish {
        player: chosen.player,
        hint: None,
        second: chosen.second,
    };
    start(arguments, game, wish, Some(events))
}

/// Plays until the person leaves; the menu has begun to listen to `events`.
fn start(
    arguments: &Arguments,
    game: AnyGame,
    wish: Wish,
    events: Option<Events>,
) -> Result<(), Failure> {
    let name = game.family().name;
    let Wish {
        player,
        hint,
        second,
    } = wish;
    let player = match (player, game.seats()) {
        (Some(player), 1) => return let_play(arguments, &game, player, events),
        (player, _) => player,
    };
    if arguments.turn_based && name != "tetris" {
        return Err(Failure::Usage(format!(
            "--turn-based is for tetris; {name} has no clock"
        )));
    }
    let hint: Spec = match hint {
        Some(hint) => hint,
        None => NamedPlayer::read(usual_hint(&game), Path::new(""), name)
            .map(|named| named.spec)
            .map_err(|error| Failure::Usage(error.to_string()))?,
    };
    let specs: Vec<Spec> = player.iter().chain([&hint]).cloned().collect();
    try_out(&game, &specs)?;
    let from = arguments
        .from
        .as_deref()
        .map(|text| begin_with(&game, text));
    let table = Table {
        from: from.transpose()?,
        title: title(&game),
        // A score that was not begun from nothing is no record of the game.
        record: format!(
            "{name} {}{}",
            game.options(),
            if arguments.from.is_some() {
                " from"
            } else {
                ""
            }
        ),
        seed: arguments.seed.unwrap_or_else(any_seed),
        move_time: arguments
            .move_time
            .or_else(|| usual_time(&game, player.as_ref()?)),
        player,
        hint,
        second,
        turn_based: arguments.turn_based,
        game,
    };
    if !is_terminal() {
        return Err(Failure::Usage(format!(
            "play needs a terminal; 'gamete watch {name}' and 'gamete measure {name}' do not"
        )));
    }
    sit(&table, &events.map_or_else(Events::listen, Ok)?)
}

/// A position in which the game goes on.
fn begin_with(game: &AnyGame, text: &str) -> Result<AnyPosition, Failure> {
    let position = AnyPosition::read(game, text)
        .map_err(|problem| Failure::Usage(format!("--from: {problem}")))?;
    if position.is_over() {
        return Err(Failure::Usage(
            "--from: the game is over in this position".to_owned(),
        ));
    }
    Ok(position)
}

/// In a one-player game there is no opponent: the player plays and the person watches.
fn let_play(
    arguments: &Arguments,
    game: &AnyGame,
    player: Spec,
    events: Option<Events>,
) -> Result<(), Failure> {
    let name = game.family().name;
    for (option, given) in [
        ("--second", arguments.second),
        ("--hint", arguments.hint.is_some()),
        ("--move-time", arguments.move_time.is_some()),
        ("--turn-based", arguments.turn_based),
        ("--from", arguments.from.is_some()),
    ] {
        if given {
            let problem =
                format!("{option}: {name} is a one-player game, and with --player you only watch");
            return Err(Failure::Usage(problem));
        }
    }
    let delay = humantime::parse_duration(watch::USUAL_DELAY).map_err(anyhow::Error::from)?;
    let seed = arguments.seed.unwrap_or_else(any_seed);
    let files = watch::Files::default();
    watch::show(game, &[player], delay, seed, files, events)
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
