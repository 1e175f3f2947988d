//! What a report says about workers on other machines: who played, how much of it was checked, and what was removed.

use std::collections::BTreeMap;

use super::Block;
use crate::results::Results;
use lab::run::provenance::{Contribution, Provenance};
use play::numbers::{figure, probability};

/// Shares of wrong games for which the chance to go unseen is given.
const WRONG_SHARES: [f64; 2] = [0.01, 0.1];
/// More workers than these are counted, not named.
const MOST_NAMED: usize = 10;

type ByWorker = BTreeMap<String, Contribution>;

/// Nothing, if all games were played on one machine.
pub(super) fn workers(results: &Results) -> Vec<Block> {
    let (mut workers, mut removed) = (ByWorker::new(), ByWorker::new());
    let mut unknown = 0_usize;
    for run in results.settings.iter().flat_map(|setting| &setting.runs) {
        match Provenance::read(&run.path) {
            Ok(Ok(known)) => {
                add(&mut workers, known.workers);
                add(&mut removed, known.removed);
            }
            _ => unknown += 1,
        }
    }
    let mut texts = Vec::new();
    if !workers.is_empty() {
        texts.push(played(&workers));
        texts.push(checked(&workers));
    }
    if !removed.is_empty() {
        texts.push(format!(
            "Wrong results were returned by {}: the games that these workers had played were removed and played again by others.",
            names(&removed)
        ));
    }
    if unknown > 0 {
        texts.push(format!(
            "Of {unknown} runs it is not known who played their games: workers.json cannot be read."
        ));
    }
    match texts.is_empty() {
        true => Vec::new(),
        false => vec![
            Block::Heading("Who played".to_owned()),
            Block::Text(texts.join(" ")),
        ],
    }
}

fn add(all: &mut ByWorker, of_run: ByWorker) {
    for (id, contribution) in of_run {
        let sum = all.entry(id).or_default();
        sum.name = contribution.name;
        sum.games += contribution.games;
        sum.checked += contribution.checked;
    }
}

fn played(workers: &ByWorker) -> String {
    let games: u64 = workers.values().map(|worker| worker.games).sum();
    format!(
        "{} games were played on other machines, by {}.",
        figure(games as f64),
        names(workers)
    )
}

fn names(workers: &ByWorker) -> String {
    if workers.len() > MOST_NAMED {
        return format!("{} workers", workers.len());
    }
    let named = workers
        .values()
        .map(|worker| format!("{} ({} games)", worker.name, figure(worker.games as f64)));
    named.collect::<Vec<_>>().join(", ")
}

/// How many games were checked, and what may have gone unseen.
fn checked(workers: &ByWorker) -> String {
    let sum = |of: fn(&Contribution) -> u64| workers.values().map(of).sum::<u64>();
    let (games, checked) = (sum(|worker| worker.games), sum(|worker| worker.checked));
    if checked == games {
        return "Each was played a second time, by another worker or here, with the same result."
            .to_owned();
    }
    let least = workers.values().map(|worker| worker.checked).min();
    let least = least.unwrap_or(0);
    let unseen = WRONG_SHARES.map(|share| {
        format!(
            "{} for one that is wrong in {} % of its games",
            probability(unseen(share, least)),
            100.0 * share
        )
    });
    format!(
        "{} of them ({:.1} %) were played a second time, by another worker or here, with the same result. The probability that a worker \
         was wrong and went unseen is at most {} (if each of its games is wrong with that probability; at least {} games of every worker were checked).",
        figure(checked as f64),
        100.0 * checked as f64 / games.max(1) as f64,
        unseen.join(", and "),
        figure(least as f64)
    )
}

/// The probability that none of the checked games is among the wrong ones.
fn unseen(share: f64, checked: u64) -> f64 {
    libm::pow(1.0 - share, checked as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(games: u64, checked: u64) -> ByWorker {
        let name = "lab7".to_owned();
        BTreeMap::from([(
            "U1".to_owned(),
            Contribution {
                name,
                games,
                checked,
            },
        )])
    }

    #[test]
    fn what_may_have_gone_unseen_is_said() {
        assert!((unseen(0.01, 100) - 0.366_032_341_273_229_5).abs() < 1e-12);
        let text = checked(&one(10_000, 100));
        assert!(text.contains("(1.0 %)"), "{text}");
        assert!(text.contains("0.366"), "{text}");
    }

    #[test]
    fn games_that_were_all_played_twice_are_certain() {
        assert!(checked(&one(500, 500)).starts_with("Each was played a second time"));
    }
}
