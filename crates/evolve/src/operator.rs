//! Operators by text: every selection, crossover, mutation and replacement is chosen by a spec like `tournament(size=3)`.
//!
//! One file per operator, one line in the list of its folder. The list gives the enum that holds any of them, its names, and
//! its parser.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};
use spec::{Kind, Parameter, Spec, SpecError};

use crate::genome::Space;

/// One operator: its description and its parser.
pub trait Operator: Sized {
    /// Its name, description and parameters.
    const KIND: Kind;

    /// The operator with the parameters of a spec, which are among those of [`KIND`](Self::KIND).
    fn read(spec: &Spec) -> Result<Self, SpecError>;
}

/// Any operator of a list.
pub trait AnyOperator: Sized {
    /// The kind of operator: "selection", "crossover" ...
    const WHAT: &'static str;

    /// All of them.
    fn kinds() -> Vec<Kind>;

    /// The one that a spec names.
    fn of_spec(spec: &Spec) -> Result<Self, SpecError>;
}

/// An operator with its text, which is its serialised form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
#[serde(bound(serialize = "T: Clone", deserialize = "T: AnyOperator"))]
pub struct Chosen<T> {
    text: String,
    operator: T,
}

impl<T: AnyOperator> Chosen<T> {
    /// The operator that a text names.
    pub fn new(text: &str) -> Result<Self, SpecError> {
        let spec = Spec::read(T::WHAT, text)?;
        Ok(Self {
            text: spec.to_string(),
            operator: T::of_spec(&spec)?,
        })
    }
}

impl<T> Deref for Chosen<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.operator
    }
}

impl<T> fmt::Display for Chosen<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<T> From<Chosen<T>> for String {
    fn from(chosen: Chosen<T>) -> Self {
        chosen.text
    }
}

impl<T: AnyOperator> TryFrom<String> for Chosen<T> {
    type Error = SpecError;

    fn try_from(text: String) -> Result<Self, SpecError> {
        Self::new(&text)
    }
}

/// `operators!("selection", AnySelection, Select { file::Type, ... })`: the list of a folder.
macro_rules! operators {
    ($what:literal, $(#[$doc:meta])* $any:ident: $trait:ident { $($module:ident::$type:ident),+ $(,)? }) => {
        $(mod $module;)+
        $(pub use $module::$type;)+

        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $any {
            $(#[doc = concat!("See `", stringify!($module), ".rs`.")] $type($type)),+
        }

        impl $crate::operator::AnyOperator for $any {
            const WHAT: &'static str = $what;

            fn kinds() -> Vec<spec::Kind> {
                vec![$(<$type as $crate::operator::Operator>::KIND),+]
            }

            fn of_spec(spec: &spec::Spec) -> Result<Self, spec::SpecError> {
                $(if spec.name() == <$type as $crate::operator::Operator>::KIND.name {
                    <$type as $crate::operator::Operator>::KIND.check_parameters(spec)?;
                    return Ok(Self::$type(<$type as $crate::operator::Operator>::read(spec)?));
                })+
                let kinds = Self::kinds();
                Err(spec.unknown(kinds.iter().map(|kind| kind.name)))
            }
        }

        impl std::ops::Deref for $any {
            type Target = dyn $trait;

            fn deref(&self) -> &(dyn $trait + 'static) {
                match self {
                    $(Self::$type(operator) => operator),+
                }
            }
        }
    };
}
pub(crate) use operators;

/// A parameter that is a probability or a share.
pub(crate) fn share(spec: &Spec, parameter: &Parameter) -> Result<f64, SpecError> {
    spec.number(parameter, 0.0..=1.0)
}

/// A parameter that is a probability, a share, or a given word; none for the word.
pub(crate) fn share_or(
    spec: &Spec,
    parameter: &Parameter,
    word: &str,
) -> Result<Option<f64>, SpecError> {
    let value = spec.value(parameter);
    if value == word {
        return Ok(None);
    }
    let name = parameter.name;
    let wrong = |_| {
        let problem = format!("{name} = {value}: must be a number from 0 to 1, or {word}");
        spec.at(name, problem)
    };
    share(spec, parameter).map(Some).map_err(wrong)
}

/// Rejects spaces without real genes.
pub(crate) fn reals_only(space: &Space) -> Result<(), String> {
    match space {
        Space::Reals { .. } => Ok(()),
        _ => Err("works on real genes only".to_owned()),
    }
}
