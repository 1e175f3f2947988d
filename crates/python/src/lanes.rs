//! Games side by side: actions in, arrays out.

use games::{Generators, Stream, Turn};
use players::arena::Dice;
use players::{Player, Prepared};

use crate::encoding::{Encoded, Seen};

/// When a game that is over begins again; as Gymnasium's `AutoresetMode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Autoreset {
    /// In the next step, whose action is ignored.
    NextStep,
    /// In the same step; the last observation is kept apart.
    SameStep,
    /// When it is told to.
    Disabled,
}

/// What an action that the rules do not allow does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Illegal {
    /// Nothing: the player is to move again.
    Ignore,
    /// It ends the game, which is lost if it has two players.
    End,
    /// It raises `IllegalMove`.
    Raise,
}

/// What of the games is the same for all.
pub(crate) struct Settings<G: Encoded> {
    pub(crate) game: G,
    pub(crate) sight: G::Sight,
    pub(crate) opponent: Option<Prepared<G>>,
    /// The seat of the learner; none: the first and the second in turn.
    pub(crate) seat: Option<u8>,
    pub(crate) autoreset: Autoreset,
    pub(crate) illegal: Illegal,
}

/// Whom the learner plays against.
struct Opponent<G: Encoded> {
    player: Box<dyn Player<G>>,
    rng: Stream,
}

/// One game.
struct Lane<G: Encoded> {
    position: G::Position,
    chance: Stream,
    /// Points of seat 0 when the learner last acted.
    score: i64,
    /// Actions, one bit each; none when the game is over.
    legal: u128,
    seat: u8,
    over: bool,
    opponent: Option<Box<Opponent<G>>>,
    seed: u64,
    episode: u64,
}

impl<G: Encoded> Lane<G> {
    fn new(settings: &Settings<G>, seed: u64) -> Self {
        let mut lane = Self {
            position: settings.game.start(),
            chance: Dice::of(seed, 0).chance().clone(),
            score: 0,
            legal: 0,
            seat: 0,
            over: false,
            opponent: None,
            seed,
            episode: 0,
        };
        lane.begin(settings);
        lane
    }

    /// The next game of this seed, or the first of another.
    fn reset(&mut self, settings: &Settings<G>, seed: Option<u64>) {
        (self.seed, self.episode) = seed.map_or((self.seed, self.episode + 1), |seed| (seed, 0));
        self.begin(settings);
    }

    fn begin(&mut self, settings: &Settings<G>) {
        let mut dice = Dice::of(self.seed, self.episode);
        self.position = settings.game.start();
        self.chance = dice.chance().clone();
        self.seat = settings.seat.unwrap_or((self.episode % 2) as u8);
        let other = 1 - self.seat;
        self.opponent = settings.opponent.as_ref().map(|prepared| {
            let (player, rng) = (prepared.player(), dice.seat(other).clone());
            Box::new(Opponent { player, rng })
        });
        self.over = false;
        self.settle(settings);
        self.score = settings.game.points(&self.position, self.over);
    }

    /// Chance and the opponent act until it is the learner's turn, or the game is over.
    #[inline]
    fn settle(&mut self, settings: &Settings<G>) {
        let game = &settings.game;
        loop {
            match game.turn(&self.position) {
                Turn::Chance => drop(game.draw(&mut self.position, &mut self.chance)),
                Turn::Player(seat) => match &mut self.opponent {
                    Some(opponent) if seat != self.seat => {
                        let Opponent { player, rng } = &mut **opponent;
                        let chosen = player.choose(game, &self.position, rng);
                        if player.forfeit().is_some() {
                            return self.end();
                        }
                        game.play_unchecked(&mut self.position, chosen);
                    }
                    _ => {
                        self.seat = seat;
                        self.legal = game.legal(&settings.sight, &self.position);
                        return;
                    }
                },
                Turn::Over => return self.end(),
            }
        }
    }

    fn end(&mut self) {
        self.over = true;
        self.legal = 0;
    }

    /// Makes the move and returns the reward of whoever made it.
    #[inline]
    fn act(&mut self, settings: &Settings<G>, action: usize) -> f64 {
        let (game, seat) = (&settings.game, self.seat);
        game.play_unchecked(&mut self.position, game.decode(action));
        self.settle(settings);
        let before = std::mem::replace(&mut self.score, game.points(&self.position, self.over));
        let gain = (self.score - before) as f64;
        if seat == 0 { gain } else { -gain }
    }
}

/// What a step writes.
pub(crate) struct Outputs<'a> {
    pub(crate) board: &'a mut [u8],
    pub(crate) pieces: &'a mut [u8],
    pub(crate) mask: &'a mut [bool],
    pub(crate) rewards: &'a mut [f64],
    pub(crate) terminated: &'a mut [bool],
    pub(crate) illegal: &'a mut [bool],
    pub(crate) last_board: &'a mut [u8],
    pub(crate) last_pieces: &'a mut [u8],
}

/// Why a step was not made; nothing was changed.
pub(crate) enum StepError {
    Action {
        place: usize,
        action: i64,
        actions: usize,
    },
    Over {
        place: usize,
    },
    Illegal {
        place: usize,
        action: i64,
        position: String,
    },
}

/// Games of any type.
pub(crate) trait Stepper: Send {
    fn reset(&mut self, seeds: &[Option<u64>], which: Option<&[bool]>, out: &mut Outputs<'_>);
    fn step(&mut self, actions: &[i64], out: &mut Outputs<'_>) -> Result<(), StepError>;
    fn position(&self, place: usize) -> String;
}

pub(crate) struct Lanes<G: Encoded> {
    settings: Settings<G>,
    lanes: Vec<Lane<G>>,
    cells: usize,
    pieces: usize,
    actions: usize,
}

impl<G: Encoded> Lanes<G> {
    pub(crate) fn new(settings: Settings<G>, count: usize) -> Self {
        let game = &settings.game;
        let (cells, pieces, actions) =
            (game.shape().iter().product(), game.pieces(), game.actions());
        let lanes = (0..count as u64)
            .map(|seed| Lane::new(&settings, seed))
            .collect();
        Self {
            settings,
            lanes,
            cells,
            pieces,
            actions,
        }
    }

    #[inline]
    fn observe(&self, place: usize, board: &mut [u8], pieces: &mut [u8]) {
        let (lane, settings) = (&self.lanes[place], &self.settings);
        let seen = Seen {
            board: &mut board[place * self.cells..][..self.cells],
            pieces: &mut pieces[place * self.pieces..][..self.pieces],
        };
        let game = &settings.game;
        game.observe(&settings.sight, &lane.position, lane.seat, seen);
    }

    #[inline]
    fn show(&self, place: usize, out: &mut Outputs<'_>) {
        self.observe(place, out.board, out.pieces);
        let legal = self.lanes[place].legal;
        let mask = &mut out.mask[place * self.actions..][..self.actions];
        // Words are faster to shift than pairs of them.
        for (word, mask) in mask.chunks_mut(64).enumerate() {
            let legal = (legal >> (64 * word)) as u64;
            mask.iter_mut()
                .enumerate()
                .for_each(|(action, is_legal)| *is_legal = legal >> action & 1 == 1);
        }
    }

    /// Could every action be made? Mostly that asks for their range only, without a look at the games.
    fn check(&self, actions: &[i64]) -> Result<(), StepError> {
        let range = 0..self.actions as i64;
        if let Some(place) = actions.iter().position(|action| !range.contains(action)) {
            let (action, actions) = (actions[place], self.actions);
            return Err(StepError::Action {
                place,
                action,
                actions,
            });
        }
        let is_strict = self.settings.illegal == Illegal::Raise;
        if is_strict || self.settings.autoreset == Autoreset::Disabled {
            let places = actions.iter().enumerate();
            for (place, &action) in places {
                self.check_one(place, action)?;
            }
        }
        Ok(())
    }

    fn check_one(&self, place: usize, action: i64) -> Result<(), StepError> {
        let lane = &self.lanes[place];
        if lane.over && self.settings.autoreset == Autoreset::Disabled {
            return Err(StepError::Over { place });
        }
        if self.settings.illegal == Illegal::Raise && !lane.over && lane.legal >> action & 1 == 0 {
            let position = lane.position.to_string();
            return Err(StepError::Illegal {
                place,
                action,
                position,
            });
        }
        Ok(())
    }

    #[inline]
    fn step_one(&mut self, place: usize, action: usize, out: &mut Outputs<'_>) {
        let settings = &self.settings;
        let lane = &mut self.lanes[place];
        let (mut reward, mut is_illegal) = (0.0, false);
        if lane.over {
            lane.reset(settings, None);
        } else if lane.legal >> action & 1 == 1 {
            reward = lane.act(settings, action);
        } else {
            is_illegal = true;
            if settings.illegal == Illegal::End {
                lane.end();
                reward = if settings.game.seats() == 2 {
                    -1.0
                } else {
                    0.0
                };
            }
        }
        let over = lane.over;
        (
            out.rewards[place],
            out.terminated[place],
            out.illegal[place],
        ) = (reward, over, is_illegal);
        if over && settings.autoreset == Autoreset::SameStep {
            self.observe(place, out.last_board, out.last_pieces);
            self.lanes[place].reset(&self.settings, None);
        }
        self.show(place, out);
    }
}

impl<G: Encoded> Stepper for Lanes<G> {
    fn reset(&mut self, seeds: &[Option<u64>], which: Option<&[bool]>, out: &mut Outputs<'_>) {
        for place in 0..self.lanes.len() {
            if which.is_none_or(|which| which[place]) {
                self.lanes[place].reset(&self.settings, seeds[place]);
                (
                    out.rewards[place],
                    out.terminated[place],
                    out.illegal[place],
                ) = (0.0, false, false);
                self.show(place, out);
            }
        }
    }

    fn step(&mut self, actions: &[i64], out: &mut Outputs<'_>) -> Result<(), StepError> {
        self.check(actions)?;
        for (place, &action) in actions.iter().enumerate() {
            self.step_one(place, action as usize, out);
        }
        Ok(())
    }

    fn position(&self, place: usize) -> String {
        self.lanes[place].position.to_string()
    }
}
