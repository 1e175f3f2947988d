//! Specs are read, written, compared and labelled.

use std::collections::HashSet;

use spec::Spec;

fn read(text: &str) -> Spec {
    text.parse().expect("a spec")
}

#[test]
fn the_canonical_text_does_not_depend_on_how_it_was_written() {
    let check = |written: &str, canonical: &str| {
        let spec = read(written);
        assert_eq!(spec.to_string(), canonical);
        assert_eq!(read(canonical), spec, "{canonical} reads back");
        assert_eq!(read(canonical).to_string(), canonical);
    };
    check(" random ", "random");
    check("random()", "random");
    check(
        "minimax(depth=5,eval = score)",
        "minimax(depth=5, eval=score)",
    );
    check("minimax(depth='5')", "minimax(depth=5)");
    check("eight(weights=\"1 -2.5e3\")", "eight(weights='1 -2.5e3')");
    check("exec(cmd=\"echo 'hi'\")", "exec(cmd=\"echo 'hi'\")");
    check("exec(cmd='say \"hi\"')", "exec(cmd='say \"hi\"')");
    check("exec(cmd='')", "exec(cmd='')");
    check(
        "expectimax(eval=network( file='a b.network' ), depth=2)",
        "expectimax(eval=network(file='a b.network'), depth=2)",
    );
    check("greedy(eval=\"f(a=1)\")", "greedy(eval=f(a=1))");
    check("greedy(eval='f(a = 1)')", "greedy(eval='f(a = 1)')");
    check("exec(cmd='sh -c (ls)')", "exec(cmd='sh -c (ls)')");
}

#[test]
fn a_parameter_that_is_set_is_part_of_the_canonical_text() {
    let spec = read("eight(depth=2)");
    let other = spec.clone().with("weights", "1 2").with("depth", "3");
    assert_eq!(other.to_string(), "eight(depth=3, weights='1 2')");
    assert_eq!(read(&other.to_string()), other);
    assert_ne!(spec, other);
}

#[test]
fn a_label_is_no_part_of_the_identity() {
    let plain = read("eight(weights='1 2')");
    let labelled = plain.clone().with_label("champ.json");
    assert_eq!(labelled.label(), "champ.json");
    assert_eq!(labelled.to_string(), plain.to_string());
    assert_eq!(labelled, plain);
    assert_eq!(HashSet::from([labelled, plain]).len(), 1);
}

#[test]
fn two_players_of_one_label_differ() {
    let [old, new] = ["1 2", "1 3"].map(|weights| {
        let spec = read("eight").with("weights", weights);
        spec.with_label("champ.json")
    });
    assert_eq!(old.label(), new.label());
    assert_ne!(old, new);
    assert_ne!(old.to_string(), new.to_string());
}

#[test]
fn a_label_does_not_outlive_what_it_names() {
    let labelled = read("eight(weights='1 2')").with_label("champ.json");
    let changed = labelled.with("weights", "3 4");
    assert_eq!(changed.label(), "eight(weights='3 4')");
}

#[test]
fn without_a_label_people_read_the_text_with_long_values_cut() {
    let check = |text: &str, label: &str| assert_eq!(read(text).label(), label);
    check("minimax( depth=5 )", "minimax(depth=5)");
    let weights = "1234567 ".repeat(8);
    check(
        &format!("eight(depth=2, weights='{weights}')"),
        "eight(depth=2, weights='1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234...')",
    );
}

#[test]
fn errors_point_into_the_text_as_it_was_written() {
    let spec = read("minimax(eval=score,  depth=99)");
    let error = spec.at("depth", "too deep".to_owned());
    assert_eq!(error.place(), 21);
    assert_eq!(
        error.to_string(),
        "player 'minimax(eval=score,  depth=99)', character 22: too deep"
    );
    let error = spec.with_label("a.json").at("depth", "too deep".to_owned());
    assert_eq!(error.to_string(), "player 'a.json', character 1: too deep");
}

#[test]
fn wrong_text_is_refused_at_its_place() {
    let check = |text: &str, place: usize, problem: &str| {
        let error = text.parse::<Spec>().expect_err("a wrong text");
        assert_eq!(error.place(), place, "{error}");
        assert!(error.to_string().contains(problem), "{error}");
    };
    check("", 0, "expected a player's name");
    check("random x", 7, "unexpected text");
    check("minimax(depth)", 13, "expected '='");
    check("minimax(depth=1 eval=score)", 16, "expected ',' or ')'");
    check("minimax(depth=1, depth=2)", 17, "duplicate parameter");
    check("exec(cmd='x)", 9, "unclosed quote");
}

#[test]
fn the_path_of_a_file_needs_no_quotes() {
    let spec: Spec = "expectimax(depth=2, eval=network(file=a-b/r1/c.network))"
        .parse()
        .expect("a spec");
    let within: Spec = spec.get("eval").expect("a value").parse().expect("a spec");
    assert_eq!(within.get("file"), Some("a-b/r1/c.network"));
    let again: Spec = spec.to_string().parse().expect("its own text");
    assert_eq!(again.get("eval"), spec.get("eval"));
    assert!("a/b(c=1)".parse::<Spec>().is_err());
}
