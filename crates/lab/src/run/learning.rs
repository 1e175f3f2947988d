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
    let seen: BTreeSet<u64> = blocks.iter().flatten().copied().collect();
    let results: Vec<ResultShare> = match seats {
        1 => seen
            .into_iter()
            .rev()
            .map(|tile| reached(blocks, tile))
            .collect(),
        _ => (ENDS.iter().filter(|(class, _)| seen.contains(class)))
            .map(|(class, label)| ended(blocks, *class, label))
            .collect(),
    };
    // What every game reaches says nothing.
    let says_something = |result: &ResultShare| result.shares.iter().any(|&share| share < 1.0);
    let results = results.into_iter().filter(says_something);
    results.take(MOST_RESULTS).collect()
}

/// How a game of two players may end, by the class of its result.
const ENDS: [(u64, &str); 3] = [
    (1, "won by the first player"),
    (2, "won by the second player"),
    (0, "drawn"),
];

/// Games that reached a tile: a larger one was reached through all smaller ones.
fn reached(blocks: &[Vec<u64>], tile: u64) -> ResultShare {
    ResultShare {
        label: format!("{} or more", figure(tile as f64)),
        shares: share(blocks, |class| class >= tile),
    }
}

fn ended(blocks: &[Vec<u64>], class: u64, label: &str) -> ResultShare {
    ResultShare {
        label: label.to_owned(),
        shares: share(blocks, |other| other == class),
    }
}

/// The share of games of each block whose class counts.
fn share(blocks: &[Vec<u64>], counts: impl Fn(u64) -> bool) -> Vec<f64> {
    let share = |games: &Vec<u64>| {
        let counted = games.iter().filter(|&&class| counts(class)).count();
        counted as f64 / games.len().max(1) as f64
    };
    blocks.iter().map(share).collect()
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
        let all: Vec<(&str, f64)> = found
            .iter()
            .map(|one| (one.label.as_str(), one.shares[0]))
            .collect();
        let expected = [
            ("won by the first player", 0.25),
            ("won by the second player", 0.5),
            ("drawn", 0.25),
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn an_evolution_has_none() {
        assert!(shares(&[Vec::new(), Vec::new()], 1).is_empty());
    }
}
