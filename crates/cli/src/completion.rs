//! What a shell completes beside commands and options: players, presets, algorithms, studies and runs.
//!
//! The shell asks this program, with the words typed so far (`gamete completions` prints how), so that names are those of
//! the game that was typed and of the runs that are there.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::{Arg, Command, CommandFactory};
use clap_complete::CompleteEnv;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use evolve::algorithm::{ALGORITHMS, PRESETS};
use games::registry::FAMILIES;
use lab::evolution::presets;
use lab::store::Store;
use play::network_file::NETWORK;
use play::records::RECORDS;
use play::seating::all_players;

use crate::arguments::Arguments;
use crate::rules;
use crate::runs_dir::RUNS;

/// The variable by which the shell asks.
pub(crate) const ASKED: &str = "GAMETE_COMPLETE";

/// Commands whose first arguments are studies or runs that are there.
const OF_RUNS: [&str; 7] = [
    "compare", "export", "fsck", "report", "resume", "rm", "show",
];

/// Answers a shell that asks with these words; false if none does.
pub(crate) fn answer_shell(words: &[OsString]) -> Result<bool, clap::Error> {
    let folder = std::env::current_dir().ok();
    let shell = CompleteEnv::with_factory(command).var(ASKED);
    shell.try_complete(words, folder.as_deref())
}

fn command() -> Command {
    let words: Vec<OsString> = std::env::args_os().collect();
    let command = rules::show_those_of_named_game(Arguments::command(), &words);
    command.mut_subcommands(|command| {
        let of_runs = OF_RUNS.contains(&command.get_name());
        let command = command.mut_args(|argument| completed(argument, of_runs));
        command.mut_subcommands(|command| command.mut_args(|argument| completed(argument, false)))
    })
}

fn completed(argument: Arg, of_runs: bool) -> Arg {
    let value = argument.get_value_names().and_then(<[_]>::first);
    let by = match value.map(clap::builder::Str::as_str) {
        _ if argument.is_positional() && of_runs => ArgValueCompleter::new(runs),
        Some("PLAYER") => ArgValueCompleter::new(players),
        Some("PRESET") => ArgValueCompleter::new(presets_of_game),
        _ if argument.get_id() == "algorithm" => ArgValueCompleter::new(algorithms),
        _ if argument.get_id() == "study" => ArgValueCompleter::new(studies),
        _ => return argument,
    };
    argument.add(by)
}

/// The game that was typed, if one was.
fn typed_game() -> Option<&'static str> {
    let words: Vec<String> = std::env::args().collect();
    let mut names = FAMILIES.iter().map(|family| family.name);
    names.find(|name| words.iter().any(|word| word == name))
}

fn candidates<'a>(
    typed: &OsStr,
    all: impl Iterator<Item = (&'a str, &'a str)>,
) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    all.filter(|(name, _)| name.starts_with(&*typed))
        .map(|(name, about)| CompletionCandidate::new(name).help(Some(about.to_owned().into())))
        .collect()
}

/// Players and records of the game, and files, which may hold one.
fn players(typed: &OsStr) -> Vec<CompletionCandidate> {
    let game = typed_game();
    let fitting = all_players().filter(|entry| game.is_none_or(|game| entry.plays(game)));
    let records = RECORDS.iter().map(|record| (record, record.player()));
    let records = records.filter(|(_, file)| game.is_none_or(|game| file.game == game));
    let records: Vec<_> = records
        .map(|(record, file)| (record.text(), file.about))
        .collect();
    let specs = fitting.map(|entry| (entry.kind.name, entry.kind.about));
    let records = records
        .iter()
        .map(|(name, about)| (name.as_str(), about.as_str()));
    let mut named = candidates(typed, specs.chain(records));
    named.extend(files(typed, &["json", NETWORK]));
    named
}

fn presets_of_game(typed: &OsStr) -> Vec<CompletionCandidate> {
    let game = typed_game();
    let fitting: Vec<_> = presets::all()
        .filter(|preset| game.is_none_or(|game| preset.game == game))
        .collect();
    let named = fitting.iter().map(|preset| (preset.name, preset.about));
    candidates(typed, named)
}

fn algorithms(typed: &OsStr) -> Vec<CompletionCandidate> {
    let own = ALGORITHMS.iter().map(|kind| (kind.name, kind.about));
    let of_works = PRESETS.iter().map(|preset| (preset.name, preset.about));
    candidates(typed, own.chain(of_works))
}

fn studies(typed: &OsStr) -> Vec<CompletionCandidate> {
    files(typed, &["toml"])
}

/// Files that end in one of these, and directories on the way to them.
fn files(typed: &OsStr, ends: &'static [&'static str]) -> Vec<CompletionCandidate> {
    let fits = move |path: &Path| {
        path.extension()
            .is_some_and(|own| ends.iter().any(|end| own == *end))
    };
    PathCompleter::any().filter(fits).complete(typed)
}

/// Studies, and the runs of the study that was typed.
fn runs(typed: &OsStr) -> Vec<CompletionCandidate> {
    let root = std::env::var_os("GAMETE_RUNS").unwrap_or_else(|| RUNS.into());
    let store = Store::new(Path::new(&root));
    let name = |path: &Path| {
        path.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let text = typed.to_string_lossy();
    let names: Vec<String> = match text.split_once('/') {
        None => {
            let folders = store.folders().unwrap_or_default();
            folders
                .iter()
                .filter_map(|folder| name(folder.path()))
                .collect()
        }
        Some((study, _)) => {
            let runs = store.folder(study).runs().unwrap_or_default();
            let runs = runs.iter().filter_map(|run| name(&run.path));
            runs.map(|run| format!("{study}/{run}")).collect()
        }
    };
    let fitting = names.iter().filter(|name| name.starts_with(&*text));
    fitting.map(CompletionCandidate::new).collect()
}
