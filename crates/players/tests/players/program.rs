//! `program`: every game has one, its own or that of any game.

use games::connect::{Column, Connect, Rules};
use games::registry::FAMILIES;
use games::{Game, Options, stream, with_game};
use players::{Playable, Spec, Tunable};

fn spec(text: &str) -> Spec {
    text.parse().expect("a spec")
}

#[test]
fn every_game_can_be_played_by_a_program_that_evolution_finds() {
    for family in FAMILIES {
        let game = family.build(&Options::default()).expect("the defaults");
        let tunable = with_game!(&game, game => game.tunable(&spec("program")));
        assert!(
            matches!(tunable, Ok(Tunable::Program(_))),
            "{}",
            family.name
        );
    }
}

#[test]
fn the_program_of_a_game_itself_comes_first() {
    let game = games::registry::build("2048", &Options::default()).expect("the defaults");
    let tunable = with_game!(&game, game => game.tunable(&spec("program")));
    let Ok(Tunable::Program(grid)) = tunable else {
        panic!("{tunable:?}");
    };
    assert_eq!(grid.outputs(), 4, "one output per direction");
}

/// One row of six cells, of which two in a line win.
fn row() -> Connect<u64> {
    let rules = "rows=1 cols=6 connect=2".parse().expect("options");
    Connect::new(Rules::from_options(&rules).expect("allowed rules"))
}

fn values(program: &str, moves: &str) -> Vec<f64> {
    let game = row();
    let spec = spec(&format!("program(columns=1, program='{program}')"));
    let mut player = game.prepare(&spec).expect("a player").player();
    let position = game.position_after(moves).expect("legal moves");
    let judged = player.judge(&game, &position, &mut stream(1, &[]));
    let best = player.choose(&game, &position, &mut stream(1, &[]));
    let highest = judged
        .iter()
        .map(|&(_, value)| value)
        .fold(f64::MIN, f64::max);
    let first = judged.iter().find(|&&(_, value)| value == highest);
    assert_eq!(Some(best), first.map(|&(column, _)| column));
    judged.into_iter().map(|(_, value)| value).collect()
}

#[test]
fn inputs_are_the_cells_after_the_move_and_the_seat_that_moved() {
    // The output is input 3: the fourth cell.
    assert_eq!(values("0 0 0 3", ""), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(values("0 0 0 3", "1"), [0.0, 0.0, 2.0, 0.0, 0.0]);
    // The output is node 7, which multiplies the fourth cell by input 6, the seat.
    assert_eq!(values("2 3 6 7", ""), [0.0; 6]);
    assert_eq!(values("2 3 6 7", "1"), [0.0, 0.0, 2.0, 0.0, 0.0]);
}

#[test]
fn of_equal_moves_the_first_is_played() {
    let game = row();
    let mut player = game.prepare(&spec("program")).expect("a player").player();
    let chosen = player.choose(&game, &game.start(), &mut stream(1, &[]));
    assert_eq!(chosen, Column(0));
}

#[test]
fn the_program_of_any_game_may_be_cyclic() {
    for family in FAMILIES {
        let game = family.build(&Options::default()).expect("the defaults");
        let tunable = |text: &str| with_game!(&game, game => game.tunable(&spec(text)));
        let Ok(Tunable::Program(grid)) = tunable("program(cyclic=3)") else {
            panic!("{}", family.name);
        };
        assert_eq!(grid.passes(), Some(3), "{}", family.name);
        let error = tunable("program(cyclic=0)").unwrap_err().to_string();
        let allowed = "cyclic = 0: must be no, or a number from 1 to 1000";
        assert!(error.contains(allowed), "{error}");
    }
}
