//! Players that everybody knows, measured once for a study beside its champions.

use games::AnyGame;
use players::Spec;

use super::table;
use crate::study::keys;
use crate::study::reading::Reading;

/// Players whose games end soon.
const USUAL: [&str; 2] = ["greedy", "random"];
/// The most games of a baseline: enough to see where it stands.
const MOST_GAMES: u64 = 1000;
/// The same in a two-player game, where the opponent takes its time.
const MOST_GAMES_OF_TWO: u64 = 200;

/// The baselines of a study.
pub(super) fn read(reading: &mut Reading<'_>, game: &AnyGame) -> Vec<Spec> {
    let texts = reading.get(keys::FINAL_BASELINES);
    let texts = texts.unwrap_or_else(|| USUAL.map(str::to_owned).to_vec());
    table::players(reading, keys::FINAL_BASELINES, &texts, game)
}

/// How many games measure a baseline where champions are measured in `games`.
pub(super) fn games(game: &AnyGame, games: u64) -> u64 {
    games.min(match game.seats() {
        1 => MOST_GAMES,
        _ => MOST_GAMES_OF_TWO,
    })
}
