//! A comparison in plain sentences, for readers who are not used to p-values: first what is known, then the numbers behind it.

use super::comparison::{Comparison, Effect, Outlook, Pair, Pairing};
use super::power::{MEDIUM_EFFECT, POWER};

/// What can be concluded, whether the repeats are enough, and what was left out.
pub(super) fn verdict(comparison: &Comparison) -> String {
    let Some(outlook) = &comparison.outlook else {
        return match comparison.samples.as_slice() {
            [] => "Nothing is compared.".to_owned(),
            _ => format!(
                "Nothing is compared: there is only one {}.",
                comparison.observed.words().1
            ),
        };
    };
    if comparison.pairs.is_empty() {
        return too_few(comparison, outlook);
    }
    let result = match comparison.base {
        Some(base) => beside(comparison, base),
        None => difference(comparison),
    };
    let mut sentences = vec![result];
    if comparison.base.is_some() || !is_decided(comparison) {
        sentences.push(sufficiency(comparison, outlook));
    }
    let left_out: Vec<&str> = comparison
        .samples
        .iter()
        .filter(|sample| sample.n < 2)
        .map(|sample| sample.label.as_str())
        .collect();
    if !left_out.is_empty() {
        let (numbers, _) = comparison.observed.words();
        sentences.push(format!(
            "Too few {numbers} to compare: {}.",
            list(&left_out)
        ));
    }
    sentences.join(" ")
}

fn too_few(comparison: &Comparison, outlook: &Outlook) -> String {
    let ones = comparison.samples.iter().all(|sample| sample.n == 1);
    let (numbers, of) = comparison.observed.words();
    let one = numbers.trim_end_matches('s');
    let reason = if ones {
        format!("from one {one} per {of}")
    } else {
        format!("until two {of}s have at least two {numbers} each")
    };
    format!(
        "Nothing can be concluded {reason}; {} are needed to detect a medium effect (A12 = {MEDIUM_EFFECT}) with {} power.",
        outlook.repeats_needed,
        percent(POWER),
    )
}

/// Which samples are better or worse than the base.
fn beside(comparison: &Comparison, base: usize) -> String {
    let of = |is_such: &dyn Fn(&Pair) -> bool| -> Vec<&str> {
        let pairs = comparison.pairs.iter().filter(|pair| is_such(pair));
        pairs.map(|pair| label(comparison, pair.second)).collect()
    };
    let better = of(&|pair| pair.winner == Some(pair.second));
    let worse = of(&|pair| pair.winner == Some(base));
    let base = label(comparison, base);
    if better.is_empty() && worse.is_empty() {
        return no_difference(comparison);
    }
    let level = of(&|pair| !pair.significant);
    let groups = [
        (better, format!("Better than {base} (p < 0.05 by Holm)")),
        (worse, format!("Worse than {base} (p < 0.05 by Holm)")),
        (level, format!("No significant difference from {base}")),
    ];
    let said = groups.iter().filter(|(labels, _)| !labels.is_empty());
    let said: Vec<String> = said
        .map(|(labels, what)| format!("{what}: {}.", list(labels)))
        .collect();
    said.join(" ")
}

/// Is the best better than all others?
fn is_decided(comparison: &Comparison) -> bool {
    let best = comparison.best;
    let mut of_best = comparison
        .pairs
        .iter()
        .filter(|pair| best.is_some_and(|best| [pair.first, pair.second].contains(&best)));
    best.is_some() && of_best.all(|pair| pair.winner == best)
}

fn difference(comparison: &Comparison) -> String {
    let significant = comparison.pairs.iter().filter(|pair| pair.significant);
    let Some(clearest) = significant.min_by(|a, b| a.p_holm.total_cmp(&b.p_holm)) else {
        return no_difference(comparison);
    };
    let best = comparison.best;
    let (beaten, level): (Vec<&Pair>, Vec<&Pair>) = comparison
        .pairs
        .iter()
        .filter(|pair| best.is_some_and(|best| [pair.first, pair.second].contains(&best)))
        .partition(|pair| pair.winner == best);
    if beaten.is_empty() {
        return is_better(comparison, &[clearest], "");
    }
    if level.is_empty() {
        return is_better(comparison, &beaten, "");
    }
    let others: Vec<&str> = level
        .iter()
        .map(|pair| {
            label(
                comparison,
                if Some(pair.first) == best {
                    pair.second
                } else {
                    pair.first
                },
            )
        })
        .collect();
    let undecided = format!("; whether it is better than {} is open", list(&others));
    is_better(comparison, &beaten, &undecided)
}

/// Pairs with the same winner in one sentence, what is not known, and the weakest of the pairs' numbers.
fn is_better(comparison: &Comparison, pairs: &[&Pair], undecided: &str) -> String {
    let p = pairs.iter().map(|pair| pair.p_holm).fold(0.0, f64::max);
    let a12 = pairs.iter().map(|pair| favour(pair)).fold(1.0, f64::min);
    let losers: Vec<&str> = pairs
        .iter()
        .map(|pair| label(comparison, pair.first + pair.second - winner(pair)))
        .collect();
    let losers = match losers.len() {
        2 if compared(comparison) == 3 => "both others".to_owned(),
        many if many > 2 && many + 1 == compared(comparison) => format!("all {many} others"),
        _ => list(&losers),
    };
    let (at_most, at_least) = if pairs.len() > 1 {
        ("at most", "at least")
    } else {
        ("=", "=")
    };
    let p = if p < 0.001 {
        "p < 0.001".to_owned()
    } else {
        format!("p {at_most} {p:.3}")
    };
    let winner = label(comparison, winner(pairs[0]));
    let effect = Effect::of(a12);
    format!(
        "{winner} is better than {losers}{undecided} ({p} by Holm, A12 {at_least} {a12:.2}: a {effect} effect)."
    )
}

fn no_difference(comparison: &Comparison) -> String {
    let size = |pair: &Pair| pair.a12.max(1.0 - pair.a12);
    let largest = comparison.pairs.iter().reduce(|largest, pair| {
        if size(pair) > size(largest) {
            pair
        } else {
            largest
        }
    });
    let seen = largest.map_or(0.5, size);
    let (fewest, most) = repeats(comparison);
    let (numbers, of) = comparison.observed.words();
    let start = format!(
        "These {} {numbers} do not show which {of} is better",
        span(fewest, most)
    );
    match largest.and_then(|pair| pair.repeats_needed) {
        Some(needed) if Effect::of(seen) > Effect::Negligible => format!(
            "{start}. If the largest effect seen (A12 = {seen:.2}) is real, about {} {numbers} per {of} would show it.",
            // The formula is an approximation, and these were not enough.
            needed.max(most as u64 + 1),
        ),
        _ => format!("{start}: the largest effect seen (A12 = {seen:.2}) is negligible."),
    }
}

fn sufficiency(comparison: &Comparison, outlook: &Outlook) -> String {
    let (fewest, most) = repeats(comparison);
    let (numbers, of) = comparison.observed.words();
    let repeats = format!("{} {numbers} per {of}", span(fewest, most));
    let among = match comparison.pairs.len() {
        1 => String::new(),
        pairs => format!(" in one of {pairs} comparisons"),
    };
    let effect = format!("a medium effect (A12 = {MEDIUM_EFFECT}){among}");
    let (power, enough) = (percent(outlook.power), percent(POWER));
    if outlook.repeats >= outlook.repeats_needed {
        return format!("{repeats} are enough to detect {effect}: {power} power.");
    }
    let pairing = match comparison.pairing {
        Pairing::Paired => " (more if paired repeats are alike)",
        Pairing::Independent => "",
    };
    let needed = outlook.repeats_needed;
    format!(
        "{repeats} have about {power} power to detect {effect}{pairing}; {needed} would have {enough}."
    )
}

fn compared(comparison: &Comparison) -> usize {
    comparison
        .samples
        .iter()
        .filter(|sample| sample.n > 1)
        .count()
}

/// The smallest and the largest number of repeats of the settings compared.
fn repeats(comparison: &Comparison) -> (usize, usize) {
    let counts = || {
        comparison
            .samples
            .iter()
            .map(|sample| sample.n)
            .filter(|&n| n > 1)
    };
    (counts().min().unwrap_or(0), counts().max().unwrap_or(0))
}

fn span(fewest: usize, most: usize) -> String {
    if fewest == most {
        most.to_string()
    } else {
        format!("{fewest} to {most}")
    }
}

fn winner(pair: &Pair) -> usize {
    pair.winner.unwrap_or(pair.first)
}

/// A12 from the winner's side.
fn favour(pair: &Pair) -> f64 {
    if winner(pair) == pair.first {
        pair.a12
    } else {
        1.0 - pair.a12
    }
}

fn label(comparison: &Comparison, place: usize) -> &str {
    &comparison.samples[place].label
}

/// `a`, `a and b`, `a, b and c`.
fn list(labels: &[&str]) -> String {
    match labels {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [start @ .., last] => format!("{} and {last}", start.join(", ")),
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}
