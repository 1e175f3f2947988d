//! What is said to a bot, and what it may answer.

use games::{AnyGame, registry, stream};
use play::any::{AnyPlayer, AnyPosition};
use play::seating::introduced;
use serde_json::Value;

use super::{Bots, Folder, play};

fn game(name: &str) -> AnyGame {
    registry::build(name, &Default::default()).unwrap()
}

/// A bot that writes down what it hears, and answers every question the same.
fn parrot(folder: &Folder, moves: &str) -> players::Spec {
    let script = format!(
        r#"echo '{{"type":"info","name":"parrot","features":[],"mood":"good"}}'
        while read -r line; do
            printf '%s\n' "$line" >> heard
            case $line in
                *'"type":"rules"'*) echo '{{"type":"weather","sun":true}}'; echo; echo '{{"type":"ready"}}';;
                *'"type":"suggest"'*) echo '{{"type":"suggestion","moves":{moves},"move_info":{{"nodes":1}}}}';;
                *'"type":"quit"'*) exit;;
            esac
        done"#
    );
    folder.bot(&script)
}

fn heard(folder: &Folder) -> Vec<Value> {
    let lines = folder.read("heard");
    lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("a message"))
        .collect()
}

fn kinds(messages: &[Value]) -> String {
    let kinds: Vec<&str> = messages.iter().filter_map(|m| m["type"].as_str()).collect();
    kinds.join(" ")
}

#[test]
fn bots_are_called_what_they_call_themselves_unless_two_have_one_name() {
    let (folder, other) = (Folder::new(), Folder::new());
    let [first, second] = [&folder, &other].map(|folder| parrot(folder, "[]"));
    let game = game("connect");
    let label = |specs: &[players::Spec]| {
        let named = introduced(&game, specs).expect("they start");
        named.iter().map(players::Spec::label).collect::<Vec<_>>()
    };
    let twice = label(&[first.clone(), first.clone()]);
    assert_eq!(twice, ["parrot", "parrot"]);
    assert_eq!(
        label(&[first.clone(), second.clone()]),
        [first.label(), second.label()]
    );
}

/// Also in a game without options, which those of any other game would fit.
#[test]
fn a_bot_is_told_which_game_it_plays() {
    for family in registry::FAMILIES {
        let folder = Folder::new();
        let bot = parrot(&folder, "[]");
        let seats = game(family.name).seats();
        let bots = vec![bot; usize::from(seats)];
        play(family.name, "", bots, 1, 1).expect("a game that is given up");
        assert_eq!(heard(&folder)[0]["gamete"]["game"], family.name);
    }
}

#[test]
fn a_game_of_tetris_is_told_in_the_words_of_the_protocol() {
    let folder = Folder::new();
    // Held pieces, spins and what does not fit are passed over for the first that can be played.
    let any = |piece: &str, x: u8, y: u8| {
        format!(
            r#"{{"location":{{"type":"{piece}","orientation":"north","x":{x},"y":{y}}},"spin":"none"}}"#
        )
    };
    let moves: Vec<String> = (0..8)
        .flat_map(|y| ["O", "I", "T", "J", "L", "S", "Z"].map(|p| any(p, 4, y)))
        .collect();
    let bot = parrot(&folder, &format!("[{}]", moves.join(",")));
    let (_, records) = play("tetris", "limit=3 generator=bag", vec![bot], 1, 1).unwrap();
    assert_eq!((records[0].moves, &records[0].forfeit), (3, &None));
    let heard = heard(&folder);
    // The trial comes first.
    assert_eq!(
        kinds(&heard),
        "rules quit rules start suggest play new_piece suggest play new_piece suggest stop quit"
    );
    let (rules, start, play, new_piece) = (&heard[2], &heard[3], &heard[5], &heard[6]);
    assert_eq!(rules["randomizer"], "seven_bag");
    assert_eq!(rules["gamete"]["game"], "tetris");
    assert_eq!(rules["gamete"]["rules"]["board"], "10x20");
    let board = start["board"].as_array().unwrap();
    assert_eq!(board.len(), 40);
    assert!(board.iter().all(|row| row.as_array().unwrap().len() == 10));
    assert_eq!((&start["hold"], &start["combo"]), (&Value::Null, &0.into()));
    assert_eq!(start["queue"].as_array().unwrap().len(), 2);
    assert_eq!(
        start["randomizer"]["bag_state"].as_array().unwrap().len(),
        5
    );
    assert_eq!(play["move"]["location"]["type"], start["queue"][0]);
    assert_eq!(play["move"]["spin"], "none");
    let queue = heard[7]["gamete"]["position"]
        .as_str()
        .unwrap()
        .split(' ')
        .nth(2)
        .unwrap();
    assert!(
        queue.ends_with(new_piece["piece"].as_str().unwrap()),
        "{queue}"
    );
}

#[test]
fn tetris_of_any_kind_is_played_by_texts() {
    let folder = Folder::new();
    let bot = parrot(&folder, r#"["r0c0", "r1c0", "r0c1"]"#);
    let (_, records) = play(
        "tetris",
        "board=6x12 shapes=pentominoes limit=2",
        vec![bot],
        1,
        1,
    )
    .unwrap();
    assert_eq!((records[0].moves, &records[0].forfeit), (2, &None));
    let start = &heard(&folder)[3];
    assert!(start["board"].is_null(), "{start}");
    assert!(
        start["gamete"]["position"]
            .as_str()
            .unwrap()
            .starts_with("6x12 - ")
    );
}

#[test]
fn directions_are_texts_or_numbers() {
    for moves in [
        r#"["up","right","down","left"]"#,
        "[0,1,2,3]",
        r#"["0","1","2","3"]"#,
    ] {
        let folder = Folder::new();
        let bot = parrot(&folder, moves);
        let (_, records) = play("2048", "win=16 stop-at-win=true", vec![bot], 1, 1).unwrap();
        assert_eq!(records[0].forfeit, None, "{moves}");
        let heard = heard(&folder);
        let (start, suggest, new_piece) = (&heard[3], &heard[4], &heard[6]);
        assert!(start["gamete"]["seed"].is_u64());
        assert!(
            suggest["gamete"]["moves"]
                .as_array()
                .unwrap()
                .iter()
                .all(Value::is_string)
        );
        assert!(
            new_piece["piece"].as_str().unwrap().contains('@'),
            "{new_piece}"
        );
    }
}

#[test]
fn the_moves_of_the_opponent_are_told() {
    let folder = Folder::new();
    let bot = parrot(&folder, "[4, 3, 5, 2, 6, 1, 7]");
    let (_, records) = play("connect", "", vec!["random".parse().unwrap(), bot], 1, 1).unwrap();
    assert_eq!(records[0].forfeit, None);
    let heard = heard(&folder);
    assert_eq!(heard[3]["gamete"]["seat"], 1);
    assert!(
        kinds(&heard).starts_with("rules quit rules start suggest play play suggest play play ")
    );
    assert_eq!(
        (&heard[5]["gamete"]["seat"], &heard[5]["move"]),
        (&1.into(), &4.into())
    );
    assert_eq!(heard[6]["gamete"]["seat"], 0);
}

#[test]
fn a_position_from_elsewhere_is_a_new_start_for_the_same_bot() {
    let folder = Folder::new();
    let bot = parrot(&folder, r#"["1", "2"]"#);
    let game = game("connect");
    let mut player = AnyPlayer::new(&game, &bot, None).unwrap();
    let mut rng = stream(1, &[]);
    for columns in ["", "44", "4444"] {
        let position = AnyPosition::after_moves(&game, columns).unwrap().unwrap();
        assert!(player.choose(&position, &mut rng).is_ok());
    }
    // It chose column 1 and not 4: what follows is another game.
    drop(player);
    assert_eq!(
        kinds(&heard(&folder)),
        "rules start suggest stop start suggest stop start suggest stop quit"
    );
}

#[test]
fn a_bot_that_failed_is_started_again_when_it_is_asked_again() {
    let folder = Folder::new();
    let game = game("2048");
    let bot = folder.bot(
        r#"echo '{"type":"info"}'; read rules; echo '{"type":"ready"}'; read start; read suggest
        [ -e again ] || { touch again; exit 1; }
        echo '{"type":"suggestion","moves":["left"]}'; read stop"#,
    );
    let mut player = AnyPlayer::new(&game, &bot, None).unwrap();
    let position = AnyPosition::parse(&game, "0012/0300/0000/000b").unwrap();
    let mut rng = stream(1, &[]);
    let failed = player.choose(&position, &mut rng);
    assert!(failed.unwrap_err().contains("exit status 1"));
    assert_eq!(player.choose(&position, &mut rng), Ok("left".to_owned()));
}
