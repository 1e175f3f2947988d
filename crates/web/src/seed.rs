//! Seeds as the page sends and shows them: texts, since a browser's numbers are exact only up to 2^53.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

/// A random seed: a text of digits; a number is accepted as well.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, example = "18446744073709551615", pattern = r"^[0-9]+$")]
pub(crate) struct Seed(pub(crate) u64);

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(u64),
    Text(String),
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wrong = || D::Error::custom(format!("a seed is a whole number from 0 to {}", u64::MAX));
        match Written::deserialize(deserializer).map_err(|_| wrong())? {
            Written::Number(number) => Ok(Self(number)),
            Written::Text(text) => text.parse().map(Self).map_err(|_| wrong()),
        }
    }
}
