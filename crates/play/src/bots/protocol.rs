//! The messages to a bot and how its moves are parsed, for any game.
//!
//! Messages and life cycle are those of the Tetris Bot Protocol. Additions are in an object
//! `gamete`, which bots of that protocol ignore. `docs/manual/bots.md` documents them for bot authors.

use std::any::Any;
use std::str::FromStr;
use std::time::Duration;

use games::tetris::Tetris;
use games::twenty48::{Direction, Twenty48};
use games::{Game, Turn};
use serde_json::{Map, Value, json};

use super::tail::quoted;
use super::tetris::Locations;

/// Increased with every change that bots must know about.
const VERSION: u32 = 1;

/// What a game adds to the messages, and how it parses moves.
pub(super) trait Dialect<G: Game>: Send {
    /// Additions to `rules`.
    fn rules(&self, _game: &G) -> Map<String, Value> {
        Map::new()
    }

    /// Additions to `start`.
    fn start(&self, _game: &G, _position: &G::Position) -> Map<String, Value> {
        Map::new()
    }

    /// The move that a bot means, which may be illegal, or why it cannot be parsed.
    fn read(&self, _game: &G, _position: &G::Position, said: &Value) -> Result<G::Move, String> {
        by_text(said)
    }
}

/// The dialect of a game.
pub(super) fn dialect<G: Game>() -> Box<dyn Dialect<G>> {
    of_game::<Twenty48, G>(Numbers)
        .or_else(|| of_game::<Tetris<u32>, G>(Locations))
        .or_else(|| of_game::<Tetris<u64>, G>(Locations))
        .unwrap_or_else(|| Box::new(Texts))
}

/// A dialect of game `A` as one of `B`, if they are the same type.
fn of_game<A: Game, B: Game>(dialect: impl Dialect<A> + 'static) -> Option<Box<dyn Dialect<B>>> {
    let dialect: Box<dyn Dialect<A>> = Box::new(dialect);
    let any: Box<dyn Any> = Box::new(dialect);
    any.downcast().ok().map(|dialect| *dialect)
}

/// Moves as texts only.
struct Texts;

impl<G: Game> Dialect<G> for Texts {}

/// The four directions as texts, or as the numbers that other 2048 programs use.
struct Numbers;

impl Dialect<Twenty48> for Numbers {
    fn read(
        &self,
        _: &Twenty48,
        _: &<Twenty48 as Game>::Position,
        said: &Value,
    ) -> Result<Direction, String> {
        let number = text_of(said).and_then(|text| text.parse::<usize>().ok());
        match number.and_then(|number| Direction::ALL.get(number)) {
            Some(&direction) => Ok(direction),
            None => by_text(said),
        }
    }
}

/// A move given as text; a number counts as its digits.
pub(super) fn by_text<M: FromStr<Err = games::NotAMove>>(said: &Value) -> Result<M, String> {
    let text =
        text_of(said).ok_or_else(|| format!("{} is not a move", quoted(&said.to_string())))?;
    text.parse().map_err(|_: games::NotAMove| {
        // The game's own message is not used: it would repeat a text of unlimited length.
        format!("{} is not a move of this game", quoted(&text))
    })
}

fn text_of(said: &Value) -> Option<String> {
    match said {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A message of this type with these fields.
fn message(kind: &str, fields: Map<String, Value>, gamete: Value) -> Value {
    let mut message = json!({"type": kind});
    let object = message.as_object_mut().expect("the message is an object");
    object.extend(fields);
    object.insert("gamete".to_owned(), gamete);
    message
}

/// `rules`: which game, with which rules, and the time for a move.
pub(super) fn rules<G: Game>(dialect: &dyn Dialect<G>, game: &G, time: Duration) -> Value {
    let gamete = json!({
        "version": VERSION,
        "game": game.family().name,
        "rules": game.options(),
        "move_ms": time.as_millis() as u64,
    });
    message("rules", dialect.rules(game), gamete)
}

/// `start`: the first position. The bot's own random numbers should derive from the seed.
pub(super) fn start<G: Game>(
    dialect: &dyn Dialect<G>,
    game: &G,
    position: &G::Position,
    seed: u32,
) -> Value {
    let gamete = json!({
        "position": position.to_string(),
        "seat": seat(game, position),
        "seed": seed,
    });
    message("start", dialect.start(game, position), gamete)
}

/// `suggest`: the request for a move, with everything a stateless bot needs.
pub(super) fn suggest<G: Game>(game: &G, position: &G::Position) -> Value {
    let gamete = json!({
        "position": position.to_string(),
        "seat": seat(game, position),
        "moves": legal(game, position),
    });
    message("suggest", Map::new(), gamete)
}

/// `play`: the player in this seat made a move.
fn play(chosen: Value, seat: Option<u8>) -> Value {
    let fields = Map::from_iter([("move".to_owned(), chosen)]);
    message("play", fields, json!({"seat": seat}))
}

/// The messages that lead from `position`, where the bot made a move, to `now`; `None` if it is not the next
/// position of the same game. The bot's move is repeated as the bot `said` it.
pub(super) fn continuation<G: Game>(
    game: &G,
    position: &G::Position,
    (chosen, said): (G::Move, &Value),
    now: &G::Position,
) -> Option<Vec<Value>> {
    let mut after = position.clone();
    game.play_unchecked(&mut after, chosen);
    let mut messages = vec![play(said.clone(), seat(game, position))];
    if after == *now {
        return Some(messages);
    }
    messages.push(match game.turn(&after) {
        Turn::Chance => json!({"type": "new_piece", "piece": what_happened(game, &after, now)?}),
        Turn::Player(seat) => play(what_was_played(game, &after, now)?.into(), Some(seat)),
        Turn::Over => return None,
    });
    Some(messages)
}

/// The single chance event that leads from one position to the other.
fn what_happened<G: Game>(game: &G, from: &G::Position, to: &G::Position) -> Option<String> {
    let mut chances = Vec::new();
    game.chances(from, &mut chances);
    let leads_there = |&&(chance, _): &&(G::Chance, f64)| {
        let mut next = from.clone();
        game.happen(&mut next, chance);
        next == *to
    };
    let found = chances.iter().find(leads_there);
    found.map(|(chance, _)| chance.to_string())
}

/// The single move that leads from one position to the other.
fn what_was_played<G: Game>(game: &G, from: &G::Position, to: &G::Position) -> Option<String> {
    let mut moves = Vec::new();
    game.moves(from, &mut moves);
    let leads_there = |&&chosen: &&G::Move| {
        let mut next = from.clone();
        game.play_unchecked(&mut next, chosen);
        next == *to
    };
    moves.iter().find(leads_there).map(ToString::to_string)
}

fn legal<G: Game>(game: &G, position: &G::Position) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves.iter().map(ToString::to_string).collect()
}

fn seat<G: Game>(game: &G, position: &G::Position) -> Option<u8> {
    match game.turn(position) {
        Turn::Player(seat) => Some(seat),
        Turn::Chance | Turn::Over => None,
    }
}
