//! The automatic player of the menu: a kind from the registry, and a value for each of its parameters.

use std::path::Path;

use play::choices::{ParameterChoice, PlayerChoice, Values, choices};
use play::named_player::NamedPlayer;
use play::suggested::suggested;
use players::Spec;

use super::stepped;

/// Numbers up to this are counted one by one, larger ones doubled and halved.
const COUNTED: f64 = 100.0;

/// A player put together from choices.
pub(super) struct Automatic {
    players: &'static [PlayerChoice],
    at: usize,
    /// The parameters of the player that can be chosen, and their values.
    parameters: Vec<&'static ParameterChoice>,
    values: Vec<String>,
    /// Whether the next digit continues the number.
    is_typing: bool,
}

impl Automatic {
    /// The first player that is suggested for this game.
    pub(super) fn of(game: &str) -> Self {
        let players = choices(game);
        let first = suggested(game).first();
        let named = first.and_then(|text| NamedPlayer::read(text, Path::new(""), game).ok());
        let spec: Option<Spec> = named.map(|named| named.spec);
        let named = |name: &str| players.iter().position(|player| player.name == name);
        let mut automatic = Self {
            players,
            at: 0,
            parameters: Vec::new(),
            values: Vec::new(),
            is_typing: false,
        };
        automatic.take(
            spec.as_ref()
                .and_then(|spec| named(spec.name()))
                .unwrap_or(0),
        );
        for (parameter, value) in automatic.parameters.iter().zip(&mut automatic.values) {
            if let Some(given) = spec.as_ref().and_then(|spec| spec.get(parameter.name)) {
                given.clone_into(value);
            }
        }
        automatic
    }

    /// Takes the player at this place, as it plays if nothing is said.
    fn take(&mut self, at: usize) {
        self.at = at;
        let parameters = self.player().parameters.iter();
        self.parameters = parameters.filter(|one| is_choice(one)).collect();
        let values = self.parameters.iter();
        self.values = values.map(|one| one.default.to_owned()).collect();
        self.is_typing = false;
    }

    pub(super) fn player(&self) -> &'static PlayerChoice {
        &self.players[self.at]
    }

    pub(super) fn parameters(&self) -> &[&'static ParameterChoice] {
        &self.parameters
    }

    pub(super) fn value(&self, place: usize) -> &str {
        &self.values[place]
    }

    /// The player as text; what is not said has its usual value.
    pub(super) fn spec(&self) -> Spec {
        let plain: Spec = self.player().name.parse().expect("a name of the registry");
        let set = self.parameters.iter().zip(&self.values);
        set.filter(|(parameter, value)| parameter.default != value.as_str())
            .fold(plain, |spec, (parameter, value)| {
                spec.with(parameter.name, value)
            })
    }

    pub(super) fn step_player(&mut self, forward: bool) {
        self.take(stepped(self.at, self.players.len(), forward));
    }

    /// The next value of a parameter, or the one before.
    pub(super) fn step_value(&mut self, place: usize, forward: bool) {
        self.settle();
        let value = &self.values[place];
        let next = match &self.parameters[place].values {
            Values::OneOf(values) => {
                let here = values.iter().position(|one| one.name == *value);
                values[stepped(here.unwrap_or(0), values.len(), forward)]
                    .name
                    .clone()
            }
            Values::Numbers { low, high, whole } => {
                let number = value.parse().unwrap_or(*low);
                stepped_number(number, (*low, *high), *whole, forward)
            }
            Values::Text => return,
        };
        self.values[place] = next;
    }

    /// Types a digit of a number; the first one begins a new number.
    pub(super) fn type_digit(&mut self, place: usize, digit: char) {
        let Values::Numbers { high, whole, .. } = self.parameters[place].values else {
            return;
        };
        let before = if self.is_typing {
            self.values[place].as_str()
        } else {
            ""
        };
        let typed = format!("{before}{digit}");
        let is_number = typed.parse::<f64>().is_ok_and(|number| number <= high) || typed == ".";
        if is_number && !(whole && digit == '.') {
            self.values[place] = typed;
            self.is_typing = true;
        }
    }

    /// Erases the last digit of a number.
    pub(super) fn erase(&mut self, place: usize) {
        if matches!(self.parameters[place].values, Values::Numbers { .. }) {
            self.values[place].pop();
            self.is_typing = true;
        }
    }

    /// A number that was typed is complete: one that is too low is raised, and none is the usual one.
    pub(super) fn settle(&mut self) {
        self.is_typing = false;
        for (parameter, value) in self.parameters.iter().zip(&mut self.values) {
            if let Values::Numbers { low, whole, .. } = parameter.values {
                match value.parse::<f64>() {
                    Ok(number) if number >= low => {}
                    Ok(_) => *value = written(low, whole),
                    Err(_) => parameter.default.clone_into(value),
                }
            }
        }
    }

    /// What a parameter, and the value it has, mean.
    pub(super) fn about(&self, place: usize) -> String {
        let parameter = self.parameters[place];
        let named = match &parameter.values {
            Values::OneOf(values) => values.iter().find(|one| one.name == self.values[place]),
            _ => None,
        };
        match named.map_or("", |value| value.about) {
            "" => parameter.about.to_owned(),
            about => format!("{}: {about}", self.values[place]),
        }
    }
}

/// A single value is no choice, and a text is for those who know specs.
fn is_choice(parameter: &ParameterChoice) -> bool {
    match &parameter.values {
        Values::OneOf(values) => values.len() > 1,
        Values::Numbers { .. } => true,
        Values::Text => false,
    }
}

fn stepped_number(number: f64, (low, high): (f64, f64), whole: bool, forward: bool) -> String {
    let next = match (whole && high <= COUNTED, forward) {
        (true, true) => number + 1.0,
        (true, false) => number - 1.0,
        (false, true) if number == 0.0 => 1.0,
        (false, true) => number * 2.0,
        (false, false) => number / 2.0,
    };
    written(next.clamp(low, high), whole)
}

fn written(number: f64, whole: bool) -> String {
    if whole {
        (number as u64).to_string()
    } else {
        number.to_string()
    }
}
