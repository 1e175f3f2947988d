//! Impossible rules are refused with one sentence that says what is allowed.

use games::registry::FAMILIES;
use games::{Options, registry};

fn check(name: &str, rules: &str, expected: &str) {
    let options: Options = rules.parse().expect("options");
    let error = registry::build(name, &options)
        .map(|_| ())
        .expect_err(rules)
        .to_string();
    assert!(error.contains(expected), "{error}");
    assert!(!error.contains('\n'), "one line: {error}");
}

#[test]
fn wrong_rules_of_2048() {
    check("2048", "rules=classic", "must be 'standard' or 'fer'");
    check("2048", "size=4", "3x3 to 5x5");
    check("2048", "size=2x4", "3x3 to 5x5");
    check("2048", "size=6x6", "3x3 to 5x5");
    check("2048", "win=1000", "power of two");
    check("2048", "win=4", "from 8 to");
    check("2048", "four=1.5", "from 0 to 1");
    check("2048", "four=NaN", "from 0 to 1");
    check("2048", "stop-at-win=maybe", "'true' or 'false'");
    check("2048", "sise=4x4", "did you mean 'size'?");
}

#[test]
fn wrong_rules_of_connect() {
    check("connect", "rows=0", "from 1 to 128");
    check("connect", "rows=12 cols=12", "144 cells; at most 128");
    check("connect", "connect=8", "from 2 to 7");
    check("connect", "connect=1", "from 2 to");
    check("connect", "pieces=0", "from 1 to 128");
    check("connect", "rows=1 cols=1", "no line");
    check("connect", "rows=x", "whole number");
}

#[test]
fn wrong_rules_of_tetris() {
    check("tetris", "board=3x20", "4");
    check("tetris", "board=10x41", "40");
    check("tetris", "board=10", "board = 10");
    check("tetris", "known=0", "from 1 to 8");
    check("tetris", "limit=0", "limit = 0");
    check("tetris", "shapes=QQ", "shapes = QQ");
    check("tetris", "generator=fair", "generator = fair");
    check("tetris", "generator=S=-1", "generator = S=-1");
    check(
        "tetris",
        "shapes=SZ generator=S=0,Z=0",
        "generator = S=0,Z=0",
    );
    check("tetris", "gravity=none", "gravity = none");
}

#[test]
fn an_unknown_game_lists_the_known_ones() {
    check("2084", "", "did you mean '2048'?");
    let names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
    check("chess", "", &names.join(", "));
}

#[test]
fn options_are_collected_from_pairs_and_serialised_as_a_sorted_map() {
    let options: Options = [("win", "64"), ("size", "3x3")].into_iter().collect();
    assert_eq!(options.to_string(), "size=3x3 win=64");
    let text = r#"{"size":"3x3","win":"64"}"#;
    assert_eq!(serde_json::to_string(&options).expect("JSON"), text);
    assert_eq!(
        serde_json::from_str::<Options>(text).expect("options"),
        options
    );
    assert!("size=3x3 win".parse::<Options>().is_err());
}
