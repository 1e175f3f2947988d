//! Evolution as a whole: the same for any number of threads, honest about its champions.

use std::collections::BTreeSet;

use evolve::Noise;
use evolve::algorithm::ALGORITHMS;
use games::{AnyGame, registry};
use lab::evolution::evaluator::Evaluator;
use lab::evolution::fitness::Objective;
use lab::evolution::presets::{self, PRESETS, Preset};
use lab::evolution::request::{EvolutionRequest, Part};
use lab::evolution::settings::configure;
use lab::evolution::{Evolution, Generation, Plan, Stop, measurement_seed};
use play::measure::{Measurement, measure};
use play::openings::Openings;
use play::player_file::PlayerFile;
use play::playing::Workers;

fn game(preset: &Preset) -> AnyGame {
    registry::build(preset.game, &preset.rules.parse().expect("options")).expect("allowed rules")
}

/// The plan of a preset.
fn plan(preset: Preset) -> Plan {
    request(preset).plan().expect("a preset fits together")
}

fn request(preset: Preset) -> EvolutionRequest {
    EvolutionRequest {
        preset,
        game: game(&preset),
        player: None,
        chromosome: None,
        algorithm: None,
        settings: Vec::new(),
        initial: None,
        without: Vec::new(),
        start: Vec::new(),
        generations: None,
        stop: Stop::default(),
        games: None,
        growth: None,
        objective: None,
        noise: None,
        common_games: None,
        against: Vec::new(),
        openings: None,
        finalists: None,
        measure: 2000,
        measure_against: (preset.game == "connect").then(|| "random".to_owned()),
        measure_openings: None,
    }
}

/// What came of an evolution.
struct Ran {
    generations: Vec<Generation>,
    /// Every individual of every generation: generation, id, fitness.
    history: Vec<(u32, u64, f64)>,
    /// How many games individuals of the first generation were scored by.
    first_games: BTreeSet<u32>,
    /// Games that were played to score candidates.
    games: u64,
    selected_at: f64,
    champion: PlayerFile,
    /// The champion in fresh games.
    measured: Measurement,
}

fn run(plan: &Plan, threads: usize) -> Ran {
    const SEED: u64 = 1;
    let workers = Workers::new(threads).expect("threads");
    let mut evolution = Evolution::new(plan, SEED).expect("it can be evolved");
    let (mut generations, mut history, mut first_games) = (Vec::new(), Vec::new(), BTreeSet::new());
    while evolution.ending().is_none() {
        let step = evolution.step(&workers, &|| {}).expect("games");
        let generation = step.expect("it is not over");
        for one in evolution.optimizer().population() {
            history.push((generation.number, one.id, one.fitness()));
            if generation.number == 0 {
                first_games.insert(one.evidence.games);
            }
        }
        generations.push(generation);
    }
    let champion = evolution.choose_champion(&workers, &|| {});
    let (genome, selected_at) = champion.expect("a champion");
    let measured = plan.evaluator.measurement(&genome, measurement_seed(SEED));
    let measured = measure(&measured, &workers, &|| {}, &mut |_| {});
    let measured = measured.expect("fresh games").expect("nobody stops it");
    Ran {
        generations,
        history,
        first_games,
        games: evolution.optimizer().games(),
        selected_at,
        champion: plan.evaluator.encoding.file(&genome),
        measured,
    }
}

#[test]
fn every_preset_runs_and_is_the_same_for_any_number_of_threads() {
    for preset in PRESETS {
        let mut plan = plan(*preset);
        plan.stop.generations = 3;
        plan.evaluator.finals.games = 20;
        plan.evaluator.fitness.games = plan.evaluator.fitness.games.min(3);
        let of_threads = |threads| {
            let ran = run(&plan, threads);
            assert_eq!(ran.generations.len(), 4, "{}", preset.name);
            let score = ran.measured.score.mean;
            (ran.champion, ran.selected_at, score, ran.history)
        };
        let one = of_threads(1);
        assert_eq!(one, of_threads(3), "{}", preset.name);
    }
}

#[test]
fn as_published_only_luck_grows() {
    // Its weights do not matter, so the champion plays at random: 1,095.25 points by 100,000 games of the work. Three
    // standard errors: a right program fails once in 370 seeds, and the seed is fixed.
    let mut plan = plan(presets::named("2048-ga-as-published").expect("a preset"));
    plan.stop.generations = 25;
    let ran = run(&plan, 2);
    assert!(ran.selected_at > 1500.0, "selected at {}", ran.selected_at);
    let score = &ran.measured.score;
    let error = score.sd.expect("many games") / 2000_f64.sqrt();
    assert!((score.mean - 1095.25).abs() < 3.0 * error, "{}", score.mean);
}

#[test]
fn as_described_it_works() {
    let mut plan = plan(presets::named("2048-ga").expect("a preset"));
    // The work's way passes 10,000 within 60 generations; this many are enough.
    plan.stop.generations = 16;
    let ran = run(&plan, 2);
    let score = &ran.measured.score;
    assert!(score.mean > 10_000.0, "{}", score.mean);
    // Nobody who keeps a fitness gets worse, and the luck of selection shows.
    assert!(
        ran.generations
            .windows(2)
            .all(|pair| pair[1].best >= pair[0].best)
    );
    assert!(ran.selected_at > score.mean);
}

#[test]
fn honest_scores_do_not_flatter_as_kept_ones_do() {
    let flattery = |noise: Noise| {
        let mut plan = plan(presets::named("2048-ga-as-published").expect("a preset"));
        plan.stop.generations = 12;
        plan.evaluator.fitness.games = 5;
        plan.noise = noise;
        let ran = run(&plan, 2);
        ran.selected_at / ran.measured.score.mean
    };
    let (kept, again) = (flattery(Noise::Keep), flattery(Noise::ReEvaluate));
    assert!(kept > again + 0.2, "kept {kept}, re-evaluated {again}");
}

#[test]
fn racing_plays_fewer_games_than_everybody_in_full() {
    let mut plan = plan(presets::named("2048-ga").expect("a preset"));
    plan.stop.generations = 4;
    plan.evaluator.fitness.games = 4;
    plan.evaluator.fitness.common = true;
    plan.noise = Noise::Racing { rounds: 5 };
    plan.evaluator.finals.games = 50;
    let ran = run(&plan, 2);
    // The first generation has nothing to race for: 100 individuals, but all rounds would be 5 x 4 games for up to 200.
    let all = 100 * 20 + 4 * 200 * 20;
    assert!(ran.games < all * 17 / 20, "{} of {all}", ran.games);
}

#[test]
fn everybody_meets_equally_many_others() {
    let preset = presets::named("connect-ga").expect("a preset");
    for (population, games, others) in [
        (10, 4, 4),
        (7, 100, 6),
        (7, 3, 4),
        (2, 1, 1),
        (50, 49, 49),
        (10, 5, 5),
    ] {
        let mut plan = plan(preset);
        plan.config = configure(
            "connect-ga",
            &[("population".to_owned(), population.to_string())],
        )
        .expect("settings");
        plan.evaluator.fitness.games = games;
        plan.stop.generations = 1;
        plan.evaluator.finals.games = 2;
        // Each of them twice, once first and once second.
        let met: Vec<u32> = run(&plan, 2).first_games.into_iter().collect();
        assert_eq!(
            met,
            [2 * others],
            "{population} individuals, {games} opponents"
        );
    }
}

#[test]
fn objectives_are_those_of_the_game() {
    let tetris = game(&presets::named("tetris").expect("a preset"));
    for name in ["score", "moves", "lines"] {
        assert!(Objective::named(name, &tetris).is_ok(), "{name}");
    }
    let error = Objective::named("line", &tetris)
        .expect_err("there is none")
        .to_string();
    assert!(
        error.contains("score, moves, log-score, pieces, lines"),
        "{error}"
    );
    let connect = game(&presets::named("connect").expect("a preset"));
    assert!(Objective::named("graded", &connect).is_ok());
    assert!(Objective::named("graded", &tetris).is_err());
}

/// Candidates are asked about the same forty positions, on any number of threads, and learn to answer more of them.
#[test]
fn kept_is_the_share_of_positions_whose_worth_is_kept() {
    let rules = "rows=4 cols=5 connect=3".parse().expect("options");
    let request = EvolutionRequest {
        game: registry::build("connect", &rules).expect("allowed rules"),
        objective: Some("kept".to_owned()),
        noise: Some("keep".to_owned()),
        games: Some(40),
        generations: Some(6),
        measure: 50,
        ..request(presets::named("connect").expect("a preset"))
    };
    let plan = request.plan().expect("it fits together");
    let ran = run(&plan, 2);
    assert_eq!(ran.history, run(&plan, 1).history);
    for (_, id, fitness) in &ran.history {
        let right = fitness * 40.0;
        let is_share = (0.0..=40.0).contains(&right) && (right - right.round()).abs() < 1e-9;
        assert!(is_share, "{id}: {fitness}");
    }
    let first = ran
        .history
        .iter()
        .filter(|(generation, ..)| *generation == 0);
    let first: Vec<f64> = first.map(|(_, _, fitness)| *fitness).collect();
    let mean = first.iter().sum::<f64>() / first.len() as f64;
    assert!(
        ran.selected_at > mean + 0.1,
        "{} after {mean}",
        ran.selected_at
    );
}

/// What candidates think of all moves counts.
#[test]
fn likely_is_how_likely_moves_are_that_keep_the_worth() {
    let rules = "rows=4 cols=5 connect=3".parse().expect("options");
    let request = EvolutionRequest {
        game: registry::build("connect", &rules).expect("allowed rules"),
        objective: Some("likely".to_owned()),
        noise: Some("keep".to_owned()),
        games: Some(40),
        generations: Some(6),
        measure: 50,
        ..request(presets::named("connect").expect("a preset"))
    };
    let plan = request.plan().expect("it fits together");
    let ran = run(&plan, 2);
    assert_eq!(ran.history, run(&plan, 1).history);
    for (_, id, fitness) in &ran.history {
        let is_logarithm = (-9.22..=0.0).contains(fitness);
        assert!(is_logarithm, "{id}: {fitness}");
    }
    let best = |last: bool| {
        let of = ran.history.iter().filter(|one| (one.0 > 0) == last);
        of.map(|(_, _, fitness)| *fitness).fold(f64::MIN, f64::max)
    };
    assert!(best(true) > best(false), "{:?}", ran.history);
    assert!((-9.22..0.0).contains(&ran.selected_at));
}

#[test]
fn settings_are_changed_by_name() {
    let set = |key: &str, value: &str| configure("2048-ga", &[(key.to_owned(), value.to_owned())]);
    assert!(set("population", "50").is_ok());
    assert!(set("selection", "tournament(size=3)").is_ok());
    let check = |key: &str, value: &str, expected: &str| {
        let error = set(key, value).expect_err("it is wrong").to_string();
        assert!(error.contains(expected), "{error}");
    };
    check("populaton", "50", "did you mean 'population'");
    check("population", "many", "population = many");
    check("selection", "turnament", "did you mean 'tournament'");
    let error = configure("cmaes", &[])
        .expect_err("there is none")
        .to_string();
    assert!(error.contains("did you mean 'cma-es'"), "{error}");
}

#[test]
fn candidates_that_would_repeat_their_games_begin_in_different_positions() {
    let plan = |preset: &str, against: &[&str]| {
        let preset = presets::named(preset).expect("a preset");
        let against = against.iter().map(|&one| one.to_owned()).collect();
        let request = EvolutionRequest {
            against,
            ..request(preset)
        };
        request.plan().expect("players of the game")
    };
    let openings =
        |preset: &str, against: &[&str]| plan(preset, against).evaluator.fitness.openings;
    let determined = "negamax(depth=2, eval=lines)";
    assert_eq!(openings("connect", &[determined]), Openings::Balanced);
    assert_eq!(openings("connect-ga", &[determined]), Openings::Balanced);
    assert_eq!(
        openings("connect", &["mcts(iterations=10)", determined]),
        Openings::Balanced
    );
    assert_eq!(openings("connect", &["each-other"]), Openings::Balanced);
    // Opponents that draw play different games anyway; the work's candidates begin at the start; 2048 has chance.
    assert_eq!(openings("connect", &[]), Openings::None);
    assert_eq!(openings("connect-ga", &[]), Openings::None);
    assert_eq!(openings("2048", &[]), Openings::None);
    let finals = |preset: &str| plan(preset, &[]).evaluator.finals.openings;
    assert_eq!(finals("connect-ga"), Openings::Balanced);
    assert_eq!(finals("2048"), Openings::None);
}

#[test]
fn openings_make_the_games_of_a_candidate_different() {
    let lengths = |against: &str, openings: &str| {
        let request = EvolutionRequest {
            against: vec![against.to_owned()],
            openings: Some(openings.to_owned()),
            games: Some(10),
            objective: Some("moves".to_owned()),
            ..request(presets::named("connect").expect("a preset"))
        };
        let plan = request.plan().expect("players of the game");
        let evolution = Evolution::new(&plan, 1).expect("it can be evolved");
        let candidates = evolution.optimizer().clone().ask();
        let workers = Workers::new(2).expect("threads");
        let told = plan.evaluator.score(&candidates, 1, &workers, &|| {});
        let different = |scores: &evolve::Scores| {
            let lengths = scores.scores.iter().map(|&moves| moves as u32);
            lengths.collect::<BTreeSet<u32>>().len()
        };
        let told = told.expect("games");
        told.iter().map(different).max().expect("candidates")
    };
    let determined = "negamax(depth=2, eval=lines)";
    // One game as first and one as second, ten times each.
    assert!(lengths(determined, "none") <= 2);
    assert!(lengths(determined, "balanced") > 4);
    assert!(lengths("each-other", "balanced") > 4);
}

fn with_algorithm(player: &str, algorithm: &str) -> EvolutionRequest {
    EvolutionRequest {
        player: Some(player.to_owned()),
        algorithm: Some(algorithm.to_owned()),
        generations: Some(1),
        games: Some(1),
        measure: 2,
        ..request(presets::named("2048-lines").expect("a preset"))
    }
}

#[test]
fn every_optimiser_evolves_the_weights_of_2048() {
    let players = [
        "lines",
        "patches",
        "patches(phases=3)",
        "expectimax(depth=1, eval=corner)",
        "expectimax(depth=1, eval=lines)",
    ];
    for algorithm in ALGORITHMS.iter().filter(|one| one.name != "grid") {
        for player in players {
            let plan = with_algorithm(player, algorithm.name).plan();
            let plan =
                plan.unwrap_or_else(|faults| panic!("{} {player}: {faults}", algorithm.name));
            let ran = run(&plan, 1);
            assert_eq!(ran.generations.len(), 2, "{} {player}", algorithm.name);
            assert!(ran.champion.weights.is_some());
        }
    }
    // A grid of 24 weights has more points than could be searched, and says so.
    let faults = with_algorithm("lines", "grid")
        .plan()
        .expect_err("too many points");
    assert!(
        faults.to_string().contains("a grid of 10^24 points"),
        "{faults}"
    );
    let corner = with_algorithm("expectimax(depth=1, eval=corner)", "grid");
    assert!(corner.plan().is_ok());
}

#[test]
fn games_grow_from_generation_to_generation() {
    let asked = |games, growth| EvolutionRequest {
        generations: Some(4),
        games,
        growth,
        settings: vec![("population".to_owned(), "4".to_owned())],
        ..request(presets::named("2048-lines").expect("a preset"))
    };
    let ran = run(&asked(Some(2), Some(1.5)).plan().expect("a plan"), 1);
    // 2, 3, 5, 6 and 8 games of four candidates.
    let games: Vec<u64> = ran.generations.iter().map(|one| one.games).collect();
    assert_eq!(games, [8, 20, 40, 64, 96]);
    // The preset's growth is that of its own games.
    let growth =
        |request: EvolutionRequest| request.plan().map(|plan| plan.evaluator.fitness.growth);
    assert_eq!(growth(asked(None, None)), Ok(1.0));
    assert_eq!(growth(asked(Some(2), None)), Ok(0.0));
    let faults = growth(asked(None, Some(-1.0))).expect_err("games cannot become fewer");
    assert_eq!(faults.0[0].part, Part::Growth);
}
