//! What a study evolves: the weights or program of a player, from a preset with changes.

use super::table::{game_name, relative_to_study};
use crate::evolution::presets;
use crate::evolution::request::{EvolutionRequest, Fault, Part, preset};
use crate::evolution::{Plan, Stop};
use crate::study::key::KeyInfo;
use crate::study::keys;
use crate::study::reading::Reading;

/// Keys of the player and its genes.
pub(super) const ENCODING: [KeyInfo; 5] = [
    keys::PRESET.info(),
    keys::PLAYER.info(),
    keys::CHROMOSOME.info(),
    keys::INITIAL.info(),
    keys::WITHOUT.info(),
];

/// The game and the preset, with changes to the player, genes, objective and opponents.
pub(super) fn request(reading: &mut Reading<'_>) -> Option<EvolutionRequest> {
    let name = game_name(reading)?;
    // A wrong game is reported where the game is read.
    let found = preset(&name, reading.get(keys::PRESET).as_deref());
    let rules = found.as_ref().map_or("", |preset| preset.rules);
    let game = reading.game(&name, rules)?;
    let preset = match found {
        Ok(preset) => preset,
        Err(fault) => {
            reading.flaw(keys::PRESET.path(), fault.problem);
            // The rest can still be checked.
            presets::of_game(&name)?
        }
    };
    let against = reading.get(keys::FITNESS_AGAINST).unwrap_or_default();
    Some(EvolutionRequest {
        preset,
        game,
        player: reading.get(keys::PLAYER),
        chromosome: reading.get(keys::CHROMOSOME),
        algorithm: None,
        settings: Vec::new(),
        initial: reading.get(keys::INITIAL),
        without: reading.get(keys::WITHOUT).unwrap_or_default(),
        start: Vec::new(),
        generations: None,
        stop: Stop::default(),
        games: None,
        growth: None,
        objective: reading.get(keys::FITNESS_OBJECTIVE),
        noise: None,
        common_games: None,
        against: against
            .into_iter()
            .map(|player| relative_to_study(reading, player))
            .collect(),
        openings: reading.get(keys::FITNESS_OPENINGS),
        finalists: None,
        measure: 2,
        measure_against: None,
        measure_openings: None,
    })
}

/// The plan of a request; reports what does not fit together.
pub(super) fn plan(request: &EvolutionRequest, reading: &mut Reading<'_>) -> Option<Plan> {
    request
        .plan()
        .map_err(|faults| tell(reading, faults.0))
        .ok()
}

/// Reports faults of a plan at their keys.
pub(super) fn tell(reading: &mut Reading<'_>, faults: Vec<Fault>) {
    for Fault { part, problem } in faults {
        reading.flaw(&key_of(&part), problem);
    }
}

fn key_of(part: &Part) -> String {
    match part {
        Part::Preset => keys::PRESET.path().to_owned(),
        Part::Player => keys::PLAYER.path().to_owned(),
        Part::Chromosome => keys::CHROMOSOME.path().to_owned(),
        Part::Without => keys::WITHOUT.path().to_owned(),
        Part::Start => keys::START.path().to_owned(),
        Part::Growth => keys::FITNESS_GROWTH.path().to_owned(),
        Part::Objective => keys::FITNESS_OBJECTIVE.path().to_owned(),
        Part::Noise => keys::FITNESS_NOISE.path().to_owned(),
        Part::CommonGames => keys::FITNESS_COMMON_GAMES.path().to_owned(),
        Part::Against => keys::FITNESS_AGAINST.path().to_owned(),
        Part::Openings => keys::FITNESS_OPENINGS.path().to_owned(),
        Part::MeasureOpenings => keys::FINAL_OPENINGS.path().to_owned(),
        Part::MeasureAgainst => keys::FINAL_AGAINST.path().to_owned(),
        Part::Algorithm => keys::OPTIMIZER_ALGORITHM.path().to_owned(),
        Part::Setting(key) => format!("optimizer.{key}"),
    }
}
