//! All games against every reply, beside a plain walk through the tree.

use games::{AnyGame, Turn, registry, stream};
use play::any::{AnyPlayer, AnyPosition};
use play::playing::{PlayError, Workers};
use play::replies::every_reply;
use players::{Cancelled, Spec};

fn game(rules: &str) -> AnyGame {
    registry::build("connect", &rules.parse().expect("options")).expect("allowed rules")
}

/// Games by their result for the player in this seat, without a memory of positions.
fn walked(game: &AnyGame, spec: &Spec, seat: u8, position: &AnyPosition) -> [u64; 3] {
    let moves = match position.turn() {
        Turn::Player(own) if own == seat => {
            let mut player = AnyPlayer::new(game, spec, None).expect("a player");
            vec![
                player
                    .choose(position, &mut stream(1, &[]))
                    .expect("a move"),
            ]
        }
        Turn::Player(_) => position.moves(),
        _ => {
            let score = position.score();
            let result = if seat == 0 { score } else { -score };
            return std::array::from_fn(|place| u64::from(place as i64 == result + 1));
        }
    };
    let mut games = [0; 3];
    for chosen in moves {
        let mut next = position.clone();
        next.play(&chosen).expect("a legal move");
        let more = walked(game, spec, seat, &next);
        games
            .iter_mut()
            .zip(more)
            .for_each(|(all, one)| *all += one);
    }
    games
}

#[test]
fn every_game_is_followed_once() {
    let workers = Workers::new(2).expect("threads");
    for rules in [
        "rows=3 cols=3 connect=3",
        "rows=2 cols=4 connect=2",
        "rows=3 cols=4 connect=3",
    ] {
        let game = game(rules);
        for player in ["alphabeta(depth=100)", "weighted", "perfect"] {
            let spec = player.parse().expect("a spec");
            for seat in [0, 1] {
                let found = every_reply(&game, &spec, seat, 1_000_000, &workers);
                let found = found.expect("it is not stopped").expect("few positions");
                let walked = walked(&game, &spec, seat, &AnyPosition::start(&game));
                assert_eq!(found.games, walked, "{player} in seat {seat} of {rules}");
                let few = every_reply(&game, &spec, seat, found.positions() - 1, &workers);
                assert_eq!(few.expect("it is not stopped"), None);
            }
        }
    }
}

#[test]
fn it_ends_when_it_is_stopped() {
    let stop = Cancelled::new(true.into());
    let workers = Workers::new(1).expect("threads").until(&stop);
    let spec = "alphabeta(depth=100)".parse().expect("a spec");
    let stopped = every_reply(&game("rows=6 cols=7"), &spec, 0, u64::MAX, &workers);
    assert!(matches!(stopped, Err(PlayError::Stopped)));
}
