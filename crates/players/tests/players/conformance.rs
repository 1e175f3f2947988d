//! What every player must fulfil, in every game it plays.

use games::{AnyGame, Game, Turn, registry as all_games, stream, with_game};
use players::arena::{Dice, Finished, Observer, play_out};
use players::network::{AnyLookup, Floats, Shape, shelf};
use players::registry::{self, PLAYERS};
use players::{Playable, Player, Spec};

/// Parameters that make a player quick enough to be tried everywhere.
fn quick(name: &str) -> String {
    match name {
        "minimax" | "alphabeta" | "negamax" => format!("{name}(depth=2)"),
        "expectimax" => "expectimax(depth=2)".to_owned(),
        "mcts" => "mcts(iterations=12)".to_owned(),
        "perfect" => "perfect(nodes=300)".to_owned(),
        "beam" => "beam(width=3)".to_owned(),
        "astar-full" => "astar-full(depth=3, nodes=2000)".to_owned(),
        "hill-climbing" => "hill-climbing(restarts=3, depth=3)".to_owned(),
        _ => name.to_owned(),
    }
}

/// The player of a network of two cells, with weights that differ; none if there are no networks under these rules.
fn network(game: &AnyGame) -> Option<String> {
    let lookup = AnyLookup::new(game, &Shape::of("0,1")).ok()?;
    let mut weights = Floats::zeroed(lookup.tables().iter().sum()).expect("memory");
    for (place, weight) in weights.entries_mut().iter_mut().enumerate() {
        *weight = (place % 7) as f32 / 7.0;
    }
    let id = format!("{} {}", game.family().name, game.options());
    let id = id.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    shelf::put(&id, lookup.with(weights));
    Some(format!("network(id={id})"))
}

/// Every player in every game it plays, under some of the game's example rules.
fn everywhere(mut check: impl FnMut(&Spec, &AnyGame)) {
    for entry in PLAYERS {
        for family in all_games::FAMILIES
            .iter()
            .filter(|family| entry.plays(family.name))
        {
            for example in family.examples.iter().take(4) {
                let game = family
                    .build(&example.parse().expect("options"))
                    .expect("allowed rules");
                let text = match entry.kind.name {
                    "network" => network(&game),
                    name => Some(quick(name)),
                };
                if let Some(text) = text {
                    check(&text.parse().expect("a spec"), &game);
                }
            }
        }
    }
}

/// The moves of a player in a game, at most `most` of them, each checked to be legal.
fn moves<G: Playable>(game: &G, spec: &Spec, seed: u64, most: usize) -> Vec<G::Move> {
    let mut player = game.prepare(spec).expect("a player").player();
    let (mut chance, mut own) = (stream(seed, &[0]), stream(seed, &[1]));
    let mut position = game.start();
    let mut chosen = Vec::new();
    while chosen.len() < most {
        match game.turn(&position) {
            Turn::Over => break,
            Turn::Chance => {
                game.draw(&mut position, &mut chance);
            }
            Turn::Player(_) => {
                let choice = player.choose(game, &position, &mut own);
                game.play(&mut position, choice)
                    .unwrap_or_else(|error| panic!("{spec}: {error}"));
                chosen.push(choice);
            }
        }
    }
    chosen
}

#[test]
fn moves_are_legal_and_the_same_for_the_same_generator() {
    everywhere(|spec, any| {
        with_game!(any, game => assert_eq!(moves(game, spec, 5, 30), moves(game, spec, 5, 30), "{spec}"));
    });
}

/// Lets a player make the first moves of a game of its own.
fn play_some<G: Game>(game: &G, player: &mut dyn Player<G>, most: usize) {
    let mut rng = stream(99, &[]);
    let mut position = game.start();
    for _ in 0..3 * most {
        match game.turn(&position) {
            Turn::Over => break,
            Turn::Chance => {
                game.draw(&mut position, &mut rng);
            }
            Turn::Player(_) => {
                let chosen = player.choose(game, &position, &mut rng);
                game.play_unchecked(&mut position, chosen);
            }
        }
    }
}

#[test]
fn a_player_does_not_change_when_it_has_played_before() {
    // Nothing left over from one game may influence the next, on whichever thread it is played.
    everywhere(|spec, any| {
        with_game!(any, game => {
            let fresh = moves(game, spec, 6, 8);
            let mut player = game.prepare(spec).expect("a player").player();
            play_some(game, &mut *player, 8);
            let mut position = game.start();
            let mut chance = stream(6, &[0]);
            while game.turn(&position) == Turn::Chance {
                game.draw(&mut position, &mut chance);
            }
            let first = player.choose(game, &position, &mut stream(6, &[1]));
            assert_eq!(Some(&first), fresh.first(), "{spec}");
        });
    });
}

#[test]
fn values_are_of_legal_moves() {
    everywhere(|spec, any| {
        with_game!(any, game => {
            let mut player = game.prepare(spec).expect("a player").player();
            let mut rng = stream(8, &[]);
            let mut position = game.start();
            let mut legal = Vec::new();
            for _ in 0..30 {
                match game.turn(&position) {
                    Turn::Over => break,
                    Turn::Chance => {
                        game.draw(&mut position, &mut rng);
                        continue;
                    }
                    Turn::Player(_) => {}
                }
                game.moves(&position, &mut legal);
                for (judged, value) in player.judge(game, &position, &mut rng) {
                    assert!(legal.contains(&judged) && !value.is_nan(), "{spec}: {judged} {value}");
                }
                let chosen = game.random_move(&position, &mut rng);
                game.play_unchecked(&mut position, chosen);
            }
        });
    });
}

/// The last position of a random game in which somebody had a choice.
fn last_choice<G: Game>(game: &G, seed: u64) -> G::Position {
    let mut rng = stream(seed, &[]);
    let mut position = game.start();
    let mut last = None;
    loop {
        match game.turn(&position) {
            Turn::Over => return last.expect("there was a move"),
            Turn::Chance => {
                game.draw(&mut position, &mut rng);
            }
            Turn::Player(_) => {
                last = Some(position.clone());
                let chosen = game.random_move(&position, &mut rng);
                game.play_unchecked(&mut position, chosen);
            }
        }
    }
}

#[test]
fn the_last_positions_of_a_game_are_no_trouble() {
    everywhere(|spec, any| {
        with_game!(any, game => {
            let mut player = game.prepare(spec).expect("a player").player();
            for seed in 0..2 {
                let mut last = last_choice(game, seed);
                let chosen = player.choose(game, &last, &mut stream(seed, &[1]));
                game.play(&mut last, chosen).unwrap_or_else(|error| panic!("{spec}: {error}"));
            }
        });
    });
}

fn refused(game: &str, spec: &str) -> String {
    let any = all_games::build(game, &games::Options::default()).expect("a game");
    let read = spec.parse::<Spec>();
    let error = match read {
        Err(error) => error,
        Ok(spec) => with_game!(&any, game => game.prepare(&spec).err().expect("refused")),
    };
    error.to_string()
}

fn check_refused(game: &str, spec: &str, expected: &[&str]) {
    let error = refused(game, spec);
    for part in expected {
        assert!(error.contains(part), "{spec}: {error}");
    }
}

#[test]
fn a_misspelt_spec_is_refused_with_the_place_and_the_nearest_name() {
    check_refused(
        "2048",
        "minmax",
        &["character 1", "did you mean 'minimax'?"],
    );
    check_refused(
        "2048",
        "minimax(dept=5)",
        &["character 9", "did you mean 'depth'?"],
    );
    check_refused(
        "2048",
        "minimax(depth=0)",
        &["character 9", "from 1 to 100"],
    );
    check_refused("2048", "minimax(depth=many)", &["from 1 to 100"]);
    check_refused(
        "2048",
        "minimax(depth=3, eval=scor)",
        &["character 18", "did you mean 'score'?"],
    );
    check_refused("connect", "minimax(eval=corner)", &["only for 2048"]);
    check_refused("connect", "expectimax", &["plays only 2048"]);
    check_refused(
        "2048",
        "minimax(depth=3",
        &["character 16", "expected ',' or ')'"],
    );
    check_refused("2048", "minimax(depth=3) x", &["character 18"]);
    check_refused(
        "2048",
        "minimax(depth=3, depth=4)",
        &["character 18", "duplicate parameter"],
    );
    check_refused("2048", "mcts(kind=tree)", &["must be one of uct, flat"]);
    check_refused(
        "2048",
        "greedy(eval=eight, weights='1 2 3')",
        &["expected 8, in the order P1"],
    );
    check_refused("2048", "greedy(eval='score)", &["unclosed quote"]);
    check_refused("2048", "", &["expected a player's name"]);
}

/// As slow as a player can be made; the others never think long.
const SLOW: &[&str] = &[
    "minimax(depth=100)",
    "alphabeta(depth=100)",
    "negamax(depth=100)",
    "expectimax(depth=12, cutoff=0)",
    "mcts(iterations=100000000)",
    "perfect",
    "astar-full(depth=60, nodes=100000000)",
    "astar(depth=60, nodes=100000000)",
    "best-first(depth=60, nodes=100000000)",
    "ida-star(depth=60, nodes=100000000)",
    "hill-climbing(restarts=100000, depth=1000)",
];

/// Chooses and judges in a position from which the game is long, and would not come back for hours.
fn stop_at_once<G: Playable>(game: &G, spec: &Spec) {
    let mut position = game.start();
    let mut rng = stream(1, &[]);
    while game.turn(&position) == Turn::Chance {
        game.draw(&mut position, &mut rng);
    }
    let mut player = game.prepare(spec).expect("a player").player();
    player.limit(std::sync::Arc::new(|| true));
    let chosen = player.choose(game, &position, &mut rng);
    player.judge(game, &position, &mut rng);
    assert!(game.play(&mut position, chosen).is_ok(), "{spec}");
}

#[test]
fn a_player_that_thinks_long_can_be_stopped() {
    for spec in SLOW {
        let spec: Spec = spec.parse().expect("a spec");
        let entries = registry::find(&spec).expect("a kind of player");
        let plays = |name: &str| entries.iter().any(|entry| entry.plays(name));
        for family in all_games::FAMILIES.iter().filter(|one| plays(one.name)) {
            // Without its book the solver would think about the first move for hours, too.
            let rules = match family.name {
                "connect" => "rows=9 cols=10",
                _ => "",
            };
            let game = family.build(&rules.parse().expect("options"));
            with_game!(&game.expect("allowed rules"), game => stop_at_once(game, &spec));
        }
    }
}

/// Looks at every step, so that no game is played out at once.
struct Steps;

impl<G: Game> Observer<G> for Steps {}

/// A game of random players.
fn random_game<G: Playable>(
    game: &G,
    number: u64,
    observer: &mut impl Observer<G>,
) -> (G::Position, Finished, Dice) {
    let random = game.prepare(&"random".parse().expect("a spec"));
    let random = random.expect("a player");
    let mut players: Vec<_> = (0..game.seats()).map(|_| random.player()).collect();
    let (mut position, mut dice) = (game.start(), Dice::of(3, number));
    let finished = play_out(game, &mut position, &mut players, &mut dice, observer);
    (position, finished, dice)
}

#[test]
fn random_games_are_the_same_step_by_step_and_at_once() {
    for family in all_games::FAMILIES {
        for example in family.examples.iter().take(4) {
            let options = example.parse().expect("options");
            let game = family.build(&options).expect("allowed rules");
            for number in 0..20 {
                with_game!(&game, game => {
                    let (steps, at_once) = (
                        random_game(game, number, &mut Steps),
                        random_game(game, number, &mut ()),
                    );
                    assert_eq!(steps, at_once, "{} {example}: game {number}", family.name);
                });
            }
        }
    }
}
