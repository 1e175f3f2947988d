//! Chromosomes: how weights are encoded as genes.
//!
//! - `<n>Genes`, zero-sum: n symbols, each naming a weight. Symbols at even places (0, 2, ...) add one to their weight, those at odd
//!   places subtract one, so all weights sum to 0 (to 1 for an odd n). Weights are -n/2..n/2.
//! - `<n>bit`, independent: n bits per weight, the first the sign (1 is negative), the rest the magnitude, most
//!   significant first. Weights are -(2^(n-1) - 1)..2^(n-1) - 1.
//! - `<n>bit1decimal`: the same, divided by 10.
//! - `reals`: the weights themselves.
//!
//! The first three are from 2048-ga; [`PUBLISHED`] lists the ten chromosomes it compares.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use spec::did_you_mean;

use super::{Bits, Genome, Range, Space};
use crate::text::serialised_as_text;

/// How weights are encoded as genes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Chromosome {
    /// Symbols that add to and subtract from the weights.
    ZeroSum {
        /// Number of symbols.
        genes: u32,
    },
    /// Sign and magnitude in bits.
    Binary {
        /// Bits per weight.
        bits: u32,
        /// Whether weights are divided by 10.
        decimal: bool,
    },
    /// The weights themselves.
    Reals,
}

/// The ten chromosomes of 2048-ga.
pub const PUBLISHED: [&str; 10] = [
    "10Genes",
    "100Genes",
    "1000Genes",
    "5000Genes",
    "8bit",
    "9bit",
    "10bit",
    "8bit1decimal",
    "9bit1decimal",
    "10bit1decimal",
];

/// A name that is not a chromosome's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown chromosome '{name}'{hint}; expected reals, <n>Genes (n from 1 to 100000), <n>bit and <n>bit1decimal (n from 2 to 32), e.g. {}",
    PUBLISHED.join(", ")
)]
pub struct UnknownChromosome {
    name: String,
    hint: String,
}

impl Chromosome {
    /// The space of genomes that encode this number of weights; `initial` is the range of real ones at the start.
    #[must_use]
    pub fn space(&self, weights: usize, initial: Range) -> Space {
        match *self {
            Self::ZeroSum { genes } => Space::Symbols {
                genes: genes as usize,
                alphabet: weights as u32,
            },
            Self::Binary { bits, .. } => Space::Bits {
                genes: weights * bits as usize,
            },
            Self::Reals => Space::Reals {
                ranges: vec![initial; weights],
                bounded: false,
            },
        }
    }

    /// The weights that a genome of [`space`](Self::space) encodes.
    ///
    /// # Panics
    /// If it is a genome of another space.
    #[must_use]
    pub fn decode(&self, genome: &Genome, weights: usize) -> Vec<f64> {
        match (*self, genome) {
            (Self::ZeroSum { .. }, Genome::Integers(symbols)) => zero_sum(symbols, weights),
            (Self::Binary { bits, decimal }, Genome::Bits(row)) => {
                let divisor = if decimal { 10.0 } else { 1.0 };
                (0..weights)
                    .map(|weight| signed(row, weight * bits as usize, bits as usize) / divisor)
                    .collect()
            }
            (Self::Reals, Genome::Reals(weights)) => weights.clone(),
            _ => panic!("expected a genome of the space of {self}"),
        }
    }
}

impl Chromosome {
    /// A genome that [`decode`](Self::decode)s to these weights; the error says why there is none.
    pub fn encode(&self, weights: &[f64]) -> Result<Genome, String> {
        let genome = match *self {
            Self::ZeroSum { genes } => symbols_of(weights, genes),
            Self::Binary { bits, decimal } => bits_of(weights, bits, decimal),
            Self::Reals => Some(Genome::Reals(weights.to_vec())),
        };
        let is_right = |genome: &Genome| self.decode(genome, weights.len()) == weights;
        genome
            .filter(is_right)
            .ok_or_else(|| format!("{weights:?} are no weights that {self} can encode"))
    }
}

/// Every weight by as many symbols as it needs, and the other places by symbols that cancel out.
fn symbols_of(weights: &[f64], genes: u32) -> Option<Genome> {
    let sum = |sign: f64| {
        weights
            .iter()
            .map(|weight| (sign * weight).max(0.0))
            .sum::<f64>()
    };
    let (plus, minus) = (genes.div_ceil(2), genes / 2);
    if sum(1.0) > f64::from(plus) || sum(-1.0) > f64::from(minus) {
        return None;
    }
    let named = |sign: f64, places: u32| {
        let names = weights.iter().zip(0..).flat_map(move |(weight, symbol)| {
            std::iter::repeat_n(symbol, (sign * weight).max(0.0) as usize)
        });
        names
            .chain(std::iter::repeat(0))
            .take(places as usize)
            .collect::<Vec<u32>>()
    };
    let (plus, minus) = (named(1.0, plus), named(-1.0, minus));
    let symbol = |place: u32| {
        let list = if place.is_multiple_of(2) {
            &plus
        } else {
            &minus
        };
        list[place as usize / 2]
    };
    Some(Genome::Integers((0..genes).map(symbol).collect()))
}

/// A sign and a magnitude for every weight.
fn bits_of(weights: &[f64], bits: u32, decimal: bool) -> Option<Genome> {
    let factor = if decimal { 10.0 } else { 1.0 };
    let most = (1_u64 << (bits - 1)) as f64;
    let mut row = Vec::new();
    for weight in weights {
        let magnitude = (weight.abs() * factor).round();
        if magnitude.is_nan() || magnitude >= most {
            return None;
        }
        row.push(*weight < 0.0);
        row.extend(
            (0..bits - 1)
                .rev()
                .map(|bit| (magnitude as u32 >> bit) & 1 == 1),
        );
    }
    Some(Genome::Bits(row.into_iter().collect()))
}

fn zero_sum(symbols: &[u32], weights: usize) -> Vec<f64> {
    let mut sums = vec![0.0; weights];
    for (place, &symbol) in symbols.iter().enumerate() {
        sums[symbol as usize] += if place.is_multiple_of(2) { 1.0 } else { -1.0 };
    }
    sums
}

/// A sign and a magnitude from `first` on. Negative zero becomes 0.
fn signed(row: &Bits, first: usize, bits: usize) -> f64 {
    let magnitude =
        (first + 1..first + bits).fold(0_u32, |sum, place| 2 * sum + u32::from(row.get(place)));
    if row.get(first) && magnitude > 0 {
        -f64::from(magnitude)
    } else {
        f64::from(magnitude)
    }
}

impl fmt::Display for Chromosome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ZeroSum { genes } => write!(f, "{genes}Genes"),
            Self::Binary {
                bits,
                decimal: false,
            } => write!(f, "{bits}bit"),
            Self::Binary {
                bits,
                decimal: true,
            } => write!(f, "{bits}bit1decimal"),
            Self::Reals => f.write_str("reals"),
        }
    }
}

impl FromStr for Chromosome {
    type Err = UnknownChromosome;

    fn from_str(text: &str) -> Result<Self, UnknownChromosome> {
        let number = |end: &str, low: u32, high: u32| {
            let number: u32 = text.strip_suffix(end)?.parse().ok()?;
            (low..=high).contains(&number).then_some(number)
        };
        let binary = |end, decimal| number(end, 2, 32).map(|bits| Self::Binary { bits, decimal });
        (text == "reals")
            .then_some(Self::Reals)
            .or_else(|| number("Genes", 1, 100_000).map(|genes| Self::ZeroSum { genes }))
            .or_else(|| binary("bit", false))
            .or_else(|| binary("bit1decimal", true))
            .ok_or_else(|| UnknownChromosome {
                name: text.to_owned(),
                hint: did_you_mean(text, PUBLISHED.into_iter().chain(["reals"])),
            })
    }
}

serialised_as_text!(Chromosome);

#[cfg(test)]
mod tests {
    use super::*;

    fn chromosome(name: &str) -> Chromosome {
        name.parse().expect("it is a chromosome")
    }

    #[test]
    fn names_read_back() {
        for name in PUBLISHED.into_iter().chain(["reals"]) {
            assert_eq!(chromosome(name).to_string(), name);
        }
        let error = "9bitdecimal".parse::<Chromosome>().unwrap_err().to_string();
        assert!(error.contains("did you mean '9bit1decimal'"), "{error}");
    }

    #[test]
    fn zero_sum_adds_and_subtracts() {
        let genome = Genome::Integers(vec![0, 1, 0, 2, 1, 2, 0, 0]);
        assert_eq!(chromosome("8Genes").decode(&genome, 3), [2.0, 0.0, -2.0]);
    }

    #[test]
    fn published_spaces_and_ranges() {
        let initial = Range {
            low: -1.0,
            high: 1.0,
        };
        for (name, genes, most) in [
            ("8bit", 64, 127.0),
            ("9bit", 72, 255.0),
            ("10bit", 80, 511.0),
            ("8bit1decimal", 64, 12.7),
            ("9bit1decimal", 72, 25.5),
            ("10bit1decimal", 80, 51.1),
        ] {
            let chromosome = chromosome(name);
            assert_eq!(chromosome.space(8, initial).genes(), genes);
            let ones: Bits = (0..genes).map(|_| true).collect();
            assert_eq!(chromosome.decode(&Genome::Bits(ones), 8), [-most; 8]);
        }
        for (name, genes) in [
            ("10Genes", 10),
            ("100Genes", 100),
            ("1000Genes", 1000),
            ("5000Genes", 5000),
        ] {
            let space = chromosome(name).space(8, initial);
            assert_eq!(space, Space::Symbols { genes, alphabet: 8 });
            let half = (genes / 2) as f64;
            let alternating = (0..genes as u32).map(|place| place % 2).collect();
            let weights = chromosome(name).decode(&Genome::Integers(alternating), 8);
            assert_eq!(weights[..3], [half, -half, 0.0]);
        }
    }

    #[test]
    fn weights_are_encoded_where_they_can_be() {
        let check = |name: &str, weights: &[f64]| {
            let genome = chromosome(name).encode(weights).expect("it can be encoded");
            assert_eq!(chromosome(name).decode(&genome, weights.len()), weights);
        };
        check("reals", &[0.1, -3.5e7]);
        check("9bit1decimal", &[-25.5, 0.3, 0.0, 21.7]);
        check("8bit", &[127.0, -1.0, 0.0]);
        check("10Genes", &[3.0, -5.0, 2.0]);
        check("9Genes", &[3.0, -2.0, 0.0]);
        for (name, weights) in [
            ("9bit1decimal", [25.6, 0.0]),
            ("9bit1decimal", [0.25, 0.0]),
            ("8bit", [-128.0, 0.0]),
            ("8bit", [f64::NAN, 0.0]),
            ("10Genes", [1.0, 0.0]),
            ("10Genes", [6.0, -6.0]),
            ("10Genes", [0.5, -0.5]),
        ] {
            let error = chromosome(name).encode(&weights).expect_err(name);
            assert!(error.contains(name), "{error}");
        }
    }

    #[test]
    fn magnitudes_have_the_most_significant_bit_first() {
        let row = Bits::try_from("00110110".to_owned()).expect("these are bits");
        assert_eq!(chromosome("4bit").decode(&Genome::Bits(row), 2), [3.0, 6.0]);
    }
}
