//! Games, positions and players from the texts that the page sends, all checked before anything is played.

use std::path::Path;

use games::{AnyGame, Turn, registry, stream};
use play::any::{self, AnyPosition};
use play::named_player::NamedPlayer;
use play::network_file::follows_unknown_network;
use play::player_file::may_open_file;
use play::seating::is_bot;
use players::Spec;

use crate::board::{Rules, Step};
use crate::problem::Problem;
use crate::site::Site;

/// The longest text of a position or player; a champion with all its weights is shorter.
const LONGEST: usize = 64 << 10;

/// The game of this name with these rules.
pub(crate) fn build(name: &str, rules: &Rules) -> Result<AnyGame, Problem> {
    Ok(registry::build(name, &rules.0)?)
}

/// The position of a text, by its board or by the moves that lead to it.
pub(crate) fn position(game: &AnyGame, text: &str) -> Result<AnyPosition, Problem> {
    if text.len() > LONGEST {
        return Err(Problem::bad("the position is too long").at("position"));
    }
    Ok(AnyPosition::read(game, text)?)
}

/// Lets chance act until it is a player's turn or the game is over. What it does depends on the seed and the number of the step alone.
pub(crate) fn let_chance_act(position: &mut AnyPosition, seed: u64, step: u64) -> Vec<Step> {
    let mut rng = stream(seed, &[step]);
    let mut steps = Vec::new();
    while position.turn() == Turn::Chance {
        let chance = position.draw_from(&mut rng);
        steps.push(Step::of(any::Step::Chance(chance), position));
    }
    steps
}

/// The player of a text, if the page may use it.
pub(crate) fn player(site: &Site, game: &AnyGame, text: &str) -> Result<Spec, Problem> {
    if text.len() > LONGEST {
        return Err(Problem::bad("the player is too long").at("player"));
    }
    if may_open_file(text) && !site.settings.allow_exec {
        let why = "player files are not read for the page unless gamete serve was started with --allow-exec; paste the player itself";
        return Err(Problem::forbidden(why).at("player"));
    }
    let named = NamedPlayer::read(text, Path::new(""), game.family().name)
        .map_err(|error| Problem::bad(error).at("player"))?;
    check_allowed(site, &named.spec)?;
    // An address may name the network of a run that nobody has looked at since the server started.
    if follows_unknown_network(&named.spec) {
        site.store().announce_networks()?;
    }
    Ok(named.spec)
}

/// Programs are started only where that is allowed.
pub(crate) fn check_allowed(site: &Site, spec: &Spec) -> Result<(), Problem> {
    if is_bot(spec) && !site.settings.allow_exec {
        let why = "programs are not started from the page unless gamete serve was started with --allow-exec";
        return Err(Problem::forbidden(why).at("player"));
    }
    Ok(())
}
