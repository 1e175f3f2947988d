//! Moves that a training of 2048 makes in a second of one thread:
//!
//! ```text
//! cargo run --release -p gamete-learn --example speed [GAMES [NETWORK [METHOD [SIDE BY SIDE]]]]
//! ```

use std::fs;
use std::time::{Duration, Instant};

use games::Options;
use games::twenty48::{Rules, Twenty48};
use learn::{Alone, Plan, Restart};
use players::network::Shape;

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let text =
        |place: usize, default: &str| given.get(place).map_or(default, |text| text).to_owned();
    let games = text(0, "10000").parse().expect("a number of games");
    let plan = Plan {
        game: Twenty48::new(Rules::from_options(&Options::default()).expect("the usual rules"))
            .into(),
        shape: Shape::of(&text(1, "4x6")),
        method: text(2, "tc").parse().expect("a method"),
        initial: 0.0,
        restart: Restart::Start,
        side_by_side: text(3, "8").parse().expect("a number of games"),
        record: Default::default(),
    };
    let tables = plan.lookup().expect("a network").tables().len();
    let mut learner = plan.learner(1, 0..tables).expect("a plan");
    let mut finished = Vec::new();
    let (began, used) = (Instant::now(), cpu_time());
    learner.advance(u64::MAX / 2, games, &mut Alone, &mut finished);
    let moves = learner.moves() as f64;
    let rate = |time: Duration| moves / time.as_secs_f64() / 1e6;
    let last = &finished[finished.len() - finished.len() / 10..];
    println!(
        "{:.3} M moves a CPU-second, {:.3} M a second; {moves} moves, the last tenth of the games made {:.0} points",
        rate(cpu_time().saturating_sub(used)),
        rate(began.elapsed()),
        last.iter().map(|game| game.score as f64).sum::<f64>() / last.len() as f64
    );
}

/// What this thread has used of its processor.
fn cpu_time() -> Duration {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux counts it");
    let used = stat.split(' ').next().and_then(|time| time.parse().ok());
    Duration::from_nanos(used.expect("nanoseconds"))
}
