//! `lines` and `patches`: no look-ahead, the board of the highest value by evolved weights of what stands in its parts.

use games::twenty48::{Tiles, Twenty48};
use spec::{Kind, Parameter, Spec, SpecError};

use crate::afterstates::{Afterstates, BestAfterstate};
use crate::evaluate::twenty48::patches::{self, Phases};
use crate::evaluate::twenty48::{Lines, Patches, lines};
use crate::player::{Named, PlayerFactory, Prepared, Tunable};

/// Makes the players that weigh rows and columns.
#[derive(Debug, Clone, Copy)]
pub struct LinesPlayer;

/// Makes the players that weigh rows, columns, squares and blocks.
#[derive(Debug, Clone, Copy)]
pub struct PatchesPlayer;

const WEIGHTS: Parameter = Parameter {
    name: "weights",
    default: "",
    help: "one number per weight, as 'gamete evolve' finds them; without any, those that a study evolved (of patches: those of lines)",
};

const PHASES: Parameter = Parameter {
    name: "phases",
    default: "1",
    help: "1: the same weights for all boards; 3: twice as many, which change with a tile of 1024 and of 2048",
};

fn phases(spec: &Spec) -> Result<Phases, SpecError> {
    spec.choice(&PHASES, &[("1", Phases::One), ("3", Phases::Three)])
}

impl Named for LinesPlayer {
    const KIND: Kind = Kind {
        name: "lines",
        about: "plays the move whose board is best by 24 weights of its rows and columns, without looking ahead",
        more: "Twelve features of a line, for outer lines (at the border) and then for inner ones. With x = exponent / 11 of a tile: empty \
               (cells), merges (pairs that a slide merges), merges-3 (the same by x^3), sum, sum-5 (of x and x^5), breaks (rises or falls of \
               x along the line, whichever are less), steps, steps-3, steps-squared (differences of neighbours, of x, x^3, and squares of \
               the first), ends (x^4 at both ends), trapped, peaks (by how much tiles lie below or above both neighbours). Each is \
               divided by about its deviation. Of equal boards the first is played.",
        parameters: &[WEIGHTS],
    };
}

impl Named for PatchesPlayer {
    const KIND: Kind = Kind {
        name: "patches",
        about: "as lines, with weights of 2x2 squares and 2x3 blocks, too; 56 in all",
        more: "The 24 weights of lines, then ten features of 2x2 squares, for those in a corner, at an edge and in the centre: diagonals \
               (differences along them), twist, twist-3 (how far the sums of both diagonals are apart, of x and x^3), least, second-3, most-4 \
               (smallest x, second largest x^3, largest x^4), equal-diagonals, empty-squared, holes, peaks (cells below or above both their \
               neighbours); then slopes of 2x3 blocks at the border and inside (the product of how far both rows of three fall). With \
               phases=3 as many again, late-..., are added by half with a tile of 1024 and wholly from 2048 on.",
        parameters: &[PHASES, WEIGHTS],
    };
}

impl PlayerFactory<Twenty48> for LinesPlayer {
    fn tunable(_: &Twenty48, _: &Spec) -> Result<Tunable, SpecError> {
        Ok(Tunable::weights(lines::names()))
    }

    fn prepare(_: &Twenty48, spec: &Spec) -> Result<Prepared<Twenty48>, SpecError> {
        Ok(Prepared::copies(BestAfterstate(Lines::from_spec(spec)?)))
    }
}

impl PlayerFactory<Twenty48> for PatchesPlayer {
    fn tunable(_: &Twenty48, spec: &Spec) -> Result<Tunable, SpecError> {
        Ok(Tunable::weights(patches::names(phases(spec)?)))
    }

    fn prepare(_: &Twenty48, spec: &Spec) -> Result<Prepared<Twenty48>, SpecError> {
        let patches = Patches::from_spec(spec, phases(spec)?)?;
        Ok(Prepared::copies(BestAfterstate(patches)))
    }
}

impl Afterstates for Lines {
    #[inline]
    fn value(&self, _: Tiles) -> impl Fn(Tiles, u32) -> f32 {
        |after, _| self.of(after)
    }
}

impl Afterstates for Patches {
    #[inline]
    fn value(&self, before: Tiles) -> impl Fn(Tiles, u32) -> f32 {
        let phase = self.phase(before);
        move |after, _| self.of(after, phase)
    }
}
