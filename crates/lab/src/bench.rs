//! Benchmarks of evolution: whole generations compared with published times, the algorithm's own work, and the cost of a weighted move.

use std::time::Duration;

use evolve::algorithm::PRESETS;
use evolve::benchmarks::{evaluations_to, one_max};
use evolve::cgp::benchmarks::Parity;
use evolve::genome::Space;
use evolve::genome::decode::Chromosome;
use evolve::mutate::AnyMutation;
use evolve::operator::Chosen;
use evolve::{Candidate, Config, Individual, Noise, Optimizer, Range, Scores};
use games::{AnyGame, registry, stream};
use play::any::{AnyPlayer, AnyPosition};
use players::Spec;

use crate::evolution::encoding::Encoding;
use crate::evolution::fitness::{Fitness, Objective, Opponents};
use crate::evolution::positions::Positions;
use play::bench::{Bench, Comparison, Task, Work};
use play::openings::Openings;
use play::playing::Workers;

/// Both 2048-ga and 2048-cgp used two cores.
const THREADS: usize = 2;

/// A generation with a published time.
struct Timed {
    name: &'static str,
    rules: &'static str,
    player: &'static str,
    population: usize,
    games: u32,
    /// Published seconds.
    seconds: f64,
}

const TIMED: [Timed; 2] = [
    Timed {
        name: "2048 generation as published, 100 x 20 games",
        rules: "",
        player: "eight(reading=as-published)",
        population: 100,
        games: 20,
        seconds: 82.0,
    },
    Timed {
        name: "2048 generation of programs, 16 x 3 games, 300 nodes",
        rules: "rules=fer",
        player: "program(columns=300, functions='+,-,*,/,min,max')",
        population: 16,
        games: 3,
        seconds: 3600.0,
    },
];

/// All benchmarks of evolution.
#[must_use]
pub fn benches() -> Vec<Bench> {
    let timed = TIMED
        .iter()
        .map(|timed| -> Bench { Box::new(|time| generations(timed, time)) });
    let sizes =
        [6, 8, 10].map(|size| -> Bench { Box::new(move |time| weighted_moves(size, time)) });
    timed
        .chain([
            Box::new(algorithm_overhead) as Bench,
            Box::new(bred_bits),
            Box::new(mutated_programs),
            Box::new(two_threads),
        ])
        .chain(sizes)
        .collect()
}

fn encoding(rules: &str, player: &str) -> Encoding {
    let options = rules.parse().expect("the rules are options");
    let game = registry::build("2048", &options).expect("the rules are allowed");
    let player: Spec = player.parse().expect("the spec is right");
    let chromosome: Chromosome = "9bit1decimal".parse().expect("a chromosome");
    let reach = Range {
        low: -1.0,
        high: 1.0,
    };
    Encoding::new(game, player, chromosome, reach).expect("the player can be evolved")
}

fn fitness(games: u32) -> Fitness {
    Fitness {
        games,
        growth: 0.0,
        objective: Objective::Score,
        common: false,
        opponents: Opponents::EachOther,
        openings: Openings::None,
        positions: Positions::default(),
    }
}

/// Random genomes, as in a first generation.
fn candidates(encoding: &Encoding, count: usize, generation: u64) -> Vec<Candidate> {
    (0..count)
        .map(|slot| Candidate {
            id: slot as u64,
            generation: generation as u32,
            slot: slot as u32,
            games_before: 0,
            genome: encoding
                .space()
                .random(&mut stream(generation, &[slot as u64])),
        })
        .collect()
}

fn generations(timed: &Timed, time: Duration) -> Comparison {
    let encoding = encoding(timed.rules, timed.player);
    let workers = Workers::new(THREADS).expect("threads can be started");
    let task = Task {
        name: timed.name.to_owned(),
        unit: "generations/s",
        fast: Box::new(|generation| {
            let candidates = candidates(&encoding, timed.population, generation);
            let scored = fitness(timed.games).score(&encoding, &candidates, 1, &workers, &|| {});
            (1, scored.expect("the games can be played").len() as i64)
        }),
        plain: None,
        batch: 1,
        same_work: true,
        several_threads: true,
    };
    let published = 1.0 / timed.seconds;
    let comparison = task.compare(time);
    Comparison {
        published: Some(published),
        over_published: Some(comparison.fast / published),
        ..comparison
    }
}

/// The algorithm's own work for a generation of 100 genomes of 72 bits, compared with the games of such a generation.
fn algorithm_overhead(time: Duration) -> Comparison {
    let encoding = encoding("", "eight");
    let workers = Workers::new(1).expect("a thread can be started");
    let config = Config::Ga(PRESETS[0].config());
    let mut optimizer =
        Optimizer::new(&config, encoding.space().clone(), Noise::Keep, 1).expect("a preset");
    let task = Task {
        name: "2048-ga algorithm vs its games".to_owned(),
        unit: "generations/s",
        fast: Box::new(move |_| {
            let scored: Vec<Scores> = optimizer
                .ask()
                .into_iter()
                .map(|candidate| Scores {
                    id: candidate.id,
                    scores: vec![(candidate.id % 97) as f64; 20],
                })
                .collect();
            optimizer.tell(&scored).expect("they were asked for");
            (1, scored.len() as i64)
        }),
        plain: Some(Box::new(|generation| {
            let candidates = candidates(&encoding, 100, generation);
            let scored = fitness(20).score(&encoding, &candidates, 1, &workers, &|| {});
            (1, scored.expect("the games can be played").len() as i64)
        })),
        batch: 1,
        same_work: false,
        several_threads: false,
    };
    task.compare(time)
}

/// The genetic algorithm's own work on 1,000 bits, whose score is the number of ones: breeding, ranking and bookkeeping.
fn bred_bits(time: Duration) -> Comparison {
    let config = Config::Ga(PRESETS[0].config());
    let optimizer = |seed| {
        let space = Space::Bits { genes: 1000 };
        Optimizer::new(&config, space, Noise::Keep, seed).expect("a preset")
    };
    let task = Task {
        name: "genetic algorithm's own work, 1,000 bits".to_owned(),
        unit: "evaluations/s",
        fast: Box::new(|seed| {
            const EVALUATIONS: u64 = 20_000;
            let impossible = f64::INFINITY;
            let mut optimizer = optimizer(seed);
            evaluations_to(&mut optimizer, impossible, EVALUATIONS, one_max);
            let best = optimizer.best().map_or(0.0, Individual::fitness);
            (EVALUATIONS, best as i64)
        }),
        plain: None,
        batch: 1,
        same_work: true,
        several_threads: false,
    };
    task.compare(time)
}

/// Cartesian genetic programming on even parity of five bits with 100 nodes: one child after the other is mutated and scored, and replaces its
/// parent unless it is worse.
fn mutated_programs(time: Duration) -> Comparison {
    let problem = Parity::new(5, 100).expect("a grid");
    let space = Space::Program(problem.grid().clone());
    let single: Chosen<AnyMutation> = Chosen::new("single").expect("a mutation");
    let task = Task {
        name: "cgp mutated and evaluated, parity of five bits".to_owned(),
        unit: "evaluations/s",
        fast: Box::new(|seed| {
            const EVALUATIONS: u64 = 20_000;
            let mut rng = stream(seed, &[]);
            let mut parent = space.random(&mut rng);
            let (mut child, mut best) = (parent.clone(), problem.score(&parent));
            for _ in 0..EVALUATIONS {
                child.clone_from(&parent);
                single.mutate(&space, &mut child, &mut rng);
                let score = problem.score(&child);
                if score >= best {
                    best = score;
                    std::mem::swap(&mut parent, &mut child);
                }
            }
            (EVALUATIONS, best as i64)
        }),
        plain: None,
        batch: 1,
        same_work: true,
        several_threads: false,
    };
    task.compare(time)
}

/// A generation of 2048-ga on two threads compared with one: the speed-up of a second core.
fn two_threads(time: Duration) -> Comparison {
    let encoding = encoding("", "eight");
    let generation = |threads: usize| -> Work<'_> {
        let workers = Workers::new(threads).expect("threads can be started");
        let encoding = &encoding;
        Box::new(move |generation| {
            let candidates = candidates(encoding, 100, generation);
            let scored = fitness(20).score(encoding, &candidates, 1, &workers, &|| {});
            let scored = scored.expect("the games can be played");
            let scores = scored.iter().flat_map(|one| &one.scores);
            (1, scores.sum::<f64>() as i64)
        })
    };
    let task = Task {
        name: "2048-ga generation, two threads vs one".to_owned(),
        unit: "generations/s",
        fast: generation(THREADS),
        plain: Some(generation(1)),
        batch: 1,
        same_work: true,
        several_threads: true,
    };
    task.compare(time)
}

/// Moves of the weighted player on a square board compared with 4x4, in units of M N^2 per move: flat if that is the cost.
fn weighted_moves(size: u8, time: Duration) -> Comparison {
    let on = |size: u8| {
        let rules = format!("rows={size} cols={size}").parse().expect("options");
        let game = registry::build("connect", &rules).expect("the rules are allowed");
        move |number: u64| (u64::from(size).pow(3) * moves_of_game(&game, number), 0)
    };
    let task = Task {
        name: format!("connect weighted, M N^2 per move, {size}x{size} vs 4x4"),
        unit: "M N^2/s",
        fast: Box::new(on(size)),
        plain: Some(Box::new(on(4))),
        batch: 1,
        same_work: false,
        several_threads: false,
    };
    task.compare(time)
}

/// Lets the weighted player choose in every position of a random game, and returns the number of positions.
fn moves_of_game(game: &AnyGame, number: u64) -> u64 {
    let spec = "weighted".parse().expect("the spec is right");
    let mut player = AnyPlayer::new(game, &spec, None).expect("the spec is right");
    let mut rng = stream(number, &[]);
    let mut position = AnyPosition::start(game);
    let mut moves = 0;
    while !position.is_over() {
        player.think(&position, &mut rng);
        position.play_at_random(&mut rng);
        moves += 1;
    }
    moves
}
