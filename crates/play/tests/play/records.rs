//! Champions that come with the program, measured again in fresh games.

use std::path::Path;

use games::registry;
use play::measure::{Measurement, Plan, measure};
use play::named_player::NamedPlayer;
use play::openings::Openings;
use play::playing::{Interest, Table, Workers};
use play::records::{RECORDS, Record};

/// What a record is worth, as its kept report says: the mean and the standard deviation of a game.
struct Worth {
    record: &'static str,
    against: Option<&'static str>,
    games: u64,
    number: fn(&Measurement) -> f64,
    mean: f64,
    sd: f64,
}

/// The means must lie within four standard errors: for each, an error rate of 0.006 %.
const WORTHS: &[Worth] = &[
    // A game takes more than a second: ten notice weights that do not fit the player, not small changes.
    Worth {
        record: "2048-expectimax",
        against: None,
        games: 10,
        number: |measured| measured.score.mean,
        mean: 128_343.0,
        sd: 61_397.0,
    },
    Worth {
        record: "2048-lines",
        against: None,
        games: 400,
        number: |measured| measured.score.mean,
        mean: 29_295.0,
        sd: 14_940.0,
    },
    Worth {
        record: "2048-patches",
        against: None,
        games: 400,
        number: |measured| measured.score.mean,
        mean: 35_959.0,
        sd: 17_845.0,
    },
    // It wins all games against random play.
    Worth {
        record: "connect",
        against: Some("mcts(iterations=100)"),
        games: 400,
        number: |measured| measured.score.mean,
        mean: 0.8619,
        sd: 0.4813,
    },
    // In pieces: a line of ten cells takes two and a half.
    Worth {
        record: "tetris-lines",
        against: None,
        games: 400,
        number: |measured| measured.moves.mean,
        mean: 13_172.0,
        sd: 13_210.0,
    },
    // Points a piece: games of 100,000 pieces that are lost early would hide everything else.
    Worth {
        record: "tetris-points",
        against: None,
        games: 2,
        number: |measured| measured.score.mean / measured.moves.mean,
        mean: 8.825,
        sd: 0.04,
    },
];

fn measured(record: &Record, worth: &Worth) -> Measurement {
    let file = record.player();
    let player = NamedPlayer::read(&record.text(), Path::new(""), &file.game).expect("a player");
    let against = worth.against.map(|text| text.parse().expect("a spec"));
    let plan = Plan {
        game: registry::build(&file.game, &file.rules).expect("rules"),
        table: Table::new(
            [Some(player.spec), against].into_iter().flatten().collect(),
            None,
        ),
        games: worth.games,
        seed: 77,
        threads: 2,
        interest: Interest::Result,
        both_seats: worth.against.is_some(),
        openings: Openings::None,
    };
    let workers = Workers::new(2).expect("threads");
    let measured = measure(&plan, &workers, &|| {}, &mut |_| ());
    measured
        .expect("players can play")
        .expect("it was not stopped")
}

#[test]
fn records_are_worth_what_their_reports_say() {
    for record in RECORDS {
        let worth = WORTHS.iter().find(|worth| worth.record == record.name);
        let worth =
            worth.unwrap_or_else(|| panic!("{}: its worth is not stated here", record.name));
        let found = (worth.number)(&measured(record, worth));
        let error = worth.sd / (worth.games as f64).sqrt();
        let (low, high) = (worth.mean - 4.0 * error, worth.mean + 4.0 * error);
        let name = record.name;
        assert!(
            (low..=high).contains(&found),
            "{name}: {found} is not between {low} and {high}"
        );
    }
}
