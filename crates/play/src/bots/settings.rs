//! `exec` in a spec: its parameters and how they are parsed.

use std::time::Duration;

use players::registry::Entry;
use players::{Kind, Parameter, Spec, SpecError};

const CMD: Parameter = Parameter {
    name: "cmd",
    default: "",
    help: "the shell command that starts the bot; required",
};
const TIME: Parameter = Parameter {
    name: "time",
    default: "10s",
    help: "time limit per move, like 500ms; a bot that takes longer loses the game",
};
const START: Parameter = Parameter {
    name: "start",
    default: "10s",
    help: "time limit to get ready for a game",
};

/// `exec` in the list of players.
pub static EXEC: Entry = Entry {
    kind: Kind {
        name: "exec",
        about: "a bot of your own in any language: exec(cmd='python3 bot.py')",
        more: "A command that speaks JSON lines over its standard input and output, as in the Tetris Bot Protocol; \
               the manual (bots.md) documents every message. It is started for every game. A bot that exits, sends \
               garbage or an illegal move, or takes too long, loses the game and is killed; its standard \
               error is shown.",
        parameters: &[CMD, TIME, START],
    },
    games: &[],
    // Nobody can tell; a bot that draws none repeats its games unless they begin in different positions.
    draws: false,
};

/// The longest time limit: a day.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// How a bot is run.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// Shell command.
    pub(crate) command: String,
    /// Time limit per move.
    pub(crate) time: Duration,
    /// Time limit to get ready.
    pub(crate) start: Duration,
}

impl Settings {
    /// Parses an `exec` spec.
    pub(crate) fn read(spec: &Spec) -> Result<Self, SpecError> {
        EXEC.kind.check_parameters(spec)?;
        let command = spec.value(&CMD);
        if command.trim().is_empty() {
            return Err(spec.at(
                CMD.name,
                "exec needs a command, like exec(cmd='python3 bot.py')".to_owned(),
            ));
        }
        Ok(Self {
            command: command.to_owned(),
            time: duration(spec, &TIME)?,
            start: duration(spec, &START)?,
        })
    }
}

fn duration(spec: &Spec, parameter: &Parameter) -> Result<Duration, SpecError> {
    let text = spec.value(parameter);
    let duration = humantime::parse_duration(text).ok();
    let allowed = Duration::from_millis(1)..=LONGEST;
    duration
        .filter(|duration| allowed.contains(duration))
        .ok_or_else(|| {
            spec.at(
                parameter.name,
                format!(
                    "{} = {text}: must be a time from 1ms to 24h, like 500ms or 10s",
                    parameter.name
                ),
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Settings, SpecError> {
        Settings::read(&text.parse().unwrap())
    }

    #[test]
    fn defaults_and_values_are_read() {
        let settings = read("exec(cmd='a \"b\"', time=500ms)").unwrap();
        assert_eq!(settings.command, "a \"b\"");
        assert_eq!(settings.time, Duration::from_millis(500));
        assert_eq!(settings.start, Duration::from_secs(10));
    }

    #[test]
    fn wrong_parameters_are_refused_with_what_is_right() {
        let check = |text: &str, place: usize, part: &str| {
            let error = read(text).unwrap_err();
            assert!(error.to_string().contains(part), "{text}: {error}");
            assert_eq!(error.place(), place, "{text}: {error}");
        };
        check("exec", 0, "exec needs a command");
        check("exec(cmd=' ')", 5, "exec needs a command");
        check(
            "exec(cmd=a, tme=1s)",
            12,
            "did you mean 'time'?); its parameters are cmd, time, start",
        );
        check("exec(cmd=a, time=0s)", 12, "from 1ms to 24h");
        check("exec(cmd=a, time=fast)", 12, "from 1ms to 24h");
        check("exec(cmd=a, start=2days)", 12, "from 1ms to 24h");
    }
}
