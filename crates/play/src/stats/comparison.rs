//! Compares the settings of a study by their repeats: the scores of each, which differ significantly, and a verdict in words.

use std::fmt;

use serde::Serialize;

use super::power::{LEVEL, MEDIUM_EFFECT, pairs_needed, power, repeats_needed};
use super::verdict::verdict;
use super::{
    GroupTest, a12, friedman, holm, kruskal_wallis, mann_whitney, mean_interval, median_interval,
    paired_effect, possible, quantile, wilcoxon,
};

/// The results of one setting.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sample {
    /// The name of the setting in sentences: `population 100`.
    pub label: String,
    /// One finite number per repeat; if repeats are paired, in the same order in all samples.
    pub values: Vec<f64>,
    /// The values that are possible: the interval of the mean does not reach beyond.
    #[serde(skip)]
    pub range: [f64; 2],
}

/// Whether the n-th repeats of all settings belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Pairing {
    /// They share their seed, and so their luck.
    Paired,
    /// They have nothing in common.
    Independent,
}

/// What a number of a sample stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Observed {
    /// The result of a repeat of a setting.
    Repeats,
    /// The result of a game of a run.
    Games,
    /// The mean of two games of a run that begin alike, one with each player first.
    Pairs,
}

impl Observed {
    /// The word for the observations, and for what they are observations of.
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Repeats => ("repeats", "setting"),
            Self::Games => ("games", "run"),
            Self::Pairs => ("pairs", "run"),
        }
    }
}

/// Whether higher or lower numbers are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Better {
    /// Scores, lines, win rates.
    Higher,
    /// Errors, evaluations, seconds.
    Lower,
}

/// The result of comparing samples.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Comparison {
    /// Each sample by itself, in the order given.
    pub samples: Vec<Described>,
    /// What the numbers are.
    pub observed: Observed,
    /// How the samples were compared: as independent also if they differ in length or are too short for a paired test.
    pub pairing: Pairing,
    /// As requested.
    pub better: Better,
    /// Whether any sample differs; only for three or more samples.
    pub overall: Option<Overall>,
    /// The sample that all others are compared with, if they are not compared with one another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<usize>,
    /// All pairs of samples with at least two repeats, or those with the base.
    pub pairs: Vec<Pair>,
    /// The sample with the best median among those with at least two repeats, ties broken by the mean: best in these repeats, which
    /// proves nothing.
    pub best: Option<usize>,
    /// Whether the repeats are enough; missing if there is nothing to compare.
    pub outlook: Option<Outlook>,
    /// All of this in plain sentences.
    pub verdict: String,
}

/// One sample by itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Described {
    /// The name of the setting.
    pub label: String,
    /// Number of repeats.
    pub n: usize,
    /// Missing without repeats.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", schema(value_type = OptionalSpread))]
    pub spread: Option<Spread>,
}

/// In descriptions: the fields of [`Spread`], all of which may be missing.
#[cfg(feature = "openapi")]
struct OptionalSpread;

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for OptionalSpread {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::{RefOr, Schema};
        let mut schema = Spread::schema();
        if let RefOr::T(Schema::Object(fields)) = &mut schema {
            fields.required.clear();
        }
        schema
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for OptionalSpread {}

/// Where the values of a sample lie. Intervals are missing for a sample of one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Spread {
    /// Arithmetic mean.
    pub mean: f64,
    /// The 95 % interval of the mean: Student's, corrected for skewness.
    pub mean_ci95: Option<[f64; 2]>,
    /// Middle value.
    pub median: f64,
    /// The 95 % interval of the median by ranks; the range of fewer than six values.
    pub median_ci95: Option<[f64; 2]>,
    /// Smallest value.
    pub min: f64,
    /// First quartile.
    pub p25: f64,
    /// Third quartile.
    pub p75: f64,
    /// Largest value.
    pub max: f64,
}

/// A test by ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Test {
    /// Signed ranks, for two paired samples.
    Wilcoxon,
    /// For two independent samples.
    MannWhitney,
    /// For three or more paired samples.
    Friedman,
    /// For three or more independent samples.
    KruskalWallis,
}

/// A test over all samples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Overall {
    /// Which test.
    pub test: Test,
    /// Its result.
    #[serde(flatten)]
    pub answer: GroupTest,
}

/// Two samples compared.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Pair {
    /// Index of one sample.
    pub first: usize,
    /// Index of the other.
    pub second: usize,
    /// The test used.
    pub test: Test,
    /// The p-value as if only these two were compared.
    pub p: f64,
    /// The same after Holm's correction for all pairs.
    pub p_holm: f64,
    /// The probability that a repeat of the first is better than one of the second, equals counting half.
    pub a12: f64,
    /// A12 as a word.
    pub effect: Effect,
    /// The corrected p-value is below 5 %.
    pub significant: bool,
    /// Which of the two is better; missing unless significant.
    pub winner: Option<usize>,
    /// Repeats per setting to detect an effect as large as this one with 80 % power; missing if there is no effect.
    pub repeats_needed: Option<u64>,
    /// How far the second is above the first, which is the base; missing without a base, or if repeats are not paired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}

/// A mean difference of paired repeats.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Difference {
    /// The mean.
    pub mean: f64,
    /// Its 95 % interval: Student's, corrected for skewness.
    pub ci95: Option<[f64; 2]>,
}

impl Difference {
    /// Of the repeats of `second` over those of `first`.
    fn of(first: &[f64], second: &[f64]) -> Option<Self> {
        if first.len() != second.len() || first.is_empty() {
            return None;
        }
        let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| b - a).collect();
        Some(Self {
            mean: differences.iter().sum::<f64>() / differences.len() as f64,
            ci95: mean_interval(&differences),
        })
    }
}

/// How large an effect is, by Vargha and Delaney (2000).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Effect {
    /// A12 below 0.56.
    Negligible,
    /// From 0.56.
    Small,
    /// From 0.64.
    Medium,
    /// From 0.71.
    Large,
}

impl Effect {
    /// The word for an A12, whichever side it favours.
    #[must_use]
    pub fn of(a12: f64) -> Self {
        match a12.max(1.0 - a12) {
            large if large >= 0.71 => Self::Large,
            medium if medium >= 0.64 => Self::Medium,
            small if small >= 0.56 => Self::Small,
            _ => Self::Negligible,
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Negligible => "negligible",
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        })
    }
}

/// How well these repeats detect a medium effect (A12 = 0.64) by the Mann-Whitney test, with the level of 5 % divided by the number
/// of comparisons as in Holm's correction. Paired repeats detect more.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Outlook {
    /// Repeats of the setting with the fewest.
    pub repeats: u64,
    /// The probability of detecting the effect.
    pub power: f64,
    /// Repeats per setting for 80 % power.
    pub repeats_needed: u64,
}

/// Compares settings by the results of their repeats. Settings with fewer than two repeats are only described; paired samples of unequal
/// length, or too short for a paired test to ever be significant, are treated as independent.
#[must_use]
pub fn compare(samples: &[Sample], pairing: Pairing, better: Better) -> Comparison {
    compare_observed(samples, None, Observed::Repeats, pairing, better)
}

/// The same, but compares all settings only with the one at an index: fewer comparisons, so that each can show more.
#[must_use]
pub fn compare_with(
    samples: &[Sample],
    base: usize,
    pairing: Pairing,
    better: Better,
) -> Comparison {
    compare_observed(samples, Some(base), Observed::Repeats, pairing, better)
}

/// Compares runs by the games of their champions, or pairs of games: the result holds for these champions, not for the settings that
/// produced them.
#[must_use]
pub fn compare_games(samples: &[Sample], observed: Observed, better: Better) -> Comparison {
    compare_observed(samples, None, observed, Pairing::Independent, better)
}

fn compare_observed(
    samples: &[Sample],
    base: Option<usize>,
    observed: Observed,
    pairing: Pairing,
    better: Better,
) -> Comparison {
    let enough: Vec<usize> = (0..samples.len())
        .filter(|&place| samples[place].values.len() > 1)
        .collect();
    let related = pairing;
    let pairing = if is_pairing_useful(samples, &enough, base) {
        pairing
    } else {
        Pairing::Independent
    };
    let described: Vec<Described> = samples.iter().map(describe).collect();
    let best = best(&described, &enough, better);
    let mut pairs = pairs(samples, &enough, base, pairing, better);
    if base.is_some() && related == Pairing::Paired {
        for pair in &mut pairs {
            let [first, second] = [pair.first, pair.second].map(|place| &samples[place].values);
            pair.difference = Difference::of(first, second);
        }
    }
    let mut comparison = Comparison {
        base,
        samples: described,
        observed,
        pairing,
        better,
        overall: overall(samples, &enough, pairing),
        pairs,
        best,
        outlook: outlook(samples, &enough, base),
        verdict: String::new(),
    };
    comparison.verdict = verdict(&comparison);
    comparison
}

/// Whether samples are equally long, and long enough for the Wilcoxon test to be significant at all after Holm's correction: its
/// smallest p-value for n pairs is 2^(1-n). With fewer repeats only the test for independent samples, valid here as well, can be. The
/// answer depends on the numbers of repeats and settings alone, never on scores.
fn is_pairing_useful(samples: &[Sample], enough: &[usize], base: Option<usize>) -> bool {
    let mut lengths = enough.iter().map(|&place| samples[place].values.len());
    let Some(length) = lengths.next() else {
        return false;
    };
    let least = libm::exp2(1.0 - length as f64);
    lengths.all(|other| other == length) && least * (comparisons(enough.len(), base) as f64) < LEVEL
}

fn describe(sample: &Sample) -> Described {
    let mut sorted = sample.values.clone();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let spread = (n > 0).then(|| Spread {
        mean: sorted.iter().sum::<f64>() / n as f64,
        mean_ci95: mean_interval(&sorted)
            .map(|interval| possible(interval, sample.range, [sorted[0], sorted[n - 1]])),
        median: quantile(&sorted, 0.5),
        median_ci95: median_interval(&sorted),
        min: sorted[0],
        p25: quantile(&sorted, 0.25),
        p75: quantile(&sorted, 0.75),
        max: sorted[n - 1],
    });
    Described {
        label: sample.label.clone(),
        n,
        spread,
    }
}

fn best(described: &[Described], enough: &[usize], better: Better) -> Option<usize> {
    let ahead = |one: &Spread, other: &Spread| {
        let order = one.median.total_cmp(&other.median);
        let order = order.then(one.mean.total_cmp(&other.mean));
        match better {
            Better::Higher => order.is_gt(),
            Better::Lower => order.is_lt(),
        }
    };
    let spreads = enough
        .iter()
        .filter_map(|&place| Some((place, described[place].spread.as_ref()?)));
    let best = spreads.reduce(|best, next| if ahead(next.1, best.1) { next } else { best });
    best.map(|(place, _)| place)
}

fn overall(samples: &[Sample], enough: &[usize], pairing: Pairing) -> Option<Overall> {
    if enough.len() < 3 {
        return None;
    }
    let values: Vec<&[f64]> = enough
        .iter()
        .map(|&place| samples[place].values.as_slice())
        .collect();
    let (test, answer) = match pairing {
        Pairing::Paired => (Test::Friedman, friedman(&values)),
        Pairing::Independent => (Test::KruskalWallis, kruskal_wallis(&values)),
    };
    answer.map(|answer| Overall { test, answer })
}

fn pairs(
    samples: &[Sample],
    enough: &[usize],
    base: Option<usize>,
    pairing: Pairing,
    better: Better,
) -> Vec<Pair> {
    let level = LEVEL / comparisons(enough.len(), base) as f64;
    let mut pairs: Vec<Pair> = compared(enough, base)
        .into_iter()
        .map(|pair| Pair::test(samples, pair, pairing, better, level))
        .collect();
    let raw: Vec<f64> = pairs.iter().map(|pair| pair.p).collect();
    for (pair, p) in pairs.iter_mut().zip(holm(&raw)) {
        pair.p_holm = p;
        pair.significant = p < LEVEL;
        if !pair.significant {
            pair.winner = None;
        }
    }
    pairs
}

impl Pair {
    /// Before Holm's correction, which needs all pairs.
    fn test(
        samples: &[Sample],
        [first, second]: [usize; 2],
        pairing: Pairing,
        better: Better,
        level: f64,
    ) -> Self {
        let (a, b) = (&samples[first].values, &samples[second].values);
        let (good, bad) = match better {
            Better::Higher => (a, b),
            Better::Lower => (b, a),
        };
        let a12 = a12(good, bad);
        let (test, p, leaning, repeats_needed) = tested(good, bad, pairing, level);
        Self {
            first,
            second,
            test,
            p,
            p_holm: p,
            a12,
            effect: Effect::of(a12),
            significant: p < LEVEL,
            winner: Some(if leaning > 0.5 { first } else { second }),
            repeats_needed,
            difference: None,
        }
    }
}

/// The test, its p-value, the effect it measures in favour of `good`, and the repeats it needs to detect that.
fn tested(
    good: &[f64],
    bad: &[f64],
    pairing: Pairing,
    level: f64,
) -> (Test, f64, f64, Option<u64>) {
    match pairing {
        Pairing::Paired => {
            let effect = paired_effect(good, bad);
            let needed = pairs_needed(effect, level);
            (Test::Wilcoxon, wilcoxon(good, bad), effect, needed)
        }
        Pairing::Independent => {
            let effect = a12(good, bad);
            let needed = repeats_needed(effect, level);
            (Test::MannWhitney, mann_whitney(good, bad), effect, needed)
        }
    }
}

fn outlook(samples: &[Sample], enough: &[usize], base: Option<usize>) -> Option<Outlook> {
    if samples.len() < 2 {
        return None;
    }
    let lengths = |places: &[usize]| {
        places
            .iter()
            .map(|&place| samples[place].values.len())
            .min()
    };
    let everything: Vec<usize> = (0..samples.len()).collect();
    let compared = if enough.len() > 1 {
        enough
    } else {
        &everything
    };
    let repeats = lengths(compared)? as u64;
    let level = LEVEL / comparisons(compared.len(), base) as f64;
    Some(Outlook {
        repeats,
        power: power(MEDIUM_EFFECT, repeats, level),
        repeats_needed: repeats_needed(MEDIUM_EFFECT, level)?,
    })
}

/// The number of comparisons of this many samples: of all pairs, or with the base.
fn comparisons(samples: usize, base: Option<usize>) -> usize {
    let others = samples.saturating_sub(1);
    let count = match base {
        Some(_) => others,
        None => samples * others / 2,
    };
    count.max(1)
}

/// The pairs of samples that are compared: all, or those with the base, which comes first.
fn compared(places: &[usize], base: Option<usize>) -> Vec<[usize; 2]> {
    if let Some(base) = base {
        let has_base = places.contains(&base);
        let others = places.iter().filter(|&&place| has_base && place != base);
        return others.map(|&other| [base, other]).collect();
    }
    let later = |nth: usize| places[nth + 1..].iter();
    let of = |(nth, &first): (usize, &usize)| later(nth).map(move |&second| [first, second]);
    places.iter().enumerate().flat_map(of).collect()
}
