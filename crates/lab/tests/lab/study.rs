//! Study files: what is wrong with them, templates, the schema, and studies whose fitness is a program.

mod odd;
mod program;
mod schema;

use std::path::Path;

use lab::study::{Form, Study, Template, template, templates};

fn parse(text: &str) -> Result<Study, String> {
    let study = Study::parse(text, "study.toml", Path::new("/nowhere"), Form::Whole);
    study.map_err(|flaws| flaws.to_string())
}

#[test]
fn every_template_is_a_study() {
    for Template { name, .. } in templates() {
        let text = template(&name).expect("a template");
        let study = parse(&text).unwrap_or_else(|flaws| panic!("{name}: {flaws}\n{text}"));
        assert_eq!(study.name, format!("my-{name}"));
        assert!(text.starts_with("#:schema "), "{name}");
        // What is offered to be uncommented must be right as well.
        let all = text.replace("# [[vary]]", "[[vary]]");
        let all = all.replace("# optimizer.algorithm = [", "optimizer.algorithm = [");
        let all = all.replace("# fitness.games = [", "fitness.games = [");
        let all = all.replace("# train.", "train.");
        let study = parse(&all).unwrap_or_else(|flaws| panic!("{name}: {flaws}"));
        assert_eq!(study.settings.len(), 4, "{name}");
    }
    let names: Vec<String> = templates().into_iter().map(|one| one.name).collect();
    assert!(names.contains(&"2048-train".to_owned()), "{names:?}");
    for unknown in ["chess", "tetris-train", "chess-train", "other-train"] {
        assert_eq!(template(unknown), None);
    }
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let text = "\
name = \"My Study\"
repeets = 3
kind = \"evolve\"
[game]
name = \"tetris\"
known = 20
ghost = true
[optimizer]
algorithm = \"cma-es\"
popluation = 10
[fitness]
games = \"many\"
goal = \"lowest\"
[stop]
time = \"soon\"
[notify]
webhook = \"nowhere\"
[notify.email]
to = \"me\"
[[vary]]
seed = [1, 2]
";
    let expected = r#"study.toml: 12 things are wrong; nothing was started
  line 1, name: 'My Study' must be 1 to 80 lowercase letters, digits and hyphens: its runs are in a directory of this name
    | name = "My Study"
  line 2, repeets: unknown key (did you mean 'repeats'?); expected one of charts, chromosome, compare, final, fitness, game, initial, kind, name, notify, optimizer, player, preset, question, reference, repeats, same-start, seed, short, start, stop, vary, without
    | repeets = 3
  line 6, game.known: 20: must be a whole number from 1 to 8
    | known = 20
  line 7, game.ghost: tetris has no rule 'ghost'; its rules are board, known, limit, shapes, generator, gravity, hold
    | ghost = true
  line 10, optimizer.popluation: cma-es has no setting 'popluation' (did you mean 'population'?); its settings are population, sigma, start, restarts
    | popluation = 10
  line 12, fitness.games: must be a whole number from 1 to 1000000, not "many"
    | games = "many"
  line 13, fitness.goal: needs fitness.exec, a program as fitness; this study plays a game
    | goal = "lowest"
  line 15, stop.time: must be a time like "30s", "10m" or "1h 30m", not "soon"
    | time = "soon"
  line 17, notify.webhook: webhook must be a URL like https://example.org/hook
    | webhook = "nowhere"
  line 18, notify.email.from: is missing; e.g. from = "gamete@example.org"
    | [notify.email]
  line 18, notify.email.server: is missing; e.g. server = "smtps://me@mail.example.org"
    | [notify.email]
  line 21, vary.seed: seed belongs to the study as a whole and cannot be varied
    | seed = [1, 2]"#;
    assert_eq!(parse(text).unwrap_err(), expected);
}

#[test]
fn keys_that_exclude_each_other_are_told() {
    let text = "\
name = \"a\"
player = \"eight\"
preset = \"2048\"
[game]
name = \"2048\"
[fitness]
exec = \"true\"
names = [\"a\", \"b\"]
genes = 3
objective = \"score\"
low = 2
high = 1
";
    let flaws = parse(text).unwrap_err();
    for part in [
        "line 2, player: cannot be combined with fitness.exec",
        "line 3, preset: cannot be combined",
        "line 4, game: cannot be combined",
        "line 10, fitness.objective: cannot be combined",
        "line 8, fitness.names: there are 2 names but 3 genes",
    ] {
        assert!(flaws.contains(part), "{part}\n{flaws}");
    }
}

#[test]
fn a_file_with_thousands_of_flaws_shows_the_first() {
    let text: String = (0..40_000)
        .map(|number| format!("key{number} = 1\n"))
        .collect();
    let flaws = parse(&text).unwrap_err();
    assert!(flaws.lines().count() < 100, "{}", flaws.lines().count());
    assert!(flaws.ends_with(" more"), "{flaws}");
}

#[test]
fn what_is_no_study_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let check = |name: &str, part: &str| {
        let error = Study::read(&folder.path().join(name), Form::Whole).unwrap_err();
        assert!(error.to_string().contains(part), "{name}: {error}");
    };
    check("", "is a directory");
    check("missing.toml", "cannot read the study");
    std::fs::write(folder.path().join("binary"), [0xff, 0xfe, 0, 1]).unwrap();
    check("binary", "not UTF-8 text");
    std::fs::write(folder.path().join("large"), vec![b'#'; 5 << 20]).unwrap();
    check("large", "larger than");
    std::fs::write(folder.path().join("empty"), "").unwrap();
    check("empty", "name: is missing");
}

/// A dotted key stands for tables, even in quotes.
#[test]
fn keys_that_are_nested_too_deeply_are_refused() {
    let deep = vec!["a"; 100_000].join(".");
    let start =
        "name = \"deep\"\nkind = \"measure\"\nplayer = \"random\"\n[game]\nname = \"2048\"\n";
    for text in [
        format!("{start}[[vary]]\n\"{deep}\" = [1]\n"),
        format!("{start}[[vary]]\nsettings = [{{ label = \"x\", \"{deep}\" = 1 }}]\n"),
        format!("{start}[short]\n\"{deep}\" = 1\n"),
        format!("{start}\"{deep}\" = 1\n"),
    ] {
        for form in [Form::Whole, Form::Short] {
            let read = Study::parse(&text, "study.toml", Path::new("/nowhere"), form);
            let message = read.expect_err("it is too deep").to_string();
            assert!(message.contains("at most 16 levels"), "{message}");
        }
    }
    let bare = format!("{start}{deep} = 1\n");
    parse(&bare).expect_err("TOML itself has a limit");
}

#[test]
fn too_many_runs_are_refused_before_anything_is_built() {
    let settings = |count: usize, name: &str| {
        let labels: Vec<String> = (0..count)
            .map(|n| format!("{{ label = \"{name}{n}\" }}"))
            .collect();
        format!("[[vary]]\nsettings = [{}]\n", labels.join(","))
    };
    let text = |repeats: u32, question: &str, vary: &str| {
        format!(
            "name = \"many\"\nquestion = \"{question}\"\nrepeats = {repeats}\nkind = \"measure\"\nplayer = \"random\"\n[game]\nname = \"2048\"\n{vary}"
        )
    };
    let hundred = settings(100, "a") + &settings(100, "b");
    let refused = |text: &str, part: &str| {
        let message = parse(text).expect_err("it is too large");
        assert!(message.contains(part), "{message}");
    };
    refused(
        &text(10_000, "", &hundred),
        "10000 settings x 10000 repeats are 100000000 runs; at most 100000",
    );
    refused(
        &text(1, "", &(hundred.clone() + &settings(2, "c"))),
        "more than 10000 settings",
    );
    let long = "x".repeat(200_000);
    refused(&text(1, &long, &hundred), "need too much memory");
    let study = parse(&text(10, "", &hundred)).expect("a large study");
    assert_eq!(
        (study.settings.len(), study.runs().len()),
        (10_000, 100_000)
    );
    assert_eq!(study.settings[1].label, "a0, b1");
}
