//! The kind `measure`.

use lab::run::event::Event;

use super::{NEVER, check_flaws, check_same, finished, run_study, short_steps, try_to_run};

const RANDOM: &str = r#"
name = "random"
kind = "measure"
player = "random"
repeats = 2
game = { name = "2048" }
measure.games = 4000
"#;

#[test]
fn threads_and_interruptions_change_nothing() {
    check_same(RANDOM, 20);
}

#[test]
fn won_games_and_times_are_told_apart() {
    let text = r#"
name = "won"
kind = "measure"
player = "random"
game = { name = "2048", win = 64 }
measure = { games = 300, move-times = true }
"#;
    let (outcomes, statuses, bytes) = finished(text, 2);
    let value = |name: &str| outcomes[0].metrics[name].value;
    assert!(value("won") > 0.0 && value("won") < 1.0);
    assert!(value("score of won games") > value("score"));
    assert!(value("moves of won games") > 0.0);
    assert!(value("score of lost games") < value("score"));
    assert!(value("moves of lost games") < value("moves of won games"));
    // The squares of a mixture of two groups are those within the groups and those between them.
    let parts = |what: &str, result: &str| {
        let mean = value(&format!("{what} of {result} games"));
        (mean, value(&format!("{what} sd of {result} games")))
    };
    for (what, all) in [("score", "score sd"), ("moves", "moves sd")] {
        let games = [300.0 * value("won"), 300.0 * (1.0 - value("won"))];
        let squares: f64 = [parts(what, "won"), parts(what, "lost")]
            .iter()
            .zip(games)
            .map(|(&(mean, sd), n)| (n - 1.0) * sd * sd + n * (mean - value(what)).powi(2))
            .sum();
        let whole = (squares / 299.0).sqrt();
        assert!((value(all) / whole - 1.0).abs() < 1e-9, "{what}: {whole}");
    }
    assert!(!bytes[0].contains(" ms"), "{}", bytes[0]);
    let times: Vec<&str> = statuses[0].times.keys().map(String::as_str).collect();
    let expected = [
        "games a second",
        "ms a move",
        "ms a move, sd over games",
        "total ms a game",
        "total ms a game, sd",
    ];
    assert_eq!(times, expected);
    let plot = &statuses[0].plots[0];
    assert_eq!(plot.name, "time-by-move");
    let points = &plot.series[0].1;
    assert!((2..=400).contains(&points.len()));
    assert!(points.is_sorted_by(|a, b| a.0 < b.0));
    assert!(points[0].0 >= 1.0 && points.iter().all(|point| point.1 > 0.0));
}

#[test]
fn a_game_for_two_is_played_against_itself_or_another() {
    let text = |more: &str| {
        format!(
            "name = \"two\"\nkind = \"measure\"\nplayer = \"mcts(iterations=20)\"\n{more}\n\
             game = {{ name = \"connect\" }}\nmeasure = {{ games = 40, both-seats = true }}\n"
        )
    };
    let score = |more: &str| finished(&text(more), 2).0[0].metrics["score"].value;
    assert!(score("against = \"random\"") > 0.5);
    assert!(score("") < 0.5);
}

#[test]
fn players_without_random_numbers_play_different_games() {
    let text = |more: &str| {
        format!(
            "name = \"two\"\nkind = \"measure\"\nplayer = \"weighted\"\nagainst = \"negamax(depth=2, eval=lines)\"\n\
             game = {{ name = \"connect\" }}\nmeasure = {{ games = 20, both-seats = true{more} }}\n"
        )
    };
    let different = |more: &str| {
        let outcome = finished(&text(more), 2).0.remove(0);
        let metric = outcome.metrics.get("different games");
        metric.map(|metric| metric.value)
    };
    assert_eq!(different(""), None);
    assert_eq!(different(", openings = \"none\""), Some(2.0));
    assert_eq!(different(", openings = \"random(plies=3)\""), None);
}

#[test]
fn progress_comes_while_it_plays() {
    let root = tempfile::tempdir().expect("a directory");
    let (_, events) = run_study(RANDOM, root.path(), 2, NEVER);
    let last = events.iter().rev().find_map(|event| match event {
        Event::Progress {
            done,
            of,
            mean,
            games,
            ..
        } => Some((*done, *of, *games, mean.is_some())),
        _ => None,
    });
    assert_eq!(last, Some((4000, 4000, 4000, true)));
}

#[test]
fn games_of_a_champion_do_not_count_as_generations() {
    let text = r#"
name = "champion"
preset = "2048-ga"
game = { name = "2048" }
stop.generations = 1
fitness.games = 1
final.games = 50
"#;
    let root = tempfile::tempdir().expect("a directory");
    let (_, events) = run_study(text, root.path(), 2, NEVER);
    let progress = |event: &Event| match event {
        Event::Progress { done, of, .. } => Some((*done, *of)),
        _ => None,
    };
    let progress: Vec<_> = events.iter().filter_map(progress).collect();
    assert_eq!(progress, [(1, 2), (2, 2)]);
    let measuring = |event: &Event| {
        matches!(
            event,
            Event::Measuring {
                done: 50,
                of: 50,
                ..
            }
        )
    };
    assert!(events.iter().any(measuring));
}

#[test]
fn everything_wrong_is_told_at_once() {
    let text = r#"name = "wrong"
kind = "measure"
player = "minimax(deep=3)"
against = "random"
[game]
name = "2048"
win = 7
[measure]
games = 1
both-seats = "yes"
move-time = "0s"
gams = 10
"#;
    let told = check_flaws(
        text,
        &[
            (3, "player"),
            (7, "game.win"),
            (9, "measure.games"),
            (10, "measure.both-seats"),
            (11, "measure.move-time"),
            (12, "measure.gams"),
        ],
    );
    assert!(told.contains("depth"), "{told}");
    let alone = text
        .replace("minimax(deep=3)", "no-such.json")
        .replace("win = 7", "");
    let told = check_flaws(
        &alone,
        &[
            (3, "player"),
            (9, "measure.games"),
            (10, "measure.both-seats"),
            (11, "measure.move-time"),
            (12, "measure.gams"),
        ],
    );
    assert!(told.contains("no-such.json"), "{told}");
    let none = "name = \"none\"\nkind = \"measure\"\n";
    check_flaws(none, &[(1, "game.name"), (1, "player")]);
    let for_one = "name = \"a\"\nkind = \"measure\"\nplayer = \"random\"\nagainst = \"random\"\ngame.name = \"2048\"\n";
    check_flaws(for_one, &[(4, "against")]);
}

#[test]
fn a_short_form_is_short() {
    assert_eq!(short_steps(RANDOM), 4);
}

#[test]
fn a_player_file_that_changed_is_not_taken_for_the_one_before() {
    let root = tempfile::tempdir().expect("a directory");
    let write = |weight: f64| {
        let weights = vec![weight; 8];
        let player = serde_json::json!({
            "format": "gamete-player", "version": 1, "game": "2048", "player": "eight", "weights": weights,
        });
        std::fs::write(root.path().join("champ.json"), player.to_string()).expect("written");
    };
    let study = "name = \"files\"\nkind = \"measure\"\nplayer = \"champ.json\"\n[game]\nname = \"2048\"\n[measure]\ngames = 200\n";
    write(1.0);
    let (stopped, _) = run_study(study, root.path(), 2, 80);
    assert!(stopped.interrupted);
    write(2.0);
    let (resumed, _) = try_to_run(study, root.path(), 2, NEVER);
    let error = resumed.expect_err("another player").to_string();
    assert!(error.contains("the contents of champ.json"), "{error}");
    // The same player in a file that is written otherwise is the same player.
    write(1.0);
    let path = root.path().join("champ.json");
    let text = std::fs::read_to_string(&path).expect("read");
    std::fs::write(&path, text.replace(',', ", ")).expect("written");
    let (resumed, _) = run_study(study, root.path(), 2, NEVER);
    assert_eq!(resumed.finished, 1);
}

#[test]
fn a_program_that_changed_is_not_taken_for_the_one_before() {
    let root = tempfile::tempdir().expect("a directory");
    let program = |factor: u32| {
        let script = format!(
            "while read line; do id=${{line#*:}}; echo '{{\"id\":'${{id%%,*}}',\"fitness\":{factor}}}'; done\n"
        );
        std::fs::write(root.path().join("score.sh"), script).expect("written");
    };
    let study = "name = \"programs\"\nkind = \"evolve\"\n[fitness]\nexec = \"sh score.sh\"\ngenes = 2\n[stop]\ngenerations = 30\n[final]\ngames = 4\n";
    program(1);
    let (stopped, _) = run_study(study, root.path(), 1, 20);
    assert!(stopped.interrupted);
    program(2);
    let (resumed, _) = try_to_run(study, root.path(), 1, NEVER);
    let error = resumed.expect_err("another program").to_string();
    assert!(error.contains("the contents of score.sh"), "{error}");
}
