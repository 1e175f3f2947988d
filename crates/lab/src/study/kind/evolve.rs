//! `evolve`: finds the weights or the program of a player, and measures the champion on fresh games.

use std::path::Path;
use std::time::{Duration, Instant};

use evolve::Genome;
use games::AnyGame;
use serde::{Deserialize, Serialize};

use super::subject::{self, OBJECTIVE, SUBJECT};
use super::table::{GAME, beside};
use super::{Experiment, Kind, Short};
use crate::blueprint::Blueprint;
use crate::evolution::{Ending, Evolution, Plan, State, Stop};
use crate::measure::MOST_GAMES;
use crate::play::Workers;
use crate::run::checkpoint::Checkpoint;
use crate::run::desk::{Desk, RunError};
use crate::run::event::Event;
use crate::run::file::{replace, set_aside};
use crate::run::history::{Chronicle, History, Rows};
use crate::run::ledger::{LedgerError, Mark};
use crate::run::outcome::Outcome;
use crate::run::sample;
use crate::stats::Better;
use crate::study::keys::{Key, Shape};
use crate::study::reading::Reading;
use crate::trial::{Games, Trial};

/// The file of the champion.
pub(crate) const CHAMPION: &str = "champion.json";
/// The file of the history.
pub(crate) const HISTORY: &str = "history";
const CHECKPOINT: &str = "checkpoint";
/// Who won the finals, so that they need not be played again; kept until the run has an outcome.
const CHOICE: &str = "choice.part";

/// The kind.
pub(super) const KIND: Kind = Kind {
    name: "evolve",
    about: "finds the weights or the program of a player and measures the champion on fresh games",
    keys: &[
        GAME[0],
        GAME[1],
        SUBJECT[0],
        SUBJECT[1],
        SUBJECT[2],
        SUBJECT[3],
        OBJECTIVE,
        Key::new(
            "optimizer",
            Shape::Open,
            "The algorithm and its settings; 'gamete algorithms NAME' lists them",
        ),
        Key::new(
            "optimizer.algorithm",
            Shape::Text,
            "The algorithm, or the genetic algorithm of one of the documents",
        ),
        Key::new(
            "fitness.games",
            Shape::Whole(1, 1_000_000),
            "Games a candidate plays (connect: opponents it meets)",
        ),
        Key::new(
            "fitness.noise",
            Shape::Text,
            "What earlier scores count: keep, re-evaluate, fresh, racing",
        ),
        Key::new(
            "fitness.common-games",
            Shape::Truth,
            "Whether all candidates of a generation play the same games",
        ),
        Key::new(
            "fitness.against",
            Shape::Texts,
            "In a game for two: whom candidates play, or each-other",
        ),
        Key::new(
            "stop.generations",
            Shape::Whole(0, 10_000_000),
            "Generations after the first",
        ),
        Key::new(
            "stop.evaluations",
            Shape::Whole(1, u64::MAX >> 1),
            "Stop when so many candidates have been scored",
        ),
        Key::new(
            "stop.time",
            Shape::Time,
            "Stop after so much working time; results then depend on the machine",
        ),
        Key::new(
            "stop.target",
            Shape::Real,
            "Stop when a generation's best fitness reaches this",
        ),
        Key::new(
            "stop.no-progress",
            Shape::Whole(1, 10_000_000),
            "Stop when so many generations bring nothing better",
        ),
        Key::new(
            "final.games",
            Shape::Whole(2, MOST_GAMES),
            "Fresh games by which the champion is measured",
        ),
        Key::new(
            "final.finalists",
            Shape::Whole(1, 1000),
            "The fittest so many play for the title; 1: the fittest ever seen has it",
        ),
        Key::new(
            "final.against",
            Shape::Text,
            "In a game for two: whom the champion is measured against",
        ),
    ],
    short: &[
        ("stop.generations", Short::AtMost(2)),
        ("fitness.games", Short::AtMost(2)),
        ("final.games", Short::AtMost(20)),
    ],
    read,
};

/// Fresh games by which a champion is measured if nothing is said.
const MEASURE: u64 = 2000;

fn read(reading: &mut Reading<'_>) -> Option<Box<dyn Experiment>> {
    let blueprint = Blueprint {
        algorithm: reading.text("optimizer.algorithm"),
        settings: reading.others("optimizer", &["algorithm"]),
        generations: reading.whole("stop.generations"),
        stop: stop(reading),
        games: reading.whole("fitness.games"),
        noise: reading.text("fitness.noise"),
        common_games: reading.truth("fitness.common-games"),
        finalists: reading.whole("final.finalists"),
        measure: reading.whole("final.games").unwrap_or(MEASURE),
        measure_against: reading
            .text("final.against")
            .map(|player| beside(reading, player)),
        ..subject::blueprint(reading)?
    };
    let plan = subject::plan(&blueprint, reading)?;
    Some(Box::new(Evolve { plan }))
}

fn stop(reading: &Reading<'_>) -> Stop {
    Stop {
        // The blueprint knows better.
        generations: 0,
        evaluations: reading.whole("stop.evaluations"),
        target: reading.real("stop.target"),
        no_progress: reading.whole("stop.no-progress"),
        time: reading.time("stop.time"),
    }
}

/// An evolution of a player.
#[derive(Debug)]
struct Evolve {
    plan: Plan,
}

/// What is saved between two generations.
#[derive(Serialize, Deserialize)]
struct Saved {
    state: State,
    history: Mark,
}

/// Who won the finals.
#[derive(Serialize, Deserialize)]
struct Choice {
    /// The history they follow from; after any other they are played again.
    history: Mark,
    genome: Genome,
    selected_at: f64,
}

impl Experiment for Evolve {
    fn steps(&self) -> u64 {
        u64::from(self.plan.stop.generations) + 1
    }

    fn step_name(&self) -> &'static str {
        "generations"
    }

    fn games(&self) -> Option<u64> {
        let first = Evolution::new(&self.plan).ok()?.candidates() as u64;
        let each = u64::from(self.plan.trial.fitness.games);
        Some(first * each * self.steps() + self.plan.trial.finals.games)
    }

    fn game(&self) -> Option<&AnyGame> {
        Some(self.plan.trial.subject.game())
    }

    fn main_metric(&self) -> (String, Better) {
        let objective = self.plan.trial.fitness.objective;
        let name = objective.name(self.plan.trial.subject.game());
        // Shares of games not lost are for selection; a champion is measured by its results.
        let name = if ["not-lost", "graded"].contains(&name) {
            "score"
        } else {
            name
        };
        (name.to_owned(), Better::Higher)
    }

    fn wants_the_machine(&self) -> bool {
        self.plan.stop.time.is_some()
    }

    fn run(&self, seed: u64, desk: &mut Desk<'_>) -> Result<Outcome, RunError> {
        let plan = Plan {
            seed,
            ..self.plan.clone()
        };
        let (evolution, history, ended) = evolve_all(&plan, desk)?;
        let Choice {
            genome,
            selected_at,
            ..
        } = choose(&evolution, history, desk)?;
        let mut outcome = Outcome::default();
        outcome.ended = Some(ended);
        outcome.number("selected at", selected_at);
        outcome.number(
            "generations",
            f64::from(evolution.optimizer().generation().saturating_sub(1)),
        );
        outcome.number("evaluations", evolution.state().evaluations as f64);
        outcome.number("games", evolution.optimizer().games() as f64);
        measure(&plan, &genome, desk, &mut outcome)?;
        Ok(outcome)
    }

    fn calibrate(
        &self,
        seed: u64,
        workers: &Workers,
        time: Duration,
    ) -> Result<Duration, RunError> {
        let plan = Plan {
            seed,
            ..self.plan.clone()
        };
        let mut evolution = Evolution::new(&plan)?;
        let (started, mut last, mut done) = (Instant::now(), Duration::ZERO, 0);
        while started.elapsed() < time && evolution.ending().is_none() {
            let began = Instant::now();
            if evolution.step(workers, &|| {})?.is_none() {
                break;
            }
            (last, done) = (began.elapsed(), done + 1);
        }
        let left = self.steps().saturating_sub(done);
        Ok(started.elapsed() + last.mul_f64(left as f64))
    }
}

/// Evolves from where the run is to the end.
fn evolve_all<'a>(
    plan: &'a Plan,
    desk: &mut Desk<'_>,
) -> Result<(Evolution<'a, Games>, Mark, Ending), RunError> {
    let checkpoint = Checkpoint::new(&desk.path(CHECKPOINT));
    let (mut evolution, mut history) = open(plan, &checkpoint, desk)?;
    desk.begin(
        u64::from(evolution.optimizer().generation()),
        u64::from(plan.stop.generations) + 1,
    );
    let ended = loop {
        if let Some(ending) = evolution.ending() {
            break ending;
        }
        if plan.stop.time.is_some_and(|most| desk.worked() >= most)
            && evolution.state().record.is_some()
        {
            break Ending::Time;
        }
        let shared = &*desk;
        let step = evolution.step(desk.workers(), &|| shared.game_over())?;
        let Some(generation) = step else {
            break Ending::Exhausted;
        };
        history.add(
            generation,
            &Rows::of(evolution.optimizer().population(), &plan.trial),
        )?;
        desk.generation_over(&generation);
        let since = desk.since_resumed().as_secs_f64();
        desk.status.own_share = 1.0 - evolution.playing_time().as_secs_f64() / since;
        let stopped = desk.is_stopped();
        if stopped || desk.is_saving_due() {
            save(&checkpoint, &evolution, &mut history, desk)?;
        }
        if stopped && evolution.ending().is_none() {
            return Err(RunError::Interrupted);
        }
    };
    let state = evolution.state().clone();
    let history = history.sync()?;
    desk.save(|| Ok(checkpoint.save_last(&Saved { state, history })?))?;
    Ok((evolution, history, ended))
}

fn save(
    checkpoint: &Checkpoint,
    evolution: &Evolution<'_, Games>,
    history: &mut History,
    desk: &mut Desk<'_>,
) -> Result<(), RunError> {
    desk.save(|| {
        let saved = Saved {
            history: history.sync()?,
            state: evolution.state().clone(),
        };
        Ok(checkpoint.save(&saved)?)
    })
}

/// The evolution and its history, from the newest state that is good.
fn open<'a>(
    plan: &'a Plan,
    checkpoint: &Checkpoint,
    desk: &Desk<'_>,
) -> Result<(Evolution<'a, Games>, History), RunError> {
    let path = desk.path(HISTORY);
    let found = checkpoint.load::<Saved>()?;
    let mut was_saved = !found.states.is_empty() || !found.damage.is_empty();
    found.damage.into_iter().for_each(|text| desk.note(text));
    for saved in found.states {
        match History::resume(&path, saved.history) {
            Ok(history) => return Ok((Evolution::resume(plan, saved.state), history)),
            Err(error) if error.is_damage() => desk.note(error.to_string()),
            Err(other) => return Err(other.into()),
        }
    }
    was_saved |= has_lost_its_states(&path)?;
    if was_saved {
        begin_anew(&path, desk)?;
    }
    checkpoint.remove()?;
    let history = History::create(&path, &plan.trial.columns())?;
    Ok((Evolution::new(plan)?, history))
}

/// The first generation is saved before the second begins: a longer history without any state did not come from a crash.
fn has_lost_its_states(history: &Path) -> Result<bool, RunError> {
    if !history.exists() {
        return Ok(false);
    }
    match Chronicle::read(history) {
        Ok(Chronicle {
            generations,
            damage,
            ..
        }) => Ok(generations.len() > 1 || matches!(damage, Some(LedgerError::Damaged { .. }))),
        Err(error) if error.is_damage() => Ok(true),
        Err(other) => Err(other.into()),
    }
}

fn begin_anew(history: &Path, desk: &Desk<'_>) -> Result<(), RunError> {
    let mut text =
        "no good state is left: the run begins anew and ends with the same numbers".to_owned();
    if history.exists() {
        let aside = set_aside(history)?;
        let (history, aside) = (history.display(), aside.display());
        text.push_str(&format!("; {history} is kept as {aside}"));
    }
    desk.note(text);
    Ok(())
}

fn choose(
    evolution: &Evolution<'_, Games>,
    history: Mark,
    desk: &Desk<'_>,
) -> Result<Choice, RunError> {
    let kept = Checkpoint::new(&desk.path(CHOICE));
    let found = kept.load::<Choice>()?;
    found.damage.into_iter().for_each(|text| desk.note(text));
    let mut choices = found.states.into_iter();
    if let Some(choice) = choices.find(|choice| choice.history == history) {
        return Ok(choice);
    }
    let games = evolution.final_games();
    if games > 0 {
        let run = desk.run.id.clone();
        desk.hear(&Event::FinalsBegan { run, games });
    }
    let (genome, selected_at) = evolution.choose_champion(desk.workers(), &|| desk.game_over())?;
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

/// Measures the champion and keeps it.
fn measure(
    plan: &Plan,
    genome: &Genome,
    desk: &mut Desk<'_>,
    outcome: &mut Outcome,
) -> Result<(), RunError> {
    let champion = plan.trial.subject.file(genome);
    let text = serde_json::to_string_pretty(&champion).expect("plain data") + "\n";
    replace(&desk.path(CHAMPION), text.as_bytes())?;
    let measured = plan.trial.measurement(genome, plan.measurement_seed(), 1);
    let (run, games) = (desk.run.id.clone(), measured.games);
    desk.hear(&Event::FinalsBegan { run, games });
    let records = sample::sample(&measured, desk)?;
    outcome.measured(&sample::finish(&measured, &records, desk)?, &records);
    outcome.champion = Some(champion);
    Ok(())
}
