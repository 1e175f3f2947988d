//! Learning written down plainly: boards as lists of numbers, weights in a map, one line after another as the method is defined.

use std::collections::BTreeMap;

use games::twenty48::{Direction, Position, Twenty48};
use games::{Game, Stream, Turn, stream};
use players::RecordedGame;

/// The exponents of a board, row by row.
type Board = Vec<u8>;

/// Where the cell (row, column) of a view is found on the board; the last number is the last row and column.
type View = fn(usize, usize, usize) -> (usize, usize);

const VIEWS: [View; 8] = [
    |row, col, _| (row, col),
    |row, col, _| (col, row),
    |row, col, last| (last - row, col),
    |row, col, last| (col, last - row),
    |row, col, last| (last - col, row),
    |row, col, last| (row, last - col),
    |row, col, last| (last - col, last - row),
    |row, col, last| (last - row, last - col),
];

/// A weight with what temporal coherence keeps of it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Weight {
    pub(crate) value: f32,
    sum: f32,
    sizes: f32,
}

/// Which of the two methods.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Method {
    Td,
    Tc,
}

/// A game in progress.
pub(crate) struct Playing {
    position: Position,
    rng: Stream,
    /// Positions before moves, and the moves.
    moves: Vec<(String, String)>,
    /// Positions after moves with the errors they are still to be corrected by, the newest first.
    pending: Vec<(Board, f32)>,
}

/// A learner that is easy to check.
pub(crate) struct Plain {
    pub(crate) game: Twenty48,
    pub(crate) tuples: Vec<Vec<usize>>,
    pub(crate) method: Method,
    pub(crate) rate: f32,
    pub(crate) lambda: f32,
    /// Positions that an error goes back to.
    pub(crate) horizon: usize,
    pub(crate) initial: f32,
    pub(crate) seed: u64,
    pub(crate) weights: BTreeMap<(usize, Board), Weight>,
    pub(crate) games: Vec<Playing>,
    pub(crate) begun: u64,
    /// Score and largest tile of the games that have ended.
    pub(crate) ended: Vec<(i64, u64)>,
    /// The games that have ended, in full.
    pub(crate) record: Vec<RecordedGame>,
}

impl Plain {
    pub(crate) fn new(game: Twenty48, tuples: &[&[usize]], method: Method) -> Self {
        Self {
            game,
            tuples: tuples.iter().map(|tuple| tuple.to_vec()).collect(),
            method,
            rate: 1.0,
            lambda: 0.0,
            horizon: 1,
            initial: 0.0,
            seed: 1,
            weights: BTreeMap::new(),
            games: Vec::new(),
            begun: 0,
            ended: Vec::new(),
            record: Vec::new(),
        }
    }

    /// One move in each of so many games that begin 2,000 moves apart.
    pub(crate) fn step(&mut self, number: u64, side_by_side: usize) {
        let due = (1 + number / 2000).min(side_by_side as u64) as usize;
        while self.games.len() < due {
            let game = self.begin();
            self.games.push(game);
        }
        // All games look at the weights as they are before any of them learns.
        let looks: Vec<_> = self.games.iter().map(|game| self.look(game)).collect();
        for (place, (best, before)) in looks.into_iter().enumerate() {
            let target = best.as_ref().map_or(0.0, |(_, _, value)| *value);
            self.learn(place, target - before);
            match best {
                Some((direction, after, _)) => self.play(place, direction, after),
                None => self.end(place),
            }
        }
    }

    fn begin(&mut self) -> Playing {
        let mut rng = stream(self.seed, &[self.begun]);
        self.begun += 1;
        let mut position = self.game.start();
        while self.game.turn(&position) == Turn::Chance {
            self.game.draw(&mut position, &mut rng);
        }
        Playing {
            position,
            rng,
            moves: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// The best move with the position after it and its value, and the value of the position after the last move.
    fn look(&self, game: &Playing) -> (Option<(Direction, Board, f32)>, f32) {
        let mut best: Option<(Direction, Board, f32)> = None;
        let mut moves = Vec::new();
        self.game.moves(&game.position, &mut moves);
        for direction in Direction::ALL {
            if self.game.turn(&game.position) == Turn::Over || !moves.contains(&direction) {
                continue;
            }
            let mut after = game.position;
            self.game.play_unchecked(&mut after, direction);
            let reward = self.game.score(&after) - self.game.score(&game.position);
            let board: Board = after.tiles().exponents().collect();
            let value = reward as f32 + self.value(&board);
            if best.as_ref().is_none_or(|(_, _, highest)| value > *highest) {
                best = Some((direction, board, value));
            }
        }
        let before = game.pending.first();
        (best, before.map_or(0.0, |(board, _)| self.value(board)))
    }

    fn play(&mut self, place: usize, direction: Direction, after: Board) {
        let game = &mut self.games[place];
        let before = game.position.to_string();
        game.moves.push((before, direction.to_string()));
        self.game.play_unchecked(&mut game.position, direction);
        self.game.draw(&mut game.position, &mut game.rng);
        game.pending.insert(0, (after, 0.0));
    }

    /// TD(lambda): an error is passed on to the positions before, each time a smaller share; the oldest is corrected by its sum.
    fn learn(&mut self, place: usize, error: f32) {
        let (lambda, horizon) = (self.lambda, self.horizon);
        let pending = &mut self.games[place].pending;
        let mut share = error;
        for (_, sum) in pending.iter_mut() {
            *sum += share;
            share *= lambda;
        }
        if pending.len() >= horizon {
            let (board, error) = pending.pop().expect("there are some");
            self.correct(&board, error);
        }
    }

    fn end(&mut self, place: usize) {
        while let Some((board, error)) = self.games[place].pending.pop() {
            self.correct(&board, error);
        }
        let next = self.begin();
        let game = std::mem::replace(&mut self.games[place], next);
        self.record.push(RecordedGame {
            moves: game.moves,
            end: game.position.to_string(),
        });
        let tile = 1 << game.position.tiles().highest();
        self.ended.push((self.game.score(&game.position), tile));
    }

    /// What a tuple sees in every view of a board.
    fn seen(&self, tuple: usize, board: &Board) -> [Board; 8] {
        let side = usize::from(self.game.rules().cols);
        VIEWS.map(|view| {
            let cells = self.tuples[tuple].iter();
            let seen = cells.map(|cell| {
                let (row, col) = view(cell / side, cell % side, side - 1);
                board[row * side + col].min(15)
            });
            seen.collect()
        })
    }

    fn weight(&self, tuple: usize, seen: Board) -> Weight {
        let lookups = 8 * self.tuples.len();
        let unmet = Weight {
            value: self.initial / lookups as f32,
            ..Weight::default()
        };
        self.weights.get(&(tuple, seen)).copied().unwrap_or(unmet)
    }

    pub(crate) fn value(&self, board: &Board) -> f32 {
        let of_tuple = |tuple| -> f32 {
            let seen = self.seen(tuple, board).into_iter();
            seen.map(|seen| self.weight(tuple, seen).value).sum()
        };
        (0..self.tuples.len()).map(of_tuple).sum()
    }

    fn correct(&mut self, board: &Board, error: f32) {
        let lookups = 8 * self.tuples.len();
        let step = self.rate / lookups as f32 * error;
        for tuple in 0..self.tuples.len() {
            for seen in self.seen(tuple, board) {
                let mut weight = self.weight(tuple, seen.clone());
                let rate = match self.method {
                    Method::Tc if weight.sizes > 0.0 => weight.sum.abs() / weight.sizes,
                    _ => 1.0,
                };
                weight.value += rate * step;
                if self.method == Method::Tc {
                    weight.sum += error;
                    weight.sizes += error.abs();
                }
                self.weights.insert((tuple, seen), weight);
            }
        }
    }
}
