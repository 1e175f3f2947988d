//! What the games of a training ended with, by training game.

use std::collections::BTreeSet;

use play::numbers::figure;
use serde::Serialize;

use super::history::HistoryReader;
use super::ledger::LedgerError;

/// The share of games that ended with a result, block by block.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ResultShare {
    /// The result: `2,048 or more`.
    pub label: String,
    /// Its share of the games of each block, from 0 to 1.
    pub shares: Vec<f64>,
}

/// More lines cannot be told apart.
const MOST_RESULTS: usize = 6;

/// The best results of a training and how often games reached them, in these blocks of its history. None for an evolution.
pub fn result_shares(
    history: &HistoryReader,
    blocks: &[usize],
    seats: u8,
) -> Result<Vec<ResultShare>, LedgerError> {
    let blocks = blocks.iter().map(|&place| Ok(history.rows(place)?.classes));
    let blocks = blocks.collect::<Result<Vec<_>, LedgerError>>()?;
    Ok(shares(&blocks, seats))
}

fn shares(blocks: &[Vec<u64>], seats: u8) -> Vec<ResultShare> {
    // In a one-player game a higher class is a better result, and whoever reached it reached all below.
    let is_ordered = seats == 1;
    let share = |class: u64, games: &Vec<u64>| {
        let counts = |&&other: &&u64| match is_ordered {
            true => other >= class,
            false => other == class,
        };
        games.iter().filter(counts).count() as f64 / games.len().max(1) as f64
    };
    let result = |class: u64| ResultShare {
        label: match is_ordered {
            true => format!("{} or more", figure(class as f64)),
            false => class.to_string(),
        },
        shares: blocks.iter().map(|games| share(class, games)).collect(),
    };
    let seen: BTreeSet<u64> = blocks.iter().flatten().copied().collect();
    // What every game reaches says nothing.
    let says_something = |result: &ResultShare| result.shares.iter().any(|&share| share < 1.0);
    let results = seen.into_iter().rev().map(result).filter(says_something);
    results.take(MOST_RESULTS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_tile_was_reached_through_all_smaller_ones() {
        let blocks = [vec![64, 64, 128, 64], vec![128, 1024, 64, 128]];
        let found = shares(&blocks, 1);
        let labels: Vec<&str> = found.iter().map(|one| one.label.as_str()).collect();
        assert_eq!(labels, ["1,024 or more", "128 or more"]);
        assert_eq!(found[0].shares, [0.0, 0.25]);
        assert_eq!(found[1].shares, [0.25, 0.75]);
    }

    #[test]
    fn results_of_two_players_have_no_order() {
        let found = shares(&[vec![0, 1, 2, 2]], 2);
        let all: Vec<f64> = found.iter().flat_map(|one| one.shares.clone()).collect();
        assert_eq!(all, [0.5, 0.25, 0.25]);
    }

    #[test]
    fn an_evolution_has_none() {
        assert!(shares(&[Vec::new(), Vec::new()], 1).is_empty());
    }
}
