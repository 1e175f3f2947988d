//! Bots as players: those that come with Gamete, and those that do everything wrong.

mod conversation;
mod faults;
mod shipped;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use fixtures::scripts::Folder;
use play::measure::{Measurement, Plan, measure};
use play::playing::{Interest, PlayError, Record, Table, Workers};
use players::Spec;

/// A bot that is a shell script, with more parameters. It runs in the folder and notes its process in `pid`.
fn bot(folder: &Folder, script: &str, parameters: &str) -> Spec {
    let command = folder.command(script);
    let comma = if parameters.is_empty() { "" } else { ", " };
    format!("exec(cmd='{command}'{comma}{parameters})")
        .parse()
        .expect("a spec")
}

/// Plays games and counts them.
fn play(
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
    };
    let workers = Workers::new(threads)?;
    let measured = measure(&plan, &workers, &AtomicBool::new(false), &|| ())?;
    Ok(measured.expect("nobody stops it"))
}

/// The bot of a file in `bots/`.
fn shipped(file: &str) -> Spec {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../bots")
        .join(file);
    format!(
        "exec(cmd='python3 {}', time=30s, start=30s)",
        path.display()
    )
    .parse()
    .expect("a spec")
}
