//! The perfect player holds what can be held, whatever its limits leave of the exact score.

use games::connect::{Column, Connect, Position};
use games::{Game, Turn, stream};
use players::Player;
use players::solver::{Budget, Config, Effort, Perfect, Solver, Verdict};

use super::{after, classic, rules, solver};

fn with_book() -> Solver {
    let config = Config {
        book: true,
        ..Config::default()
    };
    Solver::new(classic(), config)
}

fn refining(nodes: u64) -> Perfect {
    Perfect::new(Effort {
        refine: Some(nodes),
        ..Effort::default()
    })
}

fn choose(player: &mut Perfect, position: &Position<u64>) -> Column {
    let game = Connect::<u64>::new(classic());
    player.choose(&game, position, &mut stream(0, &[]))
}

/// The verdict for the player to move.
fn verdict(solver: &mut Solver, position: &Position<u64>) -> Verdict {
    let weak = solver.weak(position, &Budget::default());
    weak.expect("no limit").verdict
}

/// The verdict for the player who makes the move.
fn verdict_of(solver: &mut Solver, position: &Position<u64>, column: Column) -> Verdict {
    let game = Connect::<u64>::new(classic());
    let mut after = *position;
    game.play(&mut after, column).expect("a legal move");
    match verdict(solver, &after) {
        Verdict::Loss => Verdict::Win,
        Verdict::Draw => Verdict::Draw,
        Verdict::Win => Verdict::Loss,
    }
}

fn check_held(player: &mut Perfect, position: &Position<u64>) {
    let chosen = choose(player, position);
    let mut solver = with_book();
    let held = verdict_of(&mut solver, position, chosen);
    assert_eq!(held, verdict(&mut solver, position), "{position}");
}

/// Positions that the book decides, and one beyond it; 43 and 44434 were once thrown away in a hurry.
#[test]
fn openings_are_held() {
    for moves in ["", "3", "4", "43", "44", "354", "444", "44434"] {
        check_held(&mut refining(1000), &after(classic(), moves));
    }
}

#[test]
#[ignore = "takes a minute: openings beyond the book"]
fn openings_beyond_the_book_are_held() {
    for moves in ["1", "2", "12", "44444", "4443", "1234", "434512"] {
        check_held(&mut refining(1000), &after(classic(), moves));
    }
}

/// Positions after `plies` random moves in which the game is not over.
fn positions(plies: u32, count: u64) -> impl Iterator<Item = Position<u64>> {
    let game = Connect::<u64>::new(classic());
    let random = (0..).map(move |seed| {
        let mut position = game.start();
        let mut rng = stream(seed, &[]);
        while position.plies() < plies && game.turn(&position) != Turn::Over {
            let chosen = game.random_move(&position, &mut rng);
            game.play_unchecked(&mut position, chosen);
        }
        (game.turn(&position) != Turn::Over).then_some(position)
    });
    random.flatten().take(count as usize)
}

#[test]
fn the_verdict_is_held_without_refinement() {
    for position in positions(20, 60) {
        check_held(&mut refining(1), &position);
    }
}

#[test]
fn enough_refinement_finds_the_best_score() {
    let exact = |position: &Position<u64>, refine: Option<u64>| {
        let budget = Budget {
            refine,
            ..Budget::default()
        };
        solver(classic())
            .best_move(position, &budget)
            .expect("a move")
    };
    for position in positions(22, 40) {
        let best = exact(&position, None);
        let score = solver(classic()).solve(&position, &Budget::default());
        assert_eq!(best.score, Some(score.expect("no limit").score));
        let refined = exact(&position, Some(best.nodes));
        assert_eq!((refined.column, refined.score), (best.column, best.score));
    }
}

/// A player with limited refinement must not profit from what it saw before: who plays which game on which thread
/// would show.
#[test]
fn a_limited_choice_depends_on_the_position_alone() {
    let mut busy = refining(500);
    for position in positions(20, 30) {
        assert_eq!(
            choose(&mut busy, &position),
            choose(&mut refining(500), &position)
        );
    }
}

/// However few nodes: what is chosen is legal, and a proved score is the true one.
#[test]
fn a_limit_of_nodes_never_claims_too_much() {
    for position in positions(18, 30) {
        let truth = solver(classic()).best_move(&position, &Budget::default());
        let truth = truth.expect("a move");
        for nodes in [0, 1, 50, 500, 5000] {
            let budget = Budget {
                nodes: Some(nodes),
                ..Budget::default()
            };
            let best = solver(classic())
                .best_move(&position, &budget)
                .expect("a move");
            assert!(best.nodes <= nodes);
            if best.score.is_some() {
                assert_eq!((best.column, best.score), (truth.column, truth.score));
            }
        }
    }
}

/// Hints in the first moves: all scores, from the book.
#[test]
fn openings_are_judged_at_once() {
    let game = Connect::<u64>::new(classic());
    let mut player = Perfect::new(Effort {
        nodes: Some(20_000),
        ..Effort::default()
    });
    for moves in ["4", "43", "444"] {
        let judged = player.judge(&game, &after(classic(), moves), &mut stream(0, &[]));
        assert_eq!(judged.len(), 7, "{moves}");
    }
}

/// More pieces than fill the board change nothing, fewer do: there the book must not be asked.
#[test]
fn the_book_is_asked_where_it_holds() {
    let budget = Budget {
        nodes: Some(20_000),
        ..Budget::default()
    };
    for (pieces, proved) in [(20, false), (21, true), (64, true)] {
        let rules = rules(6, 7, 4, pieces);
        let config = Config {
            book: true,
            ..Config::default()
        };
        let solved = Solver::new(rules, config).solve(&after(rules, "4"), &budget);
        assert_eq!(solved.is_ok(), proved, "{pieces} pieces");
    }
}
