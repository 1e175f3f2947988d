//! `gamete match`: players against each other, who is better, and whether it can be luck.

use std::ops::RangeInclusive;
use std::time::Duration;

use play::measure::MOST_GAMES;
use play::openings::Openings;
use play::stats::{Accepted, Sprt};
use play::tournament::{Decision, Outcome, Pairing, Plan, Points, Standing, play, play_until};
use players::Spec;

use crate::commands::measure::{INTERRUPTED, all_forfeited, check_complete, in_words};
use crate::counts::from_to;
use crate::interrupt::interrupted;
use crate::lookout::Lookout;
use crate::openings::OpeningsArguments;
use crate::output::{Failure, Table, number, print, print_json};
use crate::pool::PoolArguments;
use crate::progress::{progress, threads};
use crate::rules::GameArguments;
use crate::seats::player;

const EXAMPLES: &str = "\
Every player meets every other. In a two-player game each pair plays every opening twice, once with each player first; \
in a one-player game both play the same games, and the higher score wins.

Examples:
  gamete match 2048 random greedy
  gamete match connect 'alphabeta(depth=5, eval=lines)' mcts random --games 200
  gamete match 2048 greedy expectimax --games 1000 --seed 7 --json";

/// Arguments of `gamete match`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The players, two or more
    #[arg(value_name = "PLAYER")]
    named: Vec<String>,
    /// More players, for scripts that name them by an option
    #[arg(long, value_name = "PLAYER", num_args = 1..)]
    players: Vec<String>,
    /// Games per pair; in a two-player game an even number lets each player start equally often [default: 100; with --until, at most 20000]
    #[arg(long, value_name = "N", value_parser = from_to::<u64>(1, MOST_GAMES))]
    games: Option<u64>,
    #[command(flatten)]
    sequential: Sequential,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    openings: OpeningsArguments,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Time limit per move, e.g. 50ms, for players that support it; results then depend on the machine
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    move_time: Option<Duration>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pool: PoolArguments,
}

/// When two players have played enough.
#[derive(Debug, clap::Args)]
struct Sequential {
    /// Play two players until a sequential test (SPRT over pairs of games) decides whether the first is better
    #[arg(long, value_name = "WHEN", value_parser = ["decided"])]
    until: Option<String>,
    /// With --until: the hypothesis that the first is better by at most this many Elo points
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 0.0,
        requires = "until",
        allow_negative_numbers = true,
        value_parser = elo
    )]
    elo0: f64,
    /// With --until: the hypothesis that it is better by at least this many
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 20.0,
        requires = "until",
        allow_negative_numbers = true,
        value_parser = elo
    )]
    elo1: f64,
    /// With --until: how often elo1 may be accepted wrongly
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, requires = "until", value_parser = error_share)]
    alpha: f64,
    /// With --until: how often elo0 may be accepted wrongly
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, requires = "until", value_parser = error_share)]
    beta: f64,
}

fn elo(text: &str) -> Result<f64, String> {
    number_within(text, -1000.0..=1000.0)
}

fn error_share(text: &str) -> Result<f64, String> {
    number_within(text, 0.0001..=0.4)
}

fn number_within(text: &str, range: RangeInclusive<f64>) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("must be a number from {} to {}", range.start(), range.end()))
}

impl Sequential {
    /// The test, if one was asked for.
    fn test(&self, players: usize) -> Result<Option<Sprt>, Failure> {
        if self.until.is_none() {
            return Ok(None);
        }
        let wrong = |problem: String| Err(Failure::Usage(problem));
        if players != 2 {
            return wrong(format!("--until decided: needs two players, not {players}"));
        }
        let (elo0, elo1) = (self.elo0, self.elo1);
        if elo0 >= elo1 {
            return wrong(format!(
                "--elo0 {elo0} --elo1 {elo1}: the first must be below the second"
            ));
        }
        Ok(Some(Sprt {
            elo0,
            elo1,
            alpha: self.alpha,
            beta: self.beta,
        }))
    }
}

/// The result with that of the sequential test, for JSON.
#[derive(Debug, serde::Serialize)]
struct Tested<'a> {
    #[serde(flatten)]
    outcome: &'a Outcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequential: Option<Decision>,
}

/// Plays and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let game = arguments.game.build()?;
    let players = arguments.named.iter().chain(&arguments.players);
    let players = players.map(|text| player(&game, text));
    let players = players.collect::<Result<Vec<Spec>, Failure>>()?;
    if players.len() < 2 {
        let name = arguments.game.name();
        return Err(Failure::Usage(format!(
            "a match needs two players or more, e.g. gamete match {name} random greedy; 'gamete players {name}' lists them"
        )));
    }
    let openings = arguments.openings.read(&game, Openings::Balanced)?;
    let test = arguments.sequential.test(players.len())?;
    let usual = if test.is_some() {
        MOST_TESTED
    } else {
        USUAL_GAMES
    };
    let plan = Plan {
        game,
        players,
        games: arguments.games.unwrap_or(usual),
        seed: arguments.seed,
        move_time: arguments.move_time,
        openings,
    };
    let stop = interrupted(INTERRUPTED)?;
    let threads = threads(arguments.threads);
    let workers = arguments.pool.workers("match", threads, &stop)?;
    let bar = progress(plan.total_games());
    let lookout = Lookout::over(&bar, &plan.game, workers.slots());
    let finished = || bar.inc(1);
    let played = match &test {
        None => {
            play(&plan, &workers, &finished).map(|outcome| outcome.map(|outcome| (outcome, None)))
        }
        Some(test) => play_until(&plan, test, &workers, &finished)
            .map(|tested| tested.map(|(outcome, decision)| (outcome, Some(decision)))),
    };
    drop(lookout);
    bar.finish_and_clear();
    let Some((outcome, sequential)) = played? else {
        return Err(Failure::Interrupted);
    };
    if arguments.json {
        let outcome = &outcome;
        print_json(&Tested {
            outcome,
            sequential,
        })?;
    } else {
        let decision = sequential.map(|decision| decided(&outcome, &decision));
        print(&(render(&outcome) + &decision.unwrap_or_default()))?;
    }
    match sequential {
        Some(decision) if decision.accepted.is_some() || decision.only_repeats => {}
        _ => check_complete(outcome.games, plan.games)?,
    }
    check_played(&outcome, plan.game.seats())
}

/// Has every player played at least one game to its end?
fn check_played(outcome: &Outcome, seats: u8) -> Result<(), Failure> {
    let meetings = match seats {
        2 => outcome.standings.len() as u64 - 1,
        _ => 1,
    };
    let games = outcome.games * meetings;
    let gave_up = |standing: &&Standing| u64::from(standing.forfeits) == games;
    match outcome.standings.iter().find(gave_up) {
        Some(standing) => Err(all_forfeited(&format!("every game of {}", standing.player))),
        None => Ok(()),
    }
}

const USUAL_GAMES: u64 = 100;
/// The most games of a sequential test, unless asked otherwise.
const MOST_TESTED: u64 = 20_000;

/// What the sequential test says.
fn decided(outcome: &Outcome, decision: &Decision) -> String {
    let Decision {
        accepted,
        only_repeats,
        ratio,
        bounds: [low, high],
        test,
    } = decision;
    let (first, second) = (&outcome.pairings[0].first, &outcome.pairings[0].second);
    let verdict = match accepted {
        Some(Accepted::Elo1) => format!(
            "accepted: {first} is better than {second}, rather by {:+} Elo than by {:+}",
            test.elo1, test.elo0
        ),
        Some(Accepted::Elo0) => format!(
            "accepted: {first} is not better than {second}, rather by {:+} Elo than by {:+}",
            test.elo0, test.elo1
        ),
        None if *only_repeats => format!(
            "not decided: all openings are played, and these players would only repeat their {} different games; give others with --openings",
            outcome.pairings[0].different_games
        ),
        None => format!(
            "not decided: the limit of {} games was reached",
            outcome.games
        ),
    };
    format!(
        "\n{verdict}\n  after {} games; log-likelihood ratio {ratio:.2}, decided below {low:.2} or above {high:.2} (alpha {}, beta {})\n  \
         The rating and p above are as of a match of fixed length: with a match that ends when it is decided, go by this test.\n",
        outcome.games, test.alpha, test.beta
    )
}

fn render(outcome: &Outcome) -> String {
    let mut text = format!(
        "{}: {} games a pair, seed {}{}\n\n",
        outcome.game,
        outcome.games,
        outcome.seed,
        in_words(outcome.openings.as_deref())
    );
    text += &standings(outcome);
    text += "\n";
    for pairing in &outcome.pairings {
        text += &format!(
            "{} - {}: {}{} won, {} drawn, {} lost; {}\n",
            pairing.first,
            pairing.second,
            pairing
                .difference
                .as_ref()
                .map(points_ahead)
                .unwrap_or_default(),
            pairing.wins,
            pairing.draws,
            pairing.losses,
            verdict(pairing)
        );
        let is_of_two = pairing.difference.is_none();
        if is_of_two {
            let [none, half, one, more, all] = pairing.pairs;
            text += &format!(
                "  pairs of games with 0, 1/2, 1, 3/2 and 2 points for the first: {none}, {half}, {one}, {more}, {all}\n"
            );
        }
        if u64::from(pairing.different_games) < outcome.games {
            text += &format!(
                "  {} different games of {}: the players draw no random numbers, and a repeated game counts once\n",
                pairing.different_games, outcome.games
            );
        }
    }
    for standing in outcome
        .standings
        .iter()
        .filter(|standing| standing.forfeits > 0)
    {
        text += &format!(
            "{} forfeited {} games; the first because {}\n",
            standing.player,
            standing.forfeits,
            standing.first_forfeit.as_deref().unwrap_or_default()
        );
    }
    text
}

/// The table of the players; in a one-player game their scores come first.
fn standings(outcome: &Outcome) -> String {
    let scored = outcome
        .standings
        .iter()
        .any(|standing| standing.score.is_some());
    let scores: &[&str] = if scored {
        &["score", "95 % interval"]
    } else {
        &[]
    };
    let ratings = ["Elo", "95 % interval", "won", "drawn", "lost"];
    let mut table = Table::with_head(&[&["player"], scores, &ratings[..]].concat());
    for standing in &outcome.standings {
        let [low, high] = standing.rating.ci95;
        let score = standing.score.iter().flat_map(|score| {
            let interval = score
                .ci95
                .map(|[low, high]| format!("{} to {}", number(low, 1), number(high, 1)));
            [number(score.mean, 1), interval.unwrap_or("-".to_owned())]
        });
        let rating = [
            format!("{:+.0}", standing.rating.elo),
            format!("{low:+.0} to {high:+.0}"),
            standing.wins.to_string(),
            standing.draws.to_string(),
            standing.losses.to_string(),
        ];
        let player = [standing.player.clone()];
        table.add(player.into_iter().chain(score).chain(rating).collect());
    }
    table.render()
}

/// How far the first player is ahead in the same games.
fn points_ahead(difference: &Points) -> String {
    let sign = if difference.mean > 0.0 { "+" } else { "" };
    let interval = difference
        .ci95
        .map(|[low, high]| format!(" ({} to {})", number(low, 1), number(high, 1)));
    format!(
        "{sign}{}{} points in the same games; ",
        number(difference.mean, 1),
        interval.unwrap_or_default()
    )
}

fn verdict(pairing: &Pairing) -> String {
    let p = pairing.p;
    let shown = if p < 0.0001 {
        "p < 0.0001".to_owned()
    } else {
        format!("p = {p:.4}")
    };
    if p >= 0.05 {
        return format!("the difference can be luck ({shown})");
    }
    let better = if pairing.wins > pairing.losses {
        "first"
    } else {
        "second"
    };
    format!("the {better} is better ({shown})")
}
