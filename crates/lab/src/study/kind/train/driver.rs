//! Runs a training from its newest good state to the measured network.

use std::io::Write;

use learn::Finished;
use players::network::Floats;
use serde::{Deserialize, Serialize};

use super::crew::Crew;
use super::{NETWORK, Train};
use crate::evolution::Generation;
use crate::run::checkpoint::{CHECKPOINT, Checkpoint, Follow};
use crate::run::context::{RunContext, RunError};
use crate::run::event::Event;
use crate::run::file::replace_with;
use crate::run::history::{HISTORY, History, Rows};
use crate::run::ledger::Mark;
use crate::run::outcome::Outcome;
use crate::run::resume::{begin_anew, has_lost_its_states};
use crate::run::sample;
use evolve::Origin;
use play::measure::Measurement;
use play::network_file::{Measured, NetworkFile, Trained};
use play::player_file::PlayerFile;
use players::network::shelf;

/// The state saved between two moves; the tables follow it.
#[derive(Serialize, Deserialize)]
struct Saved {
    history: Mark,
    games: Vec<u8>,
    /// Games that are not in the history yet.
    finished: Vec<Finished>,
    /// Games at the end of the block that is being played.
    block_ends: u64,
    /// How the tables are laid out.
    #[serde(default)]
    layout: u32,
}

/// A training with its history.
struct Work {
    crew: Crew,
    history: History,
    finished: Vec<Finished>,
    block_ends: u64,
}

/// Trains to the end, and measures the network.
pub(super) fn run(
    train: &Train,
    seed: u64,
    context: &mut RunContext<'_>,
) -> Result<Outcome, RunError> {
    let checkpoint = Checkpoint::new(&context.path(CHECKPOINT));
    let mut work = open(train, seed, &checkpoint, context)?;
    context.begin(work.crew.ended().min(train.games), train.games);
    while work.crew.ended() < train.games {
        let ends = work.block_ends.min(train.games);
        let before = work.finished.len();
        work.crew.advance(ends, &mut work.finished);
        (before..work.finished.len()).for_each(|_| context.game_over());
        if work.crew.ended() >= work.block_ends {
            work.end_block(train, context)?;
        }
        let stopped = context.is_stopped();
        match stopped || context.is_saving_due() {
            true => work.save(&checkpoint, false, context)?,
            false => context.refresh_status()?,
        }
        if stopped {
            let (weights, network) = work.network(train, seed)?;
            write(&network, weights.entries(), context)?;
            return Err(RunError::Interrupted);
        }
    }
    work.save(&checkpoint, true, context)?;
    if !work.finished.is_empty() {
        // The last block may be shorter. The state is that of before: a longer run goes on with the block as if it had never ended.
        work.end_block(train, context)?;
        work.history.sync()?;
    }
    let moves = work.crew.moves();
    let (weights, mut network) = work.network(train, seed)?;
    drop(work);
    write(&network, weights.entries(), context)?;
    let lookup = train.plan.lookup()?;
    shelf::put(&network.id, lookup.with(weights));
    let mut outcome = Outcome::default();
    outcome.number("training games", train.games as f64);
    outcome.number("training moves", moves as f64);
    measure(train, seed, &mut network, context, &mut outcome)?;
    Ok(outcome)
}

/// The training and its history, from the newest good state.
fn open(
    train: &Train,
    seed: u64,
    checkpoint: &Checkpoint,
    context: &RunContext<'_>,
) -> Result<Work, RunError> {
    let path = context.path(HISTORY);
    let mut crew = Crew::new(&train.plan, seed, context.own_threads())?;
    let mut taken = None;
    let found = checkpoint.load_with(&mut |saved: Saved, tables| {
        if taken.is_some() {
            return Ok(None);
        }
        let history = match History::resume(&path, saved.history) {
            Ok(history) => history,
            Err(error) if error.is_damage() => return Ok(Some(error.to_string())),
            Err(other) => return Err(std::io::Error::other(other)),
        };
        if saved.layout != learn::LAYOUT {
            let problem = "the state was saved by another version of gamete";
            return Ok(Some(problem.to_owned()));
        }
        crew.restore(&saved.games, tables)?;
        taken = Some((history, saved.finished, saved.block_ends));
        Ok(None)
    })?;
    let was_saved = !found.states.is_empty() || !found.damage.is_empty();
    let notes = found.damage.into_iter().chain(found.states);
    notes.for_each(|text| context.note(text));
    if let Some((history, finished, block_ends)) = taken {
        return Ok(Work {
            crew,
            history,
            finished,
            block_ends,
        });
    }
    if was_saved || has_lost_its_states(&path)? {
        begin_anew(&path, context)?;
    }
    checkpoint.remove()?;
    Ok(Work {
        crew: Crew::new(&train.plan, seed, context.own_threads())?,
        history: History::create(&path, &[])?,
        finished: Vec::new(),
        block_ends: train.every,
    })
}

impl Work {
    /// Adds the games of a block to the history.
    fn end_block(&mut self, train: &Train, context: &mut RunContext<'_>) -> Result<(), RunError> {
        let finished = std::mem::take(&mut self.finished);
        // Games that began at a later stage say nothing about how good the network is.
        let whole: Vec<&Finished> = finished.iter().filter(|game| game.is_whole).collect();
        let scores = || whole.iter().map(|game| game.score as f64);
        let ended = self.crew.ended();
        if !whole.is_empty() {
            let block = Generation {
                number: ended as u32,
                best: scores().fold(f64::NEG_INFINITY, f64::max),
                mean: scores().sum::<f64>() / whole.len() as f64,
                games: ended,
            };
            self.history.add(block, &rows(&whole))?;
            context.block_over(&block, ended.min(train.games));
        }
        self.block_ends = ended / train.every * train.every + train.every;
        Ok(())
    }

    /// Saves the state, as the last one if it is over.
    fn save(
        &mut self,
        checkpoint: &Checkpoint,
        is_over: bool,
        context: &mut RunContext<'_>,
    ) -> Result<(), RunError> {
        context.save(|| {
            let saved = self.saved()?;
            let tables: Follow<'_> = &|to| self.write_tables(to);
            let written = match is_over {
                true => checkpoint.save_last_with(&saved, tables),
                false => checkpoint.save_with(&saved, tables),
            };
            Ok(written?)
        })
    }

    fn saved(&mut self) -> Result<Saved, RunError> {
        Ok(Saved {
            history: self.history.sync()?,
            games: self.crew.games(),
            finished: self.finished.clone(),
            block_ends: self.block_ends,
            layout: learn::LAYOUT,
        })
    }

    fn write_tables(&self, to: &mut dyn Write) -> std::io::Result<()> {
        self.crew.tables().try_for_each(|table| to.write_all(table))
    }

    /// The network as it is now.
    fn network(&self, train: &Train, seed: u64) -> Result<(Floats<f32>, NetworkFile), RunError> {
        let plan = &train.plan;
        let lookup = plan.lookup()?;
        let sizes = lookup.tables();
        let weights = Floats::zeroed(sizes.iter().sum());
        let mut weights = weights.map_err(learn::PlanError::Memory)?;
        self.crew.weights(sizes, weights.entries_mut());
        let trained = Trained {
            network: plan.shape.tuples.clone(),
            method: plan.method.to_string(),
            games: self.crew.ended(),
            moves: self.crew.moves(),
            seed,
        };
        let shape = plan.listed()?;
        let network = NetworkFile::new(&plan.game, &shape, weights.entries(), trained);
        Ok((weights, network))
    }
}

/// The games of a block.
fn rows(games: &[&Finished]) -> Rows {
    let list = || games.iter();
    Rows {
        id: list().map(|game| game.game).collect(),
        born: vec![0; games.len()],
        origin: vec![Origin::Random; games.len()],
        parents: vec![Vec::new(); games.len()],
        mutated: vec![false; games.len()],
        games: vec![1; games.len()],
        fitness: list().map(|game| game.score as f64).collect(),
        classes: list().map(|game| game.class).collect(),
        ..Rows::default()
    }
}

fn write(network: &NetworkFile, weights: &[f32], context: &RunContext<'_>) -> Result<(), RunError> {
    Ok(replace_with(&context.path(NETWORK), |file| {
        network.write(weights, file)
    })?)
}

/// Measures the network without and with look-ahead, and saves it with what was found.
fn measure(
    train: &Train,
    seed: u64,
    network: &mut NetworkFile,
    context: &mut RunContext<'_>,
    outcome: &mut Outcome,
) -> Result<(), RunError> {
    let plan = train.measurement(network.player(), train.measured_games, seed);
    let (run, games) = (context.run.id.clone(), plan.games);
    context.hear(&Event::FinalsBegan { run, games });
    let records = sample::sample(&plan, context)?;
    let measurement = sample::finish(&plan, &records, context)?;
    outcome.measured(&measurement);
    network.measured = Some(measured(&measurement));
    for &ply in &train.plies {
        let search = match train.plan.game.seats() {
            1 => "expectimax",
            _ => "alphabeta",
        };
        let player = format!("{search}(depth={ply}, eval={})", network.player());
        let player = player.parse().expect("a network is an evaluation");
        let plan = train.measurement(player, train.ply_games, seed);
        let (run, games) = (context.run.id.clone(), plan.games);
        context.hear(&Event::FinalsBegan { run, games });
        let records = sample::sample_in(&format!("games-{ply}-ply.part"), &plan, context)?;
        let score = plan.sum_up(&records, std::time::Duration::ZERO).score;
        outcome.estimate(&format!("score at {ply} plies"), score.mean, score.ci95);
    }
    let weights = shelf::get(&network.id).expect("it was put there");
    write(network, weights.weights(), context)?;
    // A study of many runs would fill the memory.
    network.unload(&context.path(NETWORK));
    outcome.champion = Some(PlayerFile::new(&train.plan.game, &network.player()));
    Ok(())
}

fn measured(measurement: &Measurement) -> Measured {
    Measured {
        games: measurement.games,
        score: measurement.score.mean,
        ci95: measurement.score.ci95,
    }
}
