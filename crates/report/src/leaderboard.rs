//! Measured players, best first: champions of evolutions and players of measurements, grouped by rules.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::results::{Aggregate, Results, RunResults, SettingResults};
use lab::run::outcome::Metric;
use lab::store::Store;
use lab::study::{Setting, Study};
use play::stats::{Score, ratings};

/// Measured players.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Leaderboard {
    /// Grouped by rules, best first.
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
    /// Its rank among those with the same rules, from 1.
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
    pub rules: BTreeMap<String, String>,
    /// The run or study that measured it.
    pub source: String,
}

/// A player with its rating.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Rated {
    /// Its spec.
    pub player: String,
    /// On Elo's scale.
    pub elo: f64,
    /// Bootstrap interval.
    pub ci95: [f64; 2],
    /// Games it played.
    pub games: u64,
    /// The rules.
    pub rules: BTreeMap<String, String>,
}

const SCORE: &str = "score";
const GAMES: &str = "measured games";

/// Results of two players under the same rules.
#[derive(Debug, Clone)]
struct Meeting {
    rules: BTreeMap<String, String>,
    players: [String; 2],
    score: Score,
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
            for (setting, found) in study.settings.iter().zip(&results.settings) {
                match study.kind.name {
                    "evolve" => entries.extend(champions(setting, found)),
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

fn rules(setting: &Setting) -> BTreeMap<String, String> {
    let options = setting.experiment.game().map(games::AnyGame::options);
    let options = options.unwrap_or_default();
    let rules = options.iter();
    rules
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

fn text(setting: &Setting, key: &str) -> Option<String> {
    Some(setting.config.get(key)?.as_str()?.to_owned())
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
            against: None,
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

/// The player of a setting, over all its runs.
fn measured(study: &Study, setting: &Setting, found: &SettingResults) -> Option<Entry> {
    let Aggregate { value, ci95, .. } = *found.metrics.get(SCORE)?;
    let games = found.runs.iter().filter_map(|run| run.metrics.get(GAMES));
    let player = text(setting, "player")?;
    Some(Entry {
        label: player.clone(),
        against: text(setting, "against"),
        player,
        rank: 0,
        value,
        ci95,
        games: games.map(|games| games.value as u64).sum(),
        metric: SCORE.to_owned(),
        rules: rules(setting),
        source: study.name.clone(),
    })
}

/// Groups entries by rules, best first.
fn rank(entries: &mut [Entry]) {
    let order = |a: &Entry, b: &Entry| {
        let by_value = b.value.partial_cmp(&a.value).unwrap_or(Ordering::Equal);
        a.rules
            .cmp(&b.rules)
            .then(by_value)
            .then_with(|| a.source.cmp(&b.source))
    };
    entries.sort_by(order);
    let mut before: Option<(BTreeMap<String, String>, usize)> = None;
    for entry in entries {
        entry.rank = match &before {
            Some((rules, rank)) if *rules == entry.rules => rank + 1,
            _ => 1,
        };
        before = Some((entry.rules.clone(), entry.rank));
    }
}

/// The results of a measurement against another player.
fn meeting(setting: &Setting, found: &SettingResults) -> Option<Meeting> {
    let players = [text(setting, "player")?, text(setting, "against")?];
    if players[0] == players[1] {
        return None;
    }
    let mut score = Score::default();
    for run in &found.runs {
        let number = |name: &str| run.metrics.get(name).map_or(0.0, |metric| metric.value);
        let games = number(GAMES);
        let part = |name: &str| (number(name) * games).round() as u32;
        score.wins += part("wins");
        score.draws += part("draws");
        score.losses += part("losses");
    }
    (score.games() > 0).then(|| Meeting {
        rules: rules(setting),
        players,
        score,
    })
}

/// Ratings of all players that met under the same rules.
fn rate(meetings: &[Meeting]) -> Vec<Rated> {
    let mut by_rules: BTreeMap<&BTreeMap<String, String>, Vec<&Meeting>> = BTreeMap::new();
    for meeting in meetings {
        by_rules.entry(&meeting.rules).or_default().push(meeting);
    }
    let rated = by_rules.into_iter();
    rated
        .flat_map(|(rules, meetings)| rate_together(rules, &meetings))
        .collect()
}

fn rate_together(rules: &BTreeMap<String, String>, meetings: &[&Meeting]) -> Vec<Rated> {
    let mut names: Vec<&String> = meetings.iter().flat_map(|one| &one.players).collect();
    names.sort();
    names.dedup();
    let place = |name: &String| names.binary_search(&name).unwrap_or(0);
    let mut table = vec![vec![Score::default(); names.len()]; names.len()];
    for meeting in meetings {
        let [first, second] = [0, 1].map(|seat| place(&meeting.players[seat]));
        add(&mut table[first][second], meeting.score);
        add(&mut table[second][first], meeting.score.reversed());
    }
    let rated = ratings(&table).into_iter().zip(&names).zip(&table);
    let mut rated: Vec<Rated> = rated
        .map(|((rating, name), row)| Rated {
            player: (*name).clone(),
            elo: rating.elo,
            ci95: rating.ci95,
            games: row.iter().map(|score| u64::from(score.games())).sum(),
            rules: rules.clone(),
        })
        .collect();
    rated.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    rated
}

fn add(to: &mut Score, more: Score) {
    to.wins += more.wins;
    to.draws += more.draws;
    to.losses += more.losses;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(first: &str, second: &str, wins: u32, losses: u32) -> Meeting {
        Meeting {
            rules: BTreeMap::new(),
            players: [first.to_owned(), second.to_owned()],
            score: Score {
                wins,
                draws: 0,
                losses,
            },
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
    fn places_are_counted_for_the_same_rules() {
        let entry = |rule: &str, value: f64| Entry {
            player: "p".to_owned(),
            label: String::new(),
            against: None,
            rank: 0,
            value,
            ci95: None,
            games: 1,
            metric: SCORE.to_owned(),
            rules: BTreeMap::from([("size".to_owned(), rule.to_owned())]),
            source: String::new(),
        };
        let mut entries = [entry("4x4", 1.0), entry("3x3", 5.0), entry("4x4", 2.0)];
        rank(&mut entries);
        let ranks: Vec<(f64, usize)> = entries.iter().map(|e| (e.value, e.rank)).collect();
        assert_eq!(ranks, [(5.0, 1), (2.0, 1), (1.0, 2)]);
    }
}
