//! Measured players, best first: champions of evolutions and players of measurements, those with the same rules and opponent together.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use games::Options;
use serde::Serialize;

use crate::results::{Aggregate, Results, RunResults, SettingResults};
use lab::run::outcome::Metric;
use lab::store::Store;
use lab::store::baselines::{Baseline, plans};
use lab::store::played::records;
use lab::study::{Setting, Study};
use play::measure::Plan;
use play::stats::{Pairs, ratings};
use players::Spec;

/// Measured players.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Leaderboard {
    /// Grouped by rules and opponent, best first.
    pub entries: Vec<Entry>,
    /// In a two-player game: ratings of all players that met, by rules; empty if none did.
    pub elo: Vec<Rated>,
    /// Studies and runs that cannot be read, and why.
    pub damaged: Vec<String>,
}

/// A measured player.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Entry {
    /// Its spec, with weights or program.
    pub player: String,
    /// Its display name.
    pub label: String,
    /// In a two-player game: its opponent.
    pub against: Option<String>,
    /// Its rank among those with the same rules and opponent, from 1.
    pub rank: usize,
    /// Its score.
    pub value: f64,
    /// The 95 % interval of the score.
    pub ci95: Option<[f64; 2]>,
    /// Number of games.
    pub games: u64,
    /// The name of the value.
    pub metric: String,
    /// The rules.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, String>))]
    pub rules: Options,
    /// The run or study that measured it.
    pub source: String,
}

/// A player with its rating.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Rated {
    /// Its spec, with weights or program.
    pub player: String,
    /// Its display name.
    pub label: String,
    /// On Elo's scale.
    pub elo: f64,
    /// The 95 % interval.
    pub ci95: [f64; 2],
    /// Games it played.
    pub games: u64,
    /// The rules.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, String>))]
    pub rules: Options,
}

const SCORE: &str = "score";
const GAMES: &str = "measured games";

/// Results of two players under the same rules.
#[derive(Debug, Clone)]
struct Meeting {
    rules: Options,
    players: [Spec; 2],
    score: Pairs,
}

impl Leaderboard {
    /// The players measured by these studies, which are all of one game.
    #[must_use]
    pub fn gather(store: &Store, studies: &[String]) -> Self {
        let (mut entries, mut meetings, mut damaged) = (Vec::new(), Vec::new(), Vec::new());
        for name in studies {
            let folder = store.folder(name);
            let read = folder.study().and_then(|study| {
                let results = Results::of(&study, &folder)?;
                Ok((study, results))
            });
            let (study, results) = match read {
                Ok(read) => read,
                Err(error) => {
                    damaged.push(format!("{name}: {error}"));
                    continue;
                }
            };
            let told = |run: &RunResults| format!("{}: {}", run.id, run.damage.join("; "));
            damaged.extend(results.damaged().map(told));
            for baseline in baselines(&study, &results) {
                add_once(&mut entries, baseline);
            }
            for (setting, found) in study.settings.iter().zip(&results.settings) {
                match study.kind.name {
                    "evolve" | "train" => entries.extend(champions(setting, found)),
                    "measure" => {
                        entries.extend(measured(&study, setting, found));
                        meetings.extend(meeting(setting, found));
                    }
                    _ => {}
                }
            }
        }
        rank(&mut entries);
        let elo = rate(&meetings);
        Self {
            entries,
            elo,
            damaged,
        }
    }
}

fn rules(setting: &Setting) -> Options {
    let options = setting.experiment.game().map(games::AnyGame::options);
    options.unwrap_or_default()
}

/// The players of a measurement, one per seat, as they were played.
fn players(setting: &Setting, found: &SettingResults) -> Option<Vec<Spec>> {
    found.runs.iter().find_map(|run| played(setting, run))
}

/// The players that measured a run, one per seat.
fn played(setting: &Setting, run: &RunResults) -> Option<Vec<Spec>> {
    run.plan(setting).map(|plan| plan.table.specs().to_vec())
}

fn opponent(players: &[Spec]) -> Option<String> {
    players.get(1).map(Spec::label)
}

/// The champion of every run.
fn champions(setting: &Setting, found: &SettingResults) -> Vec<Entry> {
    let champion = |run: &RunResults| {
        let file = run.outcome.as_ref()?.champion.as_ref()?;
        let Metric { value, ci95 } = *run.metrics.get(SCORE)?;
        let games = run.metrics.get(GAMES).map_or(0.0, |games| games.value);
        Some(Entry {
            player: file.spec().ok()?.to_string(),
            label: format!("champion of {}", run.id),
            against: opponent(&played(setting, run)?),
            rank: 0,
            value,
            ci95,
            games: games as u64,
            metric: SCORE.to_owned(),
            rules: rules(setting),
            source: run.id.clone(),
        })
    };
    found.runs.iter().filter_map(champion).collect()
}

/// The players that the champions of a study are compared with; they have the rules and the opponent of all its settings.
fn baselines(study: &Study, results: &Results) -> Vec<Entry> {
    let entry = |(plan, baseline): (&Plan, &Baseline)| {
        let players = plan.table.specs();
        let score = baseline.metrics.get(SCORE)?;
        let games = baseline.metrics.get(GAMES).map_or(0.0, |games| games.value);
        Some(Entry {
            player: players[0].to_string(),
            label: baseline.player.clone(),
            against: opponent(players),
            rank: 0,
            value: score.value,
            ci95: score.ci95,
            games: games as u64,
            metric: SCORE.to_owned(),
            rules: study.settings.first().map(rules).unwrap_or_default(),
            source: study.name.clone(),
        })
    };
    let plans = plans(study);
    let measured = plans.iter().zip(&results.baselines);
    measured.filter_map(entry).collect()
}

/// Studies share their baselines: of several measurements of the same player, that with the most games stands in the list.
fn add_once(entries: &mut Vec<Entry>, entry: Entry) {
    let is_same = |known: &&mut Entry| {
        known.player == entry.player && known.rules == entry.rules && known.against == entry.against
    };
    match entries.iter_mut().find(is_same) {
        Some(known) if known.games < entry.games => *known = entry,
        Some(_) => {}
        None => entries.push(entry),
    }
}

/// The player of a setting, over all its runs.
fn measured(study: &Study, setting: &Setting, found: &SettingResults) -> Option<Entry> {
    let Aggregate { value, ci95, .. } = *found.metrics.get(SCORE)?;
    let games = found.runs.iter().filter_map(|run| run.metrics.get(GAMES));
    let players = players(setting, found)?;
    Some(Entry {
        label: players[0].label(),
        against: opponent(&players),
        player: players[0].to_string(),
        rank: 0,
        value,
        ci95,
        games: games.map(|games| games.value as u64).sum(),
        metric: SCORE.to_owned(),
        rules: rules(setting),
        source: study.name.clone(),
    })
}

/// Groups entries by rules and opponent, best first: a score against one opponent says nothing about that against another.
fn rank(entries: &mut [Entry]) {
    let order = |a: &Entry, b: &Entry| {
        let by_value = b.value.partial_cmp(&a.value).unwrap_or(Ordering::Equal);
        a.rules
            .cmp(&b.rules)
            .then_with(|| a.against.cmp(&b.against))
            .then(by_value)
            .then_with(|| a.source.cmp(&b.source))
    };
    entries.sort_by(order);
    for group in entries.chunk_by_mut(|a, b| a.rules == b.rules && a.against == b.against) {
        for (place, entry) in group.iter_mut().enumerate() {
            entry.rank = place + 1;
        }
    }
}

/// The results of a measurement against another player.
fn meeting(setting: &Setting, found: &SettingResults) -> Option<Meeting> {
    let players: [Spec; 2] = players(setting, found)?.try_into().ok()?;
    if players[0] == players[1] {
        return None;
    }
    let whole = found.runs.iter().filter(|run| !run.is_damaged());
    let pairs = whole.filter_map(|run| {
        let plan = run.plan(setting)?;
        Some(plan.pairs(&records(&plan, &run.path).ok()?))
    });
    let score = pairs.fold(Pairs::default(), Pairs::and);
    (score.games > 0).then(|| Meeting {
        rules: rules(setting),
        players,
        score,
    })
}

/// Ratings of all players that met under the same rules.
fn rate(meetings: &[Meeting]) -> Vec<Rated> {
    let mut by_rules: BTreeMap<&Options, Vec<&Meeting>> = BTreeMap::new();
    for meeting in meetings {
        by_rules.entry(&meeting.rules).or_default().push(meeting);
    }
    let rated = by_rules.into_iter();
    rated
        .flat_map(|(rules, meetings)| rate_together(rules, &meetings))
        .collect()
}

fn rate_together(rules: &Options, meetings: &[&Meeting]) -> Vec<Rated> {
    // A player is the same whichever file or text named it; of several labels it has the alphabetically first.
    let mut labels: BTreeMap<String, String> = BTreeMap::new();
    for player in meetings.iter().flat_map(|one| &one.players) {
        let label = labels
            .entry(player.to_string())
            .or_insert_with(|| player.label());
        *label = player.label().min(std::mem::take(label));
    }
    let place = |player: &Spec| labels.range(..player.to_string()).count();
    let mut table = vec![vec![Pairs::default(); labels.len()]; labels.len()];
    for meeting in meetings {
        let [first, second] = meeting.players.each_ref().map(place);
        table[first][second] = table[first][second].and(meeting.score);
        table[second][first] = table[second][first].and(meeting.score.reversed());
    }
    let rated = ratings(&table).into_iter().zip(&labels).zip(&table);
    let mut rated: Vec<Rated> = rated
        .map(|((rating, (player, label)), row)| Rated {
            player: player.clone(),
            label: label.clone(),
            elo: rating.elo,
            ci95: rating.ci95,
            games: row.iter().map(|score| u64::from(score.games)).sum(),
            rules: rules.clone(),
        })
        .collect();
    rated.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    rated
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(first: &str, second: &str, wins: u32, losses: u32) -> Meeting {
        Meeting {
            rules: Options::default(),
            players: [first, second].map(|text| text.parse().expect("a spec")),
            score: Pairs::of_games(wins, 0, losses),
        }
    }

    #[test]
    fn whoever_wins_is_rated_higher_whoever_is_named_first() {
        let rated = rate(&[met("a", "b", 90, 10), met("c", "b", 10, 90)]);
        let names: Vec<&str> = rated.iter().map(|one| one.player.as_str()).collect();
        assert_eq!(names, ["a", "b", "c"]);
        assert_eq!(rated[1].games, 200);
        assert!(rated[0].ci95[0] < rated[0].elo && rated[0].elo < rated[0].ci95[1]);
    }

    #[test]
    fn places_are_counted_for_the_same_rules_and_opponent() {
        let entry = |rule: &str, against: Option<&str>, value: f64| Entry {
            player: "p".to_owned(),
            label: String::new(),
            against: against.map(str::to_owned),
            rank: 0,
            value,
            ci95: None,
            games: 1,
            metric: SCORE.to_owned(),
            rules: Options::from_iter([("size", rule)]),
            source: String::new(),
        };
        let mut entries = [
            entry("4x4", None, 1.0),
            entry("3x3", None, 5.0),
            entry("4x4", None, 2.0),
            entry("4x4", Some("perfect"), 0.5),
            entry("4x4", Some("greedy"), 0.9),
        ];
        rank(&mut entries);
        let ranks: Vec<(f64, usize)> = entries.iter().map(|e| (e.value, e.rank)).collect();
        assert_eq!(ranks, [(5.0, 1), (2.0, 1), (1.0, 2), (0.9, 1), (0.5, 1)]);
    }
}
