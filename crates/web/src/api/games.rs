//! `/api/games`: games and players; positions and moves. The server keeps no game: a position is a text.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use games::{AnyGame, OptionSpec, Options, registry};
use play::any::{self, AnyPosition};
use play::choices::{ParameterChoice, PlayerChoice, Values, choices};
use play::seating::all_players;
use play::suggested::{suggested, usual_hint};
use players::registry::Entry;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::board::{Rules, Step, View};
use crate::input::{Body, Path};
use crate::problem::{Failure, Problem};
use crate::seed::Seed;
use crate::site::Site;
use crate::tables::{build, let_chance_act, position};

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(show))
        .routes(routes!(make_move))
}

/// A game and who can play it.
#[derive(Debug, Serialize, ToSchema)]
struct GameInfo {
    name: &'static str,
    about: &'static str,
    /// How many play.
    seats: u8,
    /// Whether a position may also be written as the moves that lead to it.
    by_moves: bool,
    /// What can be set.
    options: Vec<OptionInfo>,
    /// Who can play.
    players: Vec<PlayerInfo>,
    /// The player that gives hints under the usual rules.
    hint: &'static str,
    /// Players to choose from, strong ones first.
    suggested: &'static [&'static str],
}

/// A rule that can be set.
#[derive(Debug, Serialize, ToSchema)]
struct OptionInfo {
    name: &'static str,
    /// A placeholder for the value; empty for a switch.
    value: &'static str,
    about: &'static str,
    default: &'static str,
    /// Other values worth trying.
    examples: Vec<String>,
}

/// A kind of player.
#[derive(Debug, Serialize, ToSchema)]
struct PlayerInfo {
    name: &'static str,
    about: &'static str,
    /// Whether it plays as it is, without a parameter that must be given.
    plays_as_is: bool,
    parameters: Vec<ParameterInfo>,
}

/// A parameter of a player.
#[derive(Debug, Serialize, ToSchema)]
struct ParameterInfo {
    name: &'static str,
    /// Its name for people.
    label: String,
    default: Option<&'static str>,
    about: &'static str,
    /// The values to choose from; empty if it is a number or a text.
    values: Vec<ValueInfo>,
    /// The range of a number.
    range: Option<RangeInfo>,
}

/// A value of a parameter.
#[derive(Debug, Serialize, ToSchema)]
struct ValueInfo {
    name: String,
    /// What it means; empty if the parameter says it all.
    about: &'static str,
}

/// The numbers that a parameter takes.
#[derive(Debug, Serialize, ToSchema)]
struct RangeInfo {
    low: f64,
    high: f64,
    /// Whether only whole ones.
    whole: bool,
}

/// All games, with their rules and players.
#[utoipa::path(get, path = "/api/games", tag = "games", responses((status = 200, body = Vec<GameInfo>)))]
async fn list(State(site): State<Arc<Site>>) -> Json<Vec<GameInfo>> {
    let families = registry::FAMILIES.iter();
    Json(
        families
            .map(|family| describe(family, site.settings.allow_exec))
            .collect(),
    )
}

fn describe(family: &'static registry::Family, allow_exec: bool) -> GameInfo {
    let may = |entry: &&Entry| {
        entry.plays(family.name) && (allow_exec || entry.kind.name != play::bots::EXEC.kind.name)
    };
    let game = family.build(&Options::default()).ok();
    GameInfo {
        name: family.name,
        about: family.about,
        seats: game.as_ref().map_or(1, AnyGame::seats),
        by_moves: game
            .as_ref()
            .is_some_and(|game| AnyPosition::after_moves(game, "").is_some()),
        options: describe_options(family),
        players: all_players()
            .filter(may)
            .map(|entry| describe_player(entry, choices(family.name)))
            .collect(),
        hint: game.as_ref().map_or("random", usual_hint),
        suggested: suggested(family.name),
    }
}

fn describe_options(family: &registry::Family) -> Vec<OptionInfo> {
    let parse = |text: &&str| text.parse::<Options>().ok();
    let examples: Vec<Options> = family.examples.iter().filter_map(parse).collect();
    let describe = |option: &OptionSpec| {
        let values = examples
            .iter()
            .filter_map(|example| example.get(option.name));
        let values: BTreeSet<&str> = values.filter(|value| *value != option.default).collect();
        OptionInfo {
            name: option.name,
            value: option.value,
            about: option.help,
            default: option.default,
            examples: values.into_iter().map(str::to_owned).collect(),
        }
    };
    family.options.iter().map(describe).collect()
}

fn describe_player(entry: &Entry, choices: &[PlayerChoice]) -> PlayerInfo {
    let choice = choices.iter().find(|one| one.name == entry.kind.name);
    let plain = |parameter: &players::Parameter| ParameterInfo {
        name: parameter.name,
        label: parameter.name.to_owned(),
        default: Some(parameter.default).filter(|default| !default.is_empty()),
        about: parameter.help,
        values: Vec::new(),
        range: None,
    };
    PlayerInfo {
        name: entry.kind.name,
        about: entry.kind.about,
        plays_as_is: choice.is_some(),
        parameters: match choice {
            Some(choice) => choice.parameters.iter().map(describe_parameter).collect(),
            None => entry.kind.parameters.iter().map(plain).collect(),
        },
    }
}

fn describe_parameter(parameter: &ParameterChoice) -> ParameterInfo {
    let (mut values, mut range) = (Vec::new(), None);
    match &parameter.values {
        Values::Text => {}
        Values::OneOf(named) => {
            values.extend(named.iter().map(|value| ValueInfo {
                name: value.name.clone(),
                about: value.about,
            }));
        }
        &Values::Numbers { low, high, whole } => range = Some(RangeInfo { low, high, whole }),
    }
    ParameterInfo {
        name: parameter.name,
        label: parameter.label(),
        default: Some(parameter.default).filter(|default| !default.is_empty()),
        about: parameter.about,
        values,
        range,
    }
}

/// A position to show.
#[derive(Debug, Deserialize, ToSchema)]
struct ViewRequest {
    #[serde(default)]
    rules: Rules,
    /// A text of a position, or of the moves that lead to it ("4453"); missing for the start.
    position: Option<String>,
    /// The moves that lead to the position, in games in which that is a way to write one.
    moves: Option<String>,
    /// The seed of chance.
    #[serde(default)]
    seed: Seed,
}

/// A position with everything the page shows of it.
#[utoipa::path(post, path = "/api/games/{game}/view", tag = "games", params(("game" = String, Path)), request_body = ViewRequest,
    responses((status = 200, body = View), (status = 400, body = Failure), (status = 404, body = Failure)))]
async fn show(
    Path(name): Path<String>,
    Body(wanted): Body<ViewRequest>,
) -> Result<Json<View>, Problem> {
    let game = build(&name, &wanted.rules)?;
    let mut position = match wanted.position.or(wanted.moves) {
        Some(text) => position(&game, &text)?,
        None => AnyPosition::start(&game),
    };
    let_chance_act(&mut position, wanted.seed.0, 0);
    Ok(Json(View::of(&position)))
}

/// A move to make.
#[derive(Debug, Deserialize, ToSchema)]
struct MoveRequest {
    #[serde(default)]
    rules: Rules,
    position: String,
    #[serde(rename = "move")]
    chosen: String,
    /// The seed of chance, together with the number of the step.
    #[serde(default)]
    seed: Seed,
    #[serde(default)]
    step: u64,
}

/// Makes a move, and lets chance act after it.
#[utoipa::path(post, path = "/api/games/{game}/move", tag = "games", params(("game" = String, Path)), request_body = MoveRequest,
    responses((status = 200, body = Vec<Step>), (status = 400, body = Failure), (status = 404, body = Failure)))]
async fn make_move(
    Path(name): Path<String>,
    Body(body): Body<MoveRequest>,
) -> Result<Json<Vec<Step>>, Problem> {
    let game = build(&name, &body.rules)?;
    let mut position = position(&game, &body.position)?;
    play_on(&mut position, body.chosen, body.seed.0, body.step).map(Json)
}

/// Makes a move and lets chance act after it.
pub(super) fn play_on(
    position: &mut AnyPosition,
    chosen: String,
    seed: u64,
    step: u64,
) -> Result<Vec<Step>, Problem> {
    position.play(&chosen)?;
    let mut steps = vec![Step::of(any::Step::Move(chosen), position)];
    steps.extend(let_chance_act(position, seed, step));
    Ok(steps)
}
