//! Runs an evolution with any evaluator, from its newest good state to the champion.

use std::time::{Duration, Instant};

use evolve::Genome;
use serde::{Deserialize, Serialize};

use crate::evolution::evaluator::Evaluator;
use crate::evolution::{Ending, Evolution, Generation, Plan, State};
use crate::run::checkpoint::{CHECKPOINT, Checkpoint};
use crate::run::context::{RunContext, RunError};
use crate::run::criteria;
use crate::run::event::Event;
use crate::run::history::HISTORY;
use crate::run::history::{History, HistoryReader, Rows};
use crate::run::ledger::Mark;
use crate::run::outcome::{Outcome, SELECTED};
use crate::run::resume::{begin_anew, has_lost_its_states};
use crate::study::kind::long_time;
use play::playing::Workers;

/// The winner of the finals, so that they need not be played again; kept until the run has an outcome.
const CHOICE: &str = "choice.part";

/// The state saved between generations.
#[derive(Serialize, Deserialize)]
struct Saved {
    state: State,
    history: Mark,
}

/// The winner of the finals.
#[derive(Serialize, Deserialize)]
struct Choice {
    /// The history before the finals; after any other they are played again.
    history: Mark,
    genome: Genome,
    selected_at: f64,
}

/// Evolves to the end; returns the evolution, the champion, and its outcome before it is measured.
pub(super) fn run<'a, T: Evaluator>(
    plan: &'a Plan<T>,
    seed: u64,
    context: &mut RunContext<'_>,
) -> Result<(Evolution<'a, T>, Genome, Outcome), RunError> {
    let (evolution, history, ended) = evolve_all(plan, seed, context)?;
    let Choice {
        genome,
        selected_at,
        ..
    } = choose(&evolution, history, context)?;
    let mut outcome = Outcome::default();
    outcome.ended = Some(ended);
    outcome.number(SELECTED, selected_at);
    outcome.number(
        "generations",
        f64::from(evolution.optimizer().generation().saturating_sub(1)),
    );
    outcome.number("evaluations", evolution.state().evaluations as f64);
    let history = HistoryReader::read(&context.path(HISTORY))?;
    let generations: Vec<Generation> = history.generations.iter().map(|it| it.generation).collect();
    criteria::add(&generations, is_lower_better(&plan.evaluator), &mut outcome);
    Ok((evolution, genome, outcome))
}

/// Algorithms always maximise; what is shown may be turned round.
fn is_lower_better(evaluator: &impl Evaluator) -> bool {
    evaluator.for_people(1.0) < evaluator.for_people(0.0)
}

/// Runs the first generations for about `time`, and estimates the duration of all generations and the `finals` games.
pub(super) fn calibrate<T: Evaluator>(
    plan: &Plan<T>,
    seed: u64,
    finals: u64,
    workers: &Workers,
    time: Duration,
) -> Result<Duration, RunError> {
    let mut evolution = Evolution::new(plan, seed)?;
    let (started, mut last, mut done) = (Instant::now(), Duration::ZERO, 0);
    let (mut games, mut played) = (0, 0);
    while started.elapsed() < time && evolution.ending().is_none() {
        let began = Instant::now();
        let Some(generation) = evolution.step(workers, &|| {})? else {
            break;
        };
        (last, done) = (began.elapsed(), done + 1);
        (games, played) = (generation.games - played, generation.games);
    }
    let generations = u64::from(plan.stop.generations) + 1;
    let left = generations.saturating_sub(done) as f64 + finals as f64 / games.max(1) as f64;
    Ok(long_time(
        started.elapsed().as_secs_f64() + last.as_secs_f64() * left,
    ))
}

/// Evolves from the current state to the end.
fn evolve_all<'a, T: Evaluator>(
    plan: &'a Plan<T>,
    seed: u64,
    context: &mut RunContext<'_>,
) -> Result<(Evolution<'a, T>, Mark, Ending), RunError> {
    let checkpoint = Checkpoint::new(&context.path(CHECKPOINT));
    let (mut evolution, mut history) = open(plan, seed, &checkpoint, context)?;
    context.begin(
        u64::from(evolution.optimizer().generation()),
        u64::from(plan.stop.generations) + 1,
    );
    let ended = loop {
        if let Some(ending) = evolution.ending() {
            break ending;
        }
        if plan.stop.time.is_some_and(|most| context.worked() >= most)
            && evolution.state().record.is_some()
        {
            break Ending::Time;
        }
        let shared = &*context;
        let step = evolution.step(context.workers(), &|| shared.game_over());
        let generation = match step.map_err(RunError::from) {
            Ok(Some(generation)) => generation,
            Ok(None) => break Ending::Exhausted,
            Err(error) => {
                // The generation is played again; those before it are kept.
                if evolution.state().record.is_some() {
                    save(&checkpoint, &evolution, &mut history, context)?;
                }
                return Err(error);
            }
        };
        history.add(
            generation,
            &Rows::of(evolution.optimizer().population(), &plan.evaluator),
        )?;
        context.generation_over(&generation);
        let since = context.since_resumed().as_secs_f64();
        context.status.own_share = 1.0 - evolution.playing_time().as_secs_f64() / since;
        let stopped = context.is_stopped();
        if stopped || context.is_saving_due() {
            save(&checkpoint, &evolution, &mut history, context)?;
        }
        if stopped && evolution.ending().is_none() {
            return Err(RunError::Interrupted);
        }
    };
    let state = evolution.state().clone();
    let history = history.sync()?;
    context.save(|| Ok(checkpoint.save_last(&Saved { state, history })?))?;
    Ok((evolution, history, ended))
}

fn save<T: Evaluator>(
    checkpoint: &Checkpoint,
    evolution: &Evolution<'_, T>,
    history: &mut History,
    context: &mut RunContext<'_>,
) -> Result<(), RunError> {
    context.save(|| {
        let saved = Saved {
            history: history.sync()?,
            state: evolution.state().clone(),
        };
        Ok(checkpoint.save(&saved)?)
    })
}

/// The evolution and its history, from the newest good state.
fn open<'a, T: Evaluator>(
    plan: &'a Plan<T>,
    seed: u64,
    checkpoint: &Checkpoint,
    context: &RunContext<'_>,
) -> Result<(Evolution<'a, T>, History), RunError> {
    let path = context.path(HISTORY);
    let found = checkpoint.load::<Saved>()?;
    let mut was_saved = !found.states.is_empty() || !found.damage.is_empty();
    found.damage.into_iter().for_each(|text| context.note(text));
    for saved in found.states {
        match History::resume(&path, saved.history) {
            Ok(history) => return Ok((Evolution::resume(plan, seed, saved.state), history)),
            Err(error) if error.is_damage() => context.note(error.to_string()),
            Err(other) => return Err(other.into()),
        }
    }
    was_saved |= has_lost_its_states(&path)?;
    if was_saved {
        begin_anew(&path, context)?;
    }
    checkpoint.remove()?;
    let history = History::create(&path, &plan.evaluator.columns())?;
    Ok((Evolution::new(plan, seed)?, history))
}

fn choose<T: Evaluator>(
    evolution: &Evolution<'_, T>,
    history: Mark,
    context: &RunContext<'_>,
) -> Result<Choice, RunError> {
    let kept = Checkpoint::new(&context.path(CHOICE));
    let found = kept.load::<Choice>()?;
    found.damage.into_iter().for_each(|text| context.note(text));
    let mut choices = found.states.into_iter();
    if let Some(choice) = choices.find(|choice| choice.history == history) {
        return Ok(choice);
    }
    let games = evolution.final_games();
    if games > 0 {
        let run = context.run.id.clone();
        context.hear(&Event::FinalsBegan { run, games });
    }
    let (genome, selected_at) =
        evolution.choose_champion(context.workers(), &|| context.game_over())?;
    let choice = Choice {
        history,
        genome,
        selected_at,
    };
    if games > 0 {
        kept.save_last(&choice)?;
    }
    Ok(choice)
}
