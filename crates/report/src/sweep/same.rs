//! Settings that have exactly the same results: what they differ in has no effect.

use super::{Factor, Sweep, Varied};

/// Sentences on values of a key, or settings, that give the same `metric` in every repeat. `samples` are the values of each setting.
pub(crate) fn same(settings: &[Varied<'_>], samples: &[Vec<f64>], metric: &str) -> Vec<String> {
    let Some(sweep) = Sweep::of(settings).filter(Sweep::is_complete) else {
        let is_same = |a: usize, b: usize| alike(&samples[a], &samples[b]);
        let sentence = |group: Vec<usize>| {
            let names = listed(group.iter().map(|&place| settings[place].label));
            format!("{names} give the same {metric} in every repeat.")
        };
        let groups = groups(settings.len(), is_same).into_iter();
        return groups.map(sentence).collect();
    };
    let of_factor = |factor: &Factor| {
        let Factor { name, levels, .. } = factor;
        let is_same = |a: usize, b: usize| {
            let mut pairs = pairs(&sweep, factor, a, b);
            pairs.all(|(one, other)| alike(&samples[one], &samples[other]))
        };
        let sentence = |group: Vec<usize>| {
            let values = listed(group.iter().map(|&level| levels[level].as_str()));
            let nothing = match group.len() == levels.len() {
                true => format!(": {name} has no effect here"),
                false => String::new(),
            };
            format!("{name} {values} give the same {metric} in every repeat{nothing}.")
        };
        let groups = groups(levels.len(), is_same).into_iter();
        groups.map(sentence).collect::<Vec<String>>()
    };
    sweep.factors.iter().flat_map(of_factor).collect()
}

/// The settings that differ in one key only, at two of its values.
fn pairs<'a>(
    sweep: &'a Sweep,
    factor: &'a Factor,
    a: usize,
    b: usize,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let settings = move |level: usize| {
        (0..factor.of.len()).filter(move |&setting| factor.of[setting] == level)
    };
    let others = move || sweep.factors.iter().filter(move |other| *other != factor);
    settings(a).filter_map(move |one| {
        let matches = |other: &usize| others().all(|key| key.of[one] == key.of[*other]);
        settings(b).find(matches).map(|other| (one, other))
    })
}

/// Equal in every repeat, and not only because there is nothing to differ in, as when every game is won.
fn alike(a: &[f64], b: &[f64]) -> bool {
    a == b && a.iter().any(|value| *value != a[0])
}

/// The groups of at least two of `count` things that are alike.
fn groups(count: usize, is_same: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for item in 0..count {
        match groups.iter_mut().find(|group| is_same(group[0], item)) {
            Some(group) => group.push(item),
            None => groups.push(vec![item]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.as_slice() {
        [names @ .., last] if !names.is_empty() => format!("{} and {last}", names.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value as Json, json};

    use super::*;

    fn changes(population: u32, sigma: f64) -> BTreeMap<String, Json> {
        let keys = [
            ("optimizer.population", json!(population)),
            ("optimizer.sigma", json!(sigma)),
        ];
        keys.map(|(key, value)| (key.to_owned(), value)).into()
    }

    #[test]
    fn a_key_without_effect_is_named() {
        let changes = [(8, 0.1), (8, 0.5), (32, 0.1), (32, 0.5)].map(|(p, s)| changes(p, s));
        let settings: Vec<Varied<'_>> = changes
            .iter()
            .map(|changes| Varied { label: "", changes })
            .collect();
        let samples = [
            vec![1.0, 2.0],
            vec![1.0, 2.0],
            vec![3.0, 5.0],
            vec![3.0, 5.0],
        ];
        assert_eq!(
            same(&settings, &samples, "score"),
            ["sigma 0.1 and 0.5 give the same score in every repeat: sigma has no effect here."]
        );
        let other = [
            vec![1.0, 2.0],
            vec![1.0, 2.0],
            vec![3.0, 5.0],
            vec![3.0, 6.0],
        ];
        assert!(same(&settings, &other, "score").is_empty());
        let won = vec![vec![1.0, 1.0]; 4];
        assert!(
            same(&settings, &won, "won").is_empty(),
            "all games were won"
        );
    }

    #[test]
    fn settings_without_common_keys_are_named_by_their_labels() {
        let (none, one) = (BTreeMap::new(), changes(8, 0.1));
        let settings = [("a", &none), ("b", &one), ("c", &none)];
        let settings = settings.map(|(label, changes)| Varied { label, changes });
        let samples = [vec![1.0, 2.0], vec![0.0, 2.0], vec![1.0, 2.0]];
        let found = same(&settings, &samples, "score");
        assert_eq!(found, ["a and c give the same score in every repeat."]);
    }
}
