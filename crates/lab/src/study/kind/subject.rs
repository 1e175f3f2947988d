//! What a study looks for: a player with weights or a program left to be found, from a preset and what is to be different.

use super::table::{beside, game_name};
use crate::evolution::presets;
use crate::evolution::request::{Blueprint, Fault, Part, preset};
use crate::evolution::{Plan, Stop};
use crate::study::keys::{Key, Shape};
use crate::study::reading::Reading;

/// Keys of the player and its genes.
pub(super) const SUBJECT: [Key; 4] = [
    Key::new(
        "preset",
        Shape::Text,
        "What to start from; 'gamete algorithms' lists presets",
    ),
    Key::new(
        "player",
        Shape::Text,
        "The player whose weights or program are to be found",
    ),
    Key::new(
        "chromosome",
        Shape::Text,
        "How weights are written as genes: reals, 9bit1decimal, 1000Genes ...",
    ),
    Key::new(
        "initial",
        Shape::Real,
        "Real genes begin between minus this and this",
    ),
];

/// What counts.
pub(super) const OBJECTIVE: Key = Key::new(
    "fitness.objective",
    Shape::Text,
    "What is made as large as possible: score, moves, or what the game counts",
);

/// The game, the preset, and what is different in the player, its genes, what counts and whom it meets.
pub(super) fn blueprint(reading: &mut Reading<'_>) -> Option<Blueprint> {
    let name = game_name(reading)?;
    // A wrong game is told by the game itself.
    let found = preset(&name, reading.text("preset").as_deref());
    let rules = found.as_ref().map_or("", |preset| preset.rules);
    let game = reading.game(&name, rules)?;
    let preset = match found {
        Ok(preset) => preset,
        Err(fault) => {
            reading.flaw("preset", fault.problem);
            // The rest can be checked all the same.
            presets::of_game(&name)?
        }
    };
    let against = reading.texts("fitness.against").unwrap_or_default();
    Some(Blueprint {
        preset,
        game,
        player: reading.text("player"),
        chromosome: reading.text("chromosome"),
        algorithm: None,
        settings: Vec::new(),
        reach: reading.real("initial"),
        generations: None,
        stop: Stop::default(),
        games: None,
        objective: reading.text("fitness.objective"),
        noise: None,
        common_games: None,
        against: against
            .into_iter()
            .map(|player| beside(reading, player))
            .collect(),
        finalists: None,
        measure: 2,
        measure_against: None,
    })
}

/// The plan of a blueprint; what does not fit together is told.
pub(super) fn plan(blueprint: &Blueprint, reading: &mut Reading<'_>) -> Option<Plan> {
    blueprint
        .plan()
        .map_err(|faults| tell(reading, faults.0))
        .ok()
}

/// Says what is wrong with parts of a plan where their keys stand.
pub(super) fn tell(reading: &mut Reading<'_>, faults: Vec<Fault>) {
    for Fault { part, problem } in faults {
        reading.flaw(&key_of(&part), problem);
    }
}

fn key_of(part: &Part) -> String {
    match part {
        Part::Preset => "preset".to_owned(),
        Part::Player => "player".to_owned(),
        Part::Chromosome => "chromosome".to_owned(),
        Part::Objective => "fitness.objective".to_owned(),
        Part::Noise => "fitness.noise".to_owned(),
        Part::CommonGames => "fitness.common-games".to_owned(),
        Part::Against => "fitness.against".to_owned(),
        Part::MeasureAgainst => "final.against".to_owned(),
        Part::Algorithm => "optimizer.algorithm".to_owned(),
        Part::Setting(key) => format!("optimizer.{key}"),
    }
}
