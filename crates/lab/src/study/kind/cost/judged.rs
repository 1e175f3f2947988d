//! Positions of random games in which all players are timed and their nodes counted.

use std::sync::atomic::Ordering;
use std::time::Duration;

use games::connect::Rules;
use games::{AnyGame, stream};
use play::any::{AnyPlayer, AnyPosition};
use play::cpu_time::cpu_time;
use play::error::PlayError;
use play::player_file::as_text;
use play::seating::tunable;
use players::{Cancelled, Spec, Tunable};
use serde::{Deserialize, Serialize};
use streams::{derive, uniform};

use super::Cost;
use crate::run::context::RunContext;
use crate::study::kind::boards;

/// Each timing covers as many moves as take this long together.
const LONG_ENOUGH: Duration = Duration::from_micros(50);
/// A move that takes longer is timed once: the resolution of the clock hardly matters.
const LONG: Duration = Duration::from_millis(300);

/// A timed position.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Judged {
    /// Columns that are not full.
    pub columns: u32,
    /// Empty cells.
    pub empty: u32,
    /// The time of each player.
    pub seconds: Vec<f64>,
    /// Nodes that each player visited, if it counts them.
    pub nodes: Vec<Option<u64>>,
}

impl Judged {
    pub(super) fn tree(&self) -> f64 {
        libm::pow(f64::from(self.columns), f64::from(self.empty))
    }
}

impl Cost {
    /// Times all games of a case; `None` if it was stopped.
    pub(super) fn judge_case(
        &self,
        rules: Rules,
        seed: u64,
        context: &RunContext<'_>,
    ) -> Result<Option<Vec<Judged>>, PlayError> {
        let mut all = Vec::new();
        for number in 0..self.games {
            let seed = derive(seed, &[number]);
            let judged = self.judge_game(rules, seed, context.stop())?;
            let Some(judged) = judged else {
                return Ok(None);
            };
            all.extend(judged);
            context.game_over();
        }
        Ok(Some(all))
    }

    /// Times the positions of a random game; `None` if it was stopped.
    fn judge_game(
        &self,
        rules: Rules,
        seed: u64,
        stop: &Cancelled,
    ) -> Result<Option<Vec<Judged>>, PlayError> {
        let game = boards::game(rules);
        let mut rng = stream(seed, &[]);
        let (mut position, mut judged) = (AnyPosition::start(&game), Vec::new());
        while !position.is_over() {
            let players = self.players_of(&game, derive(seed, &[judged.len() as u64]))?;
            let (seconds, nodes) = self.judge(&game, &players, &position, stop)?;
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            judged.push(Judged {
                columns: position.moves().len() as u32,
                empty: rules.cells() - judged.len() as u32,
                seconds,
                nodes,
            });
            position.play_at_random(&mut rng);
        }
        Ok(Some(judged))
    }

    /// The players for a position, with weights of their own or drawn for it.
    fn players_of(&self, game: &AnyGame, seed: u64) -> Result<Vec<Spec>, PlayError> {
        let own = self.players.iter().map(|(_, spec)| spec.clone());
        if !self.draws_weights {
            return Ok(own.collect());
        }
        let mut rng = stream(seed, &[]);
        let drawn = own.map(|spec| match tunable(game, &spec)? {
            Tunable::Weights(names) => {
                let weights: Vec<f64> =
                    names.iter().map(|_| uniform(&mut rng, -1.0, 1.0)).collect();
                Ok(spec.with("weights", &as_text(&weights)))
            }
            Tunable::Nothing | Tunable::Program(_) => Ok(spec),
        });
        drawn.collect()
    }

    /// Times and nodes of all players in a position. Players are new for every position, so that none has it cached.
    fn judge(
        &self,
        game: &AnyGame,
        players: &[Spec],
        position: &AnyPosition,
        stop: &Cancelled,
    ) -> Result<(Vec<f64>, Vec<Option<u64>>), PlayError> {
        let (mut seconds, mut nodes) = (Vec::new(), Vec::new());
        for spec in players {
            let mut player = AnyPlayer::new(game, spec, None)?.until(stop);
            seconds.push(least_time(&mut player, position, self.repeats));
            let mut player = AnyPlayer::new(game, spec, None)?.until(stop);
            player.think(position, &mut stream(0, &[]));
            nodes.push(player.nodes());
        }
        Ok((seconds, nodes))
    }
}

impl Cost {
    /// How long it takes to time a move of this duration and to count its nodes.
    pub(super) fn time_of_timing(&self, once: f64) -> f64 {
        let again = if once < LONG.as_secs_f64() {
            f64::from(self.repeats) * once.max(LONG_ENOUGH.as_secs_f64())
        } else {
            0.0
        };
        2.0 * once + again
    }
}

/// The shortest of the times of a move.
fn least_time(player: &mut AnyPlayer, position: &AnyPosition, repeats: u32) -> f64 {
    let rng = stream(0, &[]);
    let mut time = |moves: u32| {
        let began = cpu_time();
        for _ in 0..moves {
            player.think(position, &mut rng.clone());
        }
        (cpu_time() - began).as_secs_f64() / f64::from(moves)
    };
    let first = time(1);
    if first >= LONG.as_secs_f64() {
        return first;
    }
    let moves = (LONG_ENOUGH.as_secs_f64() / first.max(1e-9)).clamp(1.0, 1000.0) as u32;
    (0..repeats).map(|_| time(moves)).fold(first, f64::min)
}
