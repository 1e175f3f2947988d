//! Function sets: the functions of a grid's nodes, as text `+,-,*,/,min,max` or `and,or,nand,nor`.
//!
//! A function's index in the set is its number in a genotype.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use spec::did_you_mean;

use super::function::{Arithmetic, Function, FunctionKind, Logic};
use crate::text::serialised_as_text;

/// Functions of numbers, or functions of bits; at least one, without duplicates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum FunctionSet {
    /// Functions of numbers.
    Arithmetic(Vec<Arithmetic>),
    /// Functions of bits.
    Logic(Vec<Logic>),
}

/// Why a text is not a function set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FunctionSetError {
    /// An unknown function.
    #[error(
        "unknown function '{name}'{}; expected {} for numbers, {} for bits",
        did_you_mean(.name, names::<Arithmetic>().chain(names::<Logic>())),
        list::<Arithmetic>(),
        list::<Logic>()
    )]
    Unknown {
        /// What was given.
        name: String,
    },
    /// A duplicate function.
    #[error("duplicate function '{name}'")]
    Twice {
        /// The function.
        name: &'static str,
    },
    /// Functions of numbers mixed with functions of bits.
    #[error("'{number}' is a function of numbers and '{bit}' one of bits; a set cannot mix them")]
    Mixed {
        /// The function of numbers.
        number: &'static str,
        /// The function of bits.
        bit: &'static str,
    },
}

fn names<F: Function>() -> impl Iterator<Item = &'static str> + Clone {
    F::ALL.iter().map(|function| function.kind().name)
}

fn list<F: Function>() -> String {
    names::<F>().collect::<Vec<_>>().join(" ")
}

fn named<F: Function>(name: &str) -> Option<F> {
    F::ALL
        .iter()
        .copied()
        .find(|function| function.kind().name == name)
}

impl FunctionSet {
    /// Number of functions.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a set is never empty")]
    pub fn len(&self) -> usize {
        match self {
            Self::Arithmetic(functions) => functions.len(),
            Self::Logic(functions) => functions.len(),
        }
    }

    /// The function at an index.
    #[must_use]
    pub fn kind(&self, place: usize) -> &'static FunctionKind {
        match self {
            Self::Arithmetic(functions) => functions[place].kind(),
            Self::Logic(functions) => functions[place].kind(),
        }
    }

    /// Names of the functions, in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        (0..self.len()).map(|place| self.kind(place).name)
    }
}

/// Adds a function; rejects duplicates.
fn add<F: Function>(functions: &mut Vec<F>, function: F) -> Result<(), FunctionSetError> {
    if functions.contains(&function) {
        let name = function.kind().name;
        return Err(FunctionSetError::Twice { name });
    }
    functions.push(function);
    Ok(())
}

impl FromStr for FunctionSet {
    type Err = FunctionSetError;

    fn from_str(text: &str) -> Result<Self, FunctionSetError> {
        let (mut numbers, mut bits) = (Vec::new(), Vec::new());
        for name in text.split(',').map(str::trim) {
            if let Some(function) = named::<Arithmetic>(name) {
                add(&mut numbers, function)?;
            } else if let Some(function) = named::<Logic>(name) {
                add(&mut bits, function)?;
            } else {
                let name = name.to_owned();
                return Err(FunctionSetError::Unknown { name });
            }
        }
        match (numbers.first(), bits.first()) {
            (Some(number), Some(bit)) => Err(FunctionSetError::Mixed {
                number: number.kind().name,
                bit: bit.kind().name,
            }),
            (Some(_), None) => Ok(Self::Arithmetic(numbers)),
            (None, _) => Ok(Self::Logic(bits)),
        }
    }
}

impl fmt::Display for FunctionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().collect::<Vec<_>>().join(","))
    }
}

serialised_as_text!(FunctionSet);
