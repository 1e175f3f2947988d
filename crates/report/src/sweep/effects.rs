//! What each key does on average over all values of the others, and how much of the variance it explains.

use super::{Factor, Sweep};
use play::stats::{mean_interval, possible};

/// The main effects of a study that tries all combinations of its values.
#[derive(Debug, Clone)]
pub(crate) struct Effects {
    /// The keys with their effects, in the order of the sweep.
    pub(crate) keys: Vec<Effect>,
    /// The share of the variance that belongs to combinations of keys, beyond the sum of what each does.
    pub(crate) together: f64,
    /// The share of the variance between repeats of a setting; `None` with a single repeat.
    pub(crate) chance: Option<f64>,
    /// For each setting its mean.
    pub(crate) means: Vec<f64>,
    /// The repeats that all settings have finished.
    pub(crate) repeats: usize,
}

/// What one key does.
#[derive(Debug, Clone)]
pub(crate) struct Effect {
    /// The key.
    pub(crate) factor: Factor,
    /// For each of its values the mean, and its interval over the repeats.
    pub(crate) levels: Vec<(f64, Option<[f64; 2]>)>,
    /// The share of the variance that it explains.
    pub(crate) share: f64,
    /// The share that a key with as many values and without any effect would explain on average.
    pub(crate) by_chance: f64,
}

impl Effects {
    /// The effects on the values of each setting, one per repeat, of which only those in `range` are possible. `None` unless several keys
    /// vary, all combinations are there, and there are values that differ.
    pub(crate) fn of(sweep: &Sweep, values: &[Vec<f64>], range: [f64; 2]) -> Option<Self> {
        let repeats = values.first().map_or(0, Vec::len);
        if sweep.factors.len() < 2 || !sweep.is_complete() || repeats == 0 {
            return None;
        }
        let settings = values.len();
        let runs = (settings * repeats) as f64;
        let grand = values.iter().flatten().sum::<f64>() / runs;
        let means: Vec<f64> = values.iter().map(|of| mean(of)).collect();
        let total = squares(values.iter().flatten().copied(), grand);
        let between = repeats as f64 * squares(means.iter().copied(), grand);
        if total <= 0.0 {
            return None;
        }
        let effect = |factor: &Factor| effect(factor, values, grand, total, range);
        let keys: Vec<Effect> = sweep.factors.iter().map(effect).collect();
        let alone: f64 = keys.iter().map(|key| key.share).sum();
        Some(Self {
            together: (between / total - alone).max(0.0),
            chance: (repeats > 1).then_some((1.0 - between / total).max(0.0)),
            keys,
            means,
            repeats,
        })
    }
}

fn effect(factor: &Factor, values: &[Vec<f64>], grand: f64, total: f64, range: [f64; 2]) -> Effect {
    let runs = values.iter().map(Vec::len).sum::<usize>() as f64;
    let level = |number: usize| {
        let settings = || (0..values.len()).filter(|&setting| factor.of[setting] == number);
        // A repeat has the same seed in all settings, so its settings are not independent: each repeat gives one number.
        let of_repeat = |repeat: usize| {
            mean(
                &settings()
                    .map(|setting| values[setting][repeat])
                    .collect::<Vec<_>>(),
            )
        };
        (0..values[0].len()).map(of_repeat).collect::<Vec<f64>>()
    };
    let samples: Vec<Vec<f64>> = (0..factor.levels.len()).map(level).collect();
    let means = samples.iter().map(|sample| mean(sample));
    let explained = runs / samples.len() as f64 * squares(means, grand);
    let described = |sample: &Vec<f64>| {
        let low = sample.iter().copied().fold(f64::INFINITY, f64::min);
        let high = sample.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let interval = mean_interval(sample).map(|ends| possible(ends, range, [low, high]));
        (mean(sample), interval)
    };
    Effect {
        levels: samples.iter().map(described).collect(),
        share: explained / total,
        by_chance: (samples.len() as f64 - 1.0) / (runs - 1.0),
        factor: factor.clone(),
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn squares(values: impl Iterator<Item = f64>, middle: f64) -> f64 {
    values
        .map(|value| (value - middle) * (value - middle))
        .sum()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value as Json, json};

    use super::super::Varied;
    use super::*;

    const ANY: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

    fn sweep(keys: &[[&str; 2]], settings: &[[u32; 2]]) -> Option<Sweep> {
        let changes: Vec<BTreeMap<String, Json>> = (keys.iter().zip(settings))
            .map(|(keys, values)| {
                let pairs = keys.iter().zip(values);
                pairs
                    .map(|(key, &value)| ((*key).to_owned(), json!(value)))
                    .collect()
            })
            .collect();
        let settings: Vec<Varied<'_>> = changes
            .iter()
            .map(|changes| Varied { label: "", changes })
            .collect();
        Sweep::of(&settings)
    }

    const KEYS: [[&str; 2]; 4] = [["a.x", "b.y"]; 4];

    #[test]
    fn variance_is_divided_between_keys_combinations_and_chance() {
        let sweep = sweep(&KEYS, &[[1, 1], [1, 2], [2, 1], [2, 2]]).expect("a sweep");
        assert_eq!(
            sweep.factors[0].name, "x",
            "the key that changes most rarely"
        );
        // x adds 10, y adds 2, and both together nothing more; repeats differ by 1 on either side.
        let values = [0.0, 2.0, 10.0, 12.0].map(|mean| vec![mean - 1.0, mean + 1.0]);
        let effects = Effects::of(&sweep, &values, ANY).expect("effects");
        let [x, y] = &effects.keys[..] else {
            panic!("two keys");
        };
        assert_eq!(
            x.levels.iter().map(|level| level.0).collect::<Vec<_>>(),
            [1.0, 11.0]
        );
        assert_eq!(
            y.levels.iter().map(|level| level.0).collect::<Vec<_>>(),
            [5.0, 7.0]
        );
        let all = 8.0 * 25.0 + 8.0 + 8.0;
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(
            near(x.share, 200.0 / all) && near(y.share, 8.0 / all),
            "{effects:?}"
        );
        assert!(near(effects.together, 0.0) && near(effects.chance.unwrap(), 8.0 / all));
        assert!(near(x.by_chance, 1.0 / 7.0));
        assert!(x.levels[0].1.is_some(), "an interval over the repeats");
    }

    #[test]
    fn keys_that_change_together_are_one() {
        let both = sweep(&KEYS[..2], &[[1, 5], [2, 6]]).expect("a sweep");
        assert_eq!(both.factors.len(), 1);
        assert_eq!(both.factors[0].name, "x, y");
        assert_eq!(both.factors[0].levels, ["1, 5", "2, 6"]);
    }

    #[test]
    fn without_all_combinations_there_are_no_effects() {
        let sweep = sweep(&KEYS[..3], &[[1, 1], [1, 2], [2, 1]]).expect("a sweep");
        let values = [vec![0.0], vec![1.0], vec![2.0]];
        assert!(Effects::of(&sweep, &values, ANY).is_none());
    }
}
