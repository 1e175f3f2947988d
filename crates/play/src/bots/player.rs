//! `exec`: a bot as a player. The bot is started at its first move and shut down when the player is dropped.

use std::sync::Arc;
use std::time::Duration;

use games::{Game, Stream, below};
use players::{Cancelled, Player};
use serde_json::{Value, json};

use super::bot::{Bot, BotError, Fault};
use super::protocol::{self, Dialect, continuation, dialect};
use super::settings::Settings;

/// A bot that plays games of the type `G`.
pub(crate) struct Exec<G: Game> {
    settings: Settings,
    /// The time limit announced to the bot, if less than its real limit.
    advised: Option<Duration>,
    dialect: Box<dyn Dialect<G>>,
    bot: Option<Bot>,
    /// The bot's last move and the position it was made in.
    last: Option<Last<G>>,
    forfeit: Option<String>,
    cancelled: Cancelled,
}

struct Last<G: Game> {
    position: G::Position,
    chosen: G::Move,
    said: Value,
}

impl<G: Game> Exec<G> {
    /// A bot that has not been started yet. `move_time` is announced to it as its limit per move.
    pub(crate) fn new(settings: Settings, move_time: Option<Duration>) -> Self {
        Self {
            settings,
            advised: move_time,
            dialect: dialect(),
            bot: None,
            last: None,
            forfeit: None,
            cancelled: Cancelled::default(),
        }
    }

    /// Starts the bot and shuts it down: can it play this game? Returns the name it introduces itself by.
    pub(crate) fn try_out(&self, game: &G) -> Result<Option<String>, BotError> {
        let bot = self.start(game)?;
        let name = bot.name();
        bot.quit();
        Ok(name)
    }

    fn start(&self, game: &G) -> Result<Bot, BotError> {
        let time = self.settings.time;
        let advised = self.advised.map_or(time, |advised| advised.min(time));
        let rules = protocol::rules(&*self.dialect, game, advised);
        let Settings { command, start, .. } = &self.settings;
        Bot::start(command, &rules, *start, &self.cancelled)
    }

    fn ask(
        &mut self,
        game: &G,
        position: &G::Position,
        rng: &mut Stream,
    ) -> Result<G::Move, BotError> {
        let mut bot = match self.bot.take() {
            Some(bot) => bot,
            None => self.start(game)?,
        };
        self.tell(&mut bot, game, position, rng);
        let suggest = protocol::suggest(game, position);
        let answer = bot
            .ask(&suggest, self.settings.time)
            .and_then(|moves| self.first_legal(game, position, moves));
        match answer {
            Ok((chosen, said)) => {
                self.bot = Some(bot);
                self.last = Some(Last {
                    position: position.clone(),
                    chosen,
                    said,
                });
                Ok(chosen)
            }
            Err(fault) => Err(bot.blame(fault)),
        }
    }

    /// Brings the bot to the position: sends what has happened since its last move, or else a new start.
    fn tell(&mut self, bot: &mut Bot, game: &G, position: &G::Position, rng: &mut Stream) {
        let last = self.last.take();
        let messages = last.as_ref().and_then(|last| {
            continuation(game, &last.position, (last.chosen, &last.said), position)
        });
        if let Some(messages) = messages {
            messages.iter().for_each(|message| bot.tell(message));
            return;
        }
        if last.is_some() {
            bot.tell(&json!({"type": "stop"}));
        }
        let seed = below(rng, u32::MAX);
        bot.tell(&protocol::start(&*self.dialect, game, position, seed));
    }

    /// The most preferred legal move, and how the bot wrote it.
    fn first_legal(
        &self,
        game: &G,
        position: &G::Position,
        moves: Vec<Value>,
    ) -> Result<(G::Move, Value), Fault> {
        let mut first_problem = None;
        for said in moves {
            let read = self.dialect.read(game, position, &said).and_then(|chosen| {
                let played = game.play(&mut position.clone(), chosen);
                played.map(|()| chosen).map_err(|error| error.to_string())
            });
            match read {
                Ok(chosen) => return Ok((chosen, said)),
                Err(problem) => first_problem = first_problem.or(Some(problem)),
            }
        }
        Err(Fault::Illegal(first_problem.unwrap_or_default()))
    }
}

impl<G: Game> Player<G> for Exec<G> {
    fn choose(&mut self, game: &G, position: &G::Position, rng: &mut Stream) -> G::Move {
        let answer = self.ask(game, position, rng);
        self.forfeit = answer.as_ref().err().map(ToString::to_string);
        answer.unwrap_or_else(|_| {
            // The bot is gone; the next request starts it again.
            self.last = None;
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            moves[0]
        })
    }

    fn cancel_when(&mut self, cancelled: &Cancelled) {
        self.cancelled = Arc::clone(cancelled);
    }

    fn forfeit(&self) -> Option<String> {
        self.forfeit.clone()
    }
}

impl<G: Game> Drop for Exec<G> {
    fn drop(&mut self) {
        if let Some(mut bot) = self.bot.take() {
            bot.tell(&json!({"type": "stop"}));
            bot.quit();
        }
    }
}
