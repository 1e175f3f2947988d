//! Bots as players: those that come with Gamete, and those that do everything wrong.

mod conversation;
mod faults;
mod shipped;

use std::path::Path;
use std::time::Duration;

use fixtures::scripts::{AMPLE, Folder};
use play::measure::{Measurement, Plan, measure};
use play::playing::{Interest, PlayError, Record, Table, Workers};
use players::Spec;

/// Bots that are shell scripts. They run in the folder and note their process in `pid`.
pub(crate) trait Bots {
    /// A bot that has ample time for everything.
    fn bot(&self, script: &str) -> Spec {
        self.bot_in_time(script, AMPLE, AMPLE)
    }

    /// A bot with this much time for a move, and to get ready.
    fn bot_in_time(&self, script: &str, time: Duration, start: Duration) -> Spec;
}

impl Bots for Folder {
    fn bot_in_time(&self, script: &str, time: Duration, start: Duration) -> Spec {
        let command = self.command(script);
        let [time, start] = [time, start].map(humantime::format_duration);
        format!("exec(cmd='{command}', time='{time}', start='{start}')")
            .parse()
            .expect("a spec")
    }
}

/// Plays games and counts them.
pub(crate) fn play(
    game: &str,
    rules: &str,
    specs: Vec<Spec>,
    games: u64,
    threads: usize,
) -> Result<(Measurement, Vec<Record>), PlayError> {
    let game = games::registry::build(game, &rules.parse().expect("options")).expect("rules");
    let plan = Plan {
        game,
        table: Table::new(specs, None),
        games,
        seed: 1,
        threads,
        interest: Interest::Result,
        both_seats: false,
        openings: play::openings::Openings::None,
    };
    let workers = Workers::new(threads)?;
    let mut records = Vec::new();
    let measured = measure(&plan, &workers, &|| (), &mut |more| records.extend(more))?;
    Ok((measured.expect("nobody stops it"), records))
}

/// The bot of a file in `bots/`.
fn shipped(file: &str) -> Spec {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../bots")
        .join(file);
    format!(
        "exec(cmd='python3 {}', time=10m, start=10m)",
        path.display()
    )
    .parse()
    .expect("a spec")
}
