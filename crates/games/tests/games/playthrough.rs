//! Whole games as text: every change of the rules shows up here.

use std::fmt::Write;

use games::{Fact, Game, Turn, stream, with_game};

use crate::game;

/// A random game: what happened, and the position after it.
fn playthrough<G: Game>(game: &G) -> String {
    let mut text = format!("rules: {}\n", game.options());
    let mut rng = stream(2048, &[]);
    let mut position = game.start();
    loop {
        writeln!(text, "{position}").unwrap();
        let event = match game.turn(&position) {
            Turn::Over => break,
            Turn::Chance => game.draw(&mut position, &mut rng).to_string(),
            Turn::Player(seat) => {
                let chosen = game.random_move(&position, &mut rng);
                game.play(&mut position, chosen).expect("a legal move");
                format!("player {seat}: {chosen}")
            }
        };
        writeln!(text, "  {event}").unwrap();
    }
    writeln!(text, "score {}", game.score(&position)).unwrap();
    for (name, fact) in game.facts(&position) {
        match fact {
            Fact::Count(value) | Fact::Class(value) => writeln!(text, "{name} {value}").unwrap(),
            Fact::Flag(holds) => writeln!(text, "{name} {holds}").unwrap(),
        }
    }
    text
}

fn check(golden: &str, name: &str, rules: &str) {
    let any = game(name, rules);
    let text = with_game!(&any, game => playthrough(game));
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(golden, text);
    });
}

#[test]
fn games_go_as_they_always_went() {
    check("2048", "2048", "");
    check("2048-fer-3x4", "2048", "rules=fer size=3x4");
    check("2048-to-64", "2048", "win=64 stop-at-win=true");
    check("connect", "connect", "");
    check(
        "connect-few-pieces",
        "connect",
        "rows=3 cols=5 connect=3 pieces=3",
    );
    check("tetris", "tetris", "board=6x8");
    check("tetris-bag", "tetris", "board=5x6 generator=bag known=3");
    check(
        "tetris-cascade",
        "tetris",
        "board=4x9 gravity=cascade known=1",
    );
}
