//! Where pieces come from: evenly, from a bag, or by weights.
//!
//! `uniform`: each shape is equally likely, whatever came before. `bag`: each shape comes once, in random
//! order, before any comes again. Weights like `S=2,Z=0.5`: likely in proportion; shapes that are
//! not named weigh 1, a weight of 0 means never.

use std::fmt;

use rand_core::Rng;

use super::piece::{Piece, PieceSet};
use streams::{Stream, below};

/// The largest weight; it keeps all sums far from the limits of floating point.
const HEAVIEST: f64 = 1e6;

/// How the next piece is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Generator {
    pieces: Vec<Piece>,
    kind: Kind,
}

/// The three ways to draw a piece.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// All shapes equally likely.
    Uniform,
    /// Each shape once per bag.
    Bag,
    /// In proportion to weights.
    Weights(Weights),
}

impl Generator {
    /// Reads a generator of these shapes; the error says what is allowed, as the rest of a sentence.
    pub fn read(text: &str, pieces: impl Iterator<Item = Piece>) -> Result<Self, String> {
        let pieces: Vec<Piece> = pieces.collect();
        let kind = match text {
            "uniform" => Kind::Uniform,
            "bag" => Kind::Bag,
            _ => Kind::Weights(Weights::read(text, &pieces)?),
        };
        Ok(Self { pieces, kind })
    }

    /// The shapes, in their order.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The way to draw.
    #[must_use]
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// May this piece come at all?
    #[must_use]
    pub fn can_come(&self, piece: Piece) -> bool {
        self.pieces
            .iter()
            .position(|&known| known == piece)
            .is_some_and(|place| match &self.kind {
                Kind::Uniform | Kind::Bag => true,
                Kind::Weights(weights) => weights.shares[place] > 0,
            })
    }

    /// What may come next and how likely, when `left` is in the bag; an empty bag is about to be filled.
    pub(super) fn chances(&self, left: PieceSet, chances: &mut Vec<(Piece, f64)>) {
        match &self.kind {
            Kind::Uniform => {
                let each = 1.0 / self.pieces.len() as f64;
                chances.extend(self.pieces.iter().map(|&piece| (piece, each)));
            }
            Kind::Bag => {
                let bag = self.filled(left);
                chances.extend(bag.iter().map(|piece| (piece, 1.0 / bag.len() as f64)));
            }
            Kind::Weights(weights) => {
                let whole = Weights::WHOLE as f64;
                let all = self
                    .pieces
                    .iter()
                    .zip(&weights.shares)
                    .filter(|(_, share)| **share > 0);
                chances.extend(all.map(|(&piece, &share)| (piece, share as f64 / whole)));
            }
        }
    }

    /// Draws one of the [`chances`](Self::chances).
    #[inline]
    pub(super) fn draw(&self, left: PieceSet, rng: &mut Stream) -> Piece {
        match &self.kind {
            Kind::Uniform => self.pieces[below(rng, self.pieces.len() as u32) as usize],
            Kind::Bag => {
                let bag = self.filled(left);
                bag.nth(below(rng, bag.len() as u32))
            }
            Kind::Weights(weights) => {
                let point = rng.next_u64() >> (u64::BITS - Weights::WHOLE.trailing_zeros());
                let passed = weights.ends.iter().filter(|&&end| end <= point).count();
                self.pieces[passed]
            }
        }
    }

    /// What is left in the bag after `drawn`; always nothing if there is no bag.
    #[inline]
    pub(super) fn left_after(&self, left: PieceSet, drawn: Piece) -> PieceSet {
        match self.kind {
            Kind::Bag => self.filled(left).without(drawn),
            Kind::Uniform | Kind::Weights(_) => PieceSet::default(),
        }
    }

    fn filled(&self, left: PieceSet) -> PieceSet {
        if left.is_empty() {
            self.pieces.iter().copied().collect()
        } else {
            left
        }
    }
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Uniform => f.write_str("uniform"),
            Kind::Bag => f.write_str("bag"),
            Kind::Weights(weights) => {
                for (place, (piece, weight)) in self.pieces.iter().zip(&weights.given).enumerate() {
                    write!(f, "{}{piece}={weight}", if place == 0 { "" } else { "," })?;
                }
                Ok(())
            }
        }
    }
}

/// Weights of shapes, and the shares of [`Weights::WHOLE`] that they come to.
///
/// Shares are whole numbers, so pieces are drawn with exactly the reported probabilities.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    given: Vec<f64>,
    shares: Vec<u64>,
    ends: Vec<u64>,
}

impl Weights {
    /// What all shares sum to: as fine as floating-point probabilities are.
    pub const WHOLE: u64 = 1 << 53;

    /// The share of each shape, in the order of the shapes.
    #[must_use]
    pub fn shares(&self) -> &[u64] {
        &self.shares
    }

    fn read(text: &str, pieces: &[Piece]) -> Result<Self, String> {
        let mut given: Vec<Option<f64>> = vec![None; pieces.len()];
        for item in text.split(',') {
            let (piece, weight) = read_weight(item)?;
            let place = pieces
                .iter()
                .position(|&known| known == piece)
                .ok_or_else(|| {
                    let known: String = pieces.iter().map(|piece| piece.letter()).collect();
                    format!(
                        "weighs {piece}, which is not a shape of the game; its shapes are {known}"
                    )
                })?;
            if given[place].replace(weight).is_some() {
                return Err(format!("weighs {piece} twice"));
            }
        }
        Self::new(
            given
                .into_iter()
                .map(|weight| weight.unwrap_or(1.0))
                .collect(),
        )
    }

    fn new(given: Vec<f64>) -> Result<Self, String> {
        let total: f64 = given.iter().sum();
        if total == 0.0 {
            return Err("must leave at least one shape a weight above 0".to_owned());
        }
        let mut sum = 0.0;
        // The same sum in the same order, so the last end is exactly the whole.
        let end = |weight: &f64| {
            sum += weight;
            (sum / total * Self::WHOLE as f64) as u64
        };
        let ends: Vec<u64> = given.iter().map(end).collect();
        let starts = std::iter::once(&0).chain(&ends);
        let shares = ends
            .iter()
            .zip(starts)
            .map(|(end, start)| end - start)
            .collect();
        Ok(Self {
            given,
            shares,
            ends,
        })
    }
}

fn read_weight(item: &str) -> Result<(Piece, f64), String> {
    item.split_once('=')
        .and_then(|(letter, weight)| Some((letter.parse().ok()?, weight.parse().ok()?)))
        .filter(|(_, weight)| (0.0..=HEAVIEST).contains(weight))
        .ok_or_else(|| {
            format!("must be uniform, bag or weights from 0 to {HEAVIEST}, like S=2,Z=0.5")
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use streams::stream;

    fn generator(text: &str) -> Result<Generator, String> {
        Generator::read(text, "SZT".chars().filter_map(Piece::new))
    }

    fn chances(generator: &Generator, left: &str) -> Vec<(char, f64)> {
        let mut chances = Vec::new();
        generator.chances(left.chars().filter_map(Piece::new).collect(), &mut chances);
        chances
            .into_iter()
            .map(|(piece, probability)| (piece.letter(), probability))
            .collect()
    }

    #[test]
    fn weights_give_their_proportions_and_never_what_weighs_nothing() {
        let weighted = generator("Z=0,S=3").unwrap();
        assert_eq!(chances(&weighted, ""), [('S', 0.75), ('T', 0.25)]);
        assert!(!weighted.can_come(Piece::new('Z').unwrap()));
        assert_eq!(weighted.to_string(), "S=3,Z=0,T=1");
        // Expected 750 of 1,000, standard deviation 13.7: six of them are an error rate of 2e-9.
        let mut rng = stream(1, &[]);
        let drawn =
            (0..1000).filter(|_| weighted.draw(PieceSet::default(), &mut rng).letter() == 'S');
        assert!((668..=832).contains(&drawn.count()));
    }

    #[test]
    fn a_bag_holds_each_shape_once() {
        let bag = generator("bag").unwrap();
        assert_eq!(
            chances(&bag, ""),
            [('S', 1.0 / 3.0), ('T', 1.0 / 3.0), ('Z', 1.0 / 3.0)]
        );
        assert_eq!(chances(&bag, "ZS"), [('S', 0.5), ('Z', 0.5)]);
        let (mut rng, mut left) = (stream(2, &[]), PieceSet::default());
        for _ in 0..100 {
            let drawn: PieceSet = (0..3)
                .map(|_| {
                    let piece = bag.draw(left, &mut rng);
                    left = bag.left_after(left, piece);
                    piece
                })
                .collect();
            assert_eq!((drawn.len(), left.len()), (3, 0));
        }
    }

    #[test]
    fn wrong_generators_are_refused_with_what_is_right() {
        let check = |text: &str, part: &str| {
            let error = generator(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        };
        check("", "must be uniform, bag or weights");
        check("S", "like S=2");
        check("S=", "like S=2");
        check("S=-1", "from 0 to 1000000");
        check("S=NaN", "from 0 to 1000000");
        check("S=inf", "from 0 to 1000000");
        check("I=2", "its shapes are SZT");
        check("S=1,S=2", "weighs S twice");
        check("S=0,Z=0,T=0", "above 0");
    }
}
