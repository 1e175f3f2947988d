//! What the keys of a study do: the mean at each of their values, and how much of the variance each explains.

use super::Block;
use crate::results::Results;
use crate::sweep::{Effect, Effects};
use lab::run::outcome::Table;
use play::numbers::with_interval;

/// The section, if several keys vary in all combinations.
pub(super) fn section(results: &Results) -> Vec<Block> {
    let Some(effects) = results.effects() else {
        return Vec::new();
    };
    vec![
        Block::Heading("What each key does".to_owned()),
        Block::Table(means(&effects, &results.metric)),
        Block::Note(about_means(&effects)),
        Block::Table(importance(&effects)),
        Block::Note(about_importance(&effects)),
    ]
}

fn means(effects: &Effects, metric: &str) -> Table {
    let rows = effects.keys.iter().flat_map(|key| {
        let levels = key.factor.levels.iter().zip(&key.levels);
        levels.map(|(level, &(mean, interval))| {
            let name = key.factor.name.clone();
            vec![name, level.clone(), with_interval(mean, interval)]
        })
    });
    let of = match effects.repeats {
        1 => format!("mean {metric}"),
        _ => format!("mean {metric} (95 % interval)"),
    };
    Table {
        title: String::new(),
        rows: rows.collect(),
        head: vec!["key".to_owned(), "value".to_owned(), of],
    }
}

fn about_means(effects: &Effects) -> String {
    let intervals = match effects.repeats {
        1 => "With a single repeat they have no intervals.",
        _ => "Intervals are over the repeats.",
    };
    format!(
        "Means at each value of a key, over all values of the other keys; they hide interactions between keys. {intervals}"
    )
}

fn importance(effects: &Effects) -> Table {
    let mut keys: Vec<&Effect> = effects.keys.iter().collect();
    keys.sort_by(|a, b| b.share.total_cmp(&a.share));
    let row = |what: &str, share: f64, chance: Option<f64>| {
        let chance = chance.map_or("-".to_owned(), percent);
        vec![what.to_owned(), percent(share), chance]
    };
    let keys = keys.into_iter();
    let mut rows: Vec<Vec<String>> = keys
        .map(|key| row(&key.factor.name, key.share, Some(key.by_chance)))
        .collect();
    rows.push(row("interactions of keys", effects.together, None));
    rows.extend(
        effects
            .chance
            .map(|chance| row("chance: repeats of a setting", chance, None)),
    );
    let head = ["key", "explains", "by chance alone, on average"];
    Table {
        title: "How much of the variance between runs each key explains".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows,
    }
}

fn about_importance(effects: &Effects) -> String {
    let combinations = match effects.chance {
        Some(_) => "",
        None => " With a single repeat, interactions of keys cannot be told from chance.",
    };
    format!(
        "Shares hold for the values that were tried: a key tried over a wider range explains more. A key without any effect explains a little by chance, too: see the last column.{combinations}"
    )
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
