//! The kind `deviation`.

use super::{NEVER, check_flaws, check_same, finished, run_study, short_steps};

const FEW: &str = r#"
name = "few"
kind = "deviation"
preset = "2048-ga-as-published"
game = { name = "2048" }
deviation = { individuals = 24, truth = 200, games = [50, 5, 1] }
"#;

#[test]
fn threads_and_interruptions_change_nothing() {
    check_same(FEW, 700);
}

/// An older state depends on when it was saved, so it does not stay.
#[test]
fn only_the_last_state_is_kept() {
    let root = tempfile::tempdir().expect("a directory");
    let (ran, _) = run_study(FEW, root.path(), 2, NEVER);
    let run = &ran.folder.runs().expect("a run")[0];
    assert!(run.path.join("checkpoint").is_file());
    assert!(!run.path.join("checkpoint.previous").exists());
}

/// Deviations shrink with the square root of the games: the means to be expected are about as 1 to 3 to 7. The seed is fixed.
#[test]
fn more_games_deviate_less() {
    let (outcomes, _, _) = finished(FEW, 2);
    let value = |name: &str| outcomes[0].metrics[name].value;
    assert!(value("mean at 50 games") < value("mean at 5 games"));
    assert!(value("mean at 5 games") < value("mean at 1 games"));
    assert!(value("max at 1 games") > value("mean at 1 games"));
    assert!(value("sd at 1 games") > 0.0);
    assert!(outcomes[0].metrics["mean at 50 games"].ci95.is_some());
    assert_eq!((value("individuals"), value("left out")), (24.0, 0.0));
    let rows: Vec<&str> = outcomes[0].tables[0]
        .rows
        .iter()
        .map(|row| row[0].as_str())
        .collect();
    assert_eq!(rows, ["50", "5", "1"]);
    let plot = &outcomes[0].plots[0];
    assert_eq!((plot.name.as_str(), plot.log), ("deviation", [true, false]));
    let numbers: Vec<f64> = plot.series[0].1.iter().map(|point| point.0).collect();
    assert_eq!(numbers, [1.0, 5.0, 50.0]);
}

#[test]
fn what_never_changes_does_not_deviate() {
    let text = r#"
name = "constant"
kind = "deviation"
game = { name = "tetris", limit = 3, board = "10x20" }
fitness.objective = "moves"
deviation = { individuals = 3, truth = 10, games = [4, 1] }
"#;
    let (outcomes, _, _) = finished(text, 2);
    let value = |name: &str| outcomes[0].metrics[name].value;
    assert_eq!(value("truth"), 3.0);
    assert_eq!(
        (value("mean at 4 games"), value("max at 1 games")),
        (0.0, 0.0)
    );
}

/// Two pieces never clear a line of ten cells.
#[test]
fn individuals_whose_truth_is_nothing_are_left_out() {
    let text = r#"
name = "nothing"
kind = "deviation"
game = { name = "tetris", limit = 2, board = "10x20" }
fitness.objective = "lines"
deviation = { individuals = 3, truth = 10, games = [1] }
"#;
    let (outcomes, _, _) = finished(text, 2);
    assert_eq!(outcomes[0].metrics["left out"].value, 3.0);
    assert!(!outcomes[0].metrics.contains_key("mean at 1 games"));
}

#[test]
fn a_game_for_two_needs_opponents_that_stay() {
    let text = |against: &str| {
        format!(
            "name = \"two\"\nkind = \"deviation\"\npreset = \"connect-ga\"\n{against}\ngame.name = \"connect\"\n\
             deviation = {{ individuals = 3, truth = 10, games = [4, 1] }}\n"
        )
    };
    check_flaws(&text(""), &[(1, "fitness.against")]);
    let (outcomes, statuses, _) = finished(&text("fitness.against = [\"random\"]"), 2);
    assert!(outcomes[0].metrics["individuals"].value > 0.0);
    assert_eq!(statuses[0].games, 3 * 15 * 2);
}

#[test]
fn everything_wrong_is_told_at_once() {
    let text = r#"name = "wrong"
kind = "deviation"
chromosome = "reels"
[game]
name = "2048"
[fitness]
objective = "happiness"
games = 3
[deviation]
individuals = 1
games = [5, 5]
"#;
    check_flaws(
        text,
        &[
            (3, "chromosome"),
            (7, "fitness.objective"),
            (8, "fitness.games"),
            (10, "deviation.individuals"),
            (11, "deviation.games"),
        ],
    );
}

#[test]
fn a_short_form_is_short() {
    assert_eq!(short_steps(FEW), 4);
}
