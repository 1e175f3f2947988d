//! `weighted`: the placement whose weighed features are best, of one known piece or of two.
//!
//! With `look=1` the placement of the current piece with the highest value is played. With `look=2` all pairs
//! of placements of the current and the next piece are tried, and the first of the best pair is played; a
//! pair is worth the sum of its two values. A placement after which the next piece has no place is lost: worse
//! than any that lives, but played when there is nothing else. Of equals the first in the order of moves
//! (rotation, then column) is played. With `chance=N` the N best pairs are also worth what the piece that is not known yet
//! can make of them: the mean of its best values, by how likely each piece is. With `further=M` the M best of these are judged again by two
//! pieces that are not known: each that may come next is placed in its two best ways, and the better counts by what may come then. With
//! `safe-above=H` the features `points` are weighed as `bcts` does while the board is higher than H, and then the 30 best pairs are always
//! judged by the next piece and the four best of them further.
//! With the rule `hold` the held piece, or the next, is tried as well, at each of the two.

use arrayvec::ArrayVec;
use games::Stream;
use games::tetris::{Choice, ColumnBits, Hand, MAX_COLUMNS, Piece, Placement, Position, Tetris};

use crate::placement::{
    Change, FEATURES, Family, Features, Judge, Judged, LOST, Points, READING, Ready, Set, Surface,
    WEIGHTS, with_features,
};
use crate::player::{Named, Player, PlayerFactory, Prepared, Tunable};
use spec::{Kind, Parameter, Spec, SpecError};

/// No board is higher.
const NEVER: u32 = 40;

/// Pairs of placements that survival judges by the piece not known yet. It plays few of the moves, so they may take longer;
/// without, three of eight games of 100,000 pieces were lost, with 20 pairs none of eight.
const SAFE_PAIRS: usize = 30;

/// Of these, pairs that are judged by two such pieces.
const SAFE_FURTHER: usize = 4;

/// Placements of a piece that is not known yet from which it looks further.
const FOLLOWED: usize = 2;

/// Moves of a position: four rotations of two pieces.
const MOST_MOVES: usize = 8 * MAX_COLUMNS;

/// Makes the players that weigh features.
#[derive(Debug, Clone, Copy)]
pub struct Weighted;

const LOOK: Parameter = Parameter {
    name: "look",
    default: "1",
    help: "known pieces looked at, 1 or 2",
};

const CHANCE: Parameter = Parameter {
    name: "chance",
    default: "0",
    help: "with look=2: pairs of placements, 0 to 1000, that are also judged by the piece not known yet",
};

const FURTHER: Parameter = Parameter {
    name: "further",
    default: "0",
    help: "with chance: pairs, of those, 0 to 1000, that are also judged by the two pieces not known yet",
};

const SAFE_ABOVE: Parameter = Parameter {
    name: "safe-above",
    default: "40",
    help: "of points: rows, 0 to 40, above which it plays for survival",
};

impl Named for Weighted {
    const KIND: Kind = Kind {
        name: "weighted",
        about: "plays the placement with the highest sum of weighted features",
        more: "A placement is worth the sum of its features, each times its weight.\n\
               Sets of features: five (what a placement changes: height, edges at the pile, edges at walls and\n\
               floor, gaps, lines), six (those and the gaps under the piece over those elsewhere), ten (the five and their\n\
               squares), fifteen (and cubes), twenty (and logarithms), and what a placement leaves as seen by dellacherie, bcts,\n\
               dt10 and dt20, or by points (which keeps a column free for long pieces). Their published weights are the defaults; of six, ten, fifteen and twenty those of five.\n\
               tetris-ga prints its weights with ETP and Lines exchanged: reading=as-published takes them as printed,\n\
               and counts as its listings do (height is the row where the piece lands, the floor is no wall).\n\
               With look=2 all pairs of placements of the current and the next piece are tried; a pair is\n\
               worth the sum of the two.",
        parameters: &[
            FEATURES, READING, LOOK, CHANCE, FURTHER, SAFE_ABOVE, WEIGHTS,
        ],
    };
}

impl<C: ColumnBits> PlayerFactory<Tetris<C>> for Weighted {
    fn tunable(_: &Tetris<C>, spec: &Spec) -> Result<Tunable, SpecError> {
        Ok(Tunable::weights(Set::names(spec)?))
    }

    fn prepare(game: &Tetris<C>, spec: &Spec) -> Result<Prepared<Tetris<C>>, SpecError> {
        let set = Set::read(spec)?;
        let look: u8 = spec.number(&LOOK, 1..=2)?;
        let chance: usize = spec.number(&CHANCE, 0..=1000)?;
        if chance > 0 && look == 1 {
            let problem = format!("chance = {chance}: only with look=2");
            return Err(spec.at(CHANCE.name, problem));
        }
        let further: usize = spec.number(&FURTHER, 0..=1000)?;
        if further > chance {
            let problem =
                format!("further = {further}: at most as many pairs as chance = {chance}");
            return Err(spec.at(FURTHER.name, problem));
        }
        if spec.get(SAFE_ABOVE.name).is_some() && set.family != Family::Points {
            let problem = "safe-above: only with features=points".to_owned();
            return Err(spec.at(SAFE_ABOVE.name, problem));
        }
        let safe_above: u32 = spec.number(&SAFE_ABOVE, 0..=NEVER)?;
        let ways = Ways {
            look,
            chance,
            further,
            safe_above,
        };
        if look > game.rules().known {
            let problem = "look = 2: the game shows one piece; two need --known 2";
            return Err(spec.at(LOOK.name, problem.to_owned()));
        }
        with_features!(set, weigher(game, &set, ways))
    }
}

/// How it looks ahead.
#[derive(Debug, Clone, Copy)]
struct Ways {
    look: u8,
    chance: usize,
    further: usize,
    safe_above: u32,
}

fn weigher<C: ColumnBits, S: Features<F>, const F: usize>(
    game: &Tetris<C>,
    set: &Set,
    ways: Ways,
) -> Result<Prepared<Tetris<C>>, SpecError> {
    Ok(match ways.look {
        1 => Prepared::copies(Weigher::<C, S, F, 1>::new(game, set, ways)?),
        _ => Prepared::copies(Weigher::<C, S, F, 2>::new(game, set, ways)?),
    })
}

/// Weighs the placements of the current piece, or with `LOOK` = 2 those of the next as well.
#[derive(Clone)]
struct Weigher<C: ColumnBits, S: Features<F>, const F: usize, const LOOK: usize> {
    judge: Judge<S, F>,
    chance: usize,
    further: usize,
    /// Plays on boards higher than this.
    safe: Option<(u32, Box<Weigher<C, Surface, 8, LOOK>>)>,
    /// With one known piece: the board of the last choice and the one that it led to, which is most often the next to choose on.
    boards: Option<[Box<Ready<C, S, F>>; 2]>,
}

impl<C: ColumnBits, S: Features<F>, const F: usize, const LOOK: usize> Weigher<C, S, F, LOOK> {
    fn new(game: &Tetris<C>, set: &Set, ways: Ways) -> Result<Self, SpecError> {
        let safe = || {
            Ok(Weigher {
                judge: Judge::new(
                    game,
                    Set::read(&"weighted(features=bcts)".parse()?)?.weights(),
                ),
                chance: if LOOK == 2 { SAFE_PAIRS } else { 0 },
                further: SAFE_FURTHER,
                safe: None,
                boards: None,
            })
        };
        Ok(Self {
            judge: Judge::new(game, set.weights()),
            chance: ways.chance,
            further: ways.further,
            safe: match ways.safe_above {
                NEVER => None,
                rows => Some((rows, Box::new(safe()?))),
            },
            boards: None,
        })
    }

    /// Who plays on this board instead.
    fn safe(&mut self, position: &Position<C>) -> Option<&mut Weigher<C, Surface, 8, LOOK>> {
        let (rows, safe) = self.safe.as_mut()?;
        (position.board().height() > *rows).then_some(safe)
    }

    /// The best placement when one piece is looked at; none if all are lost.
    fn best_of_one(&mut self, game: &Tetris<C>, position: &Position<C>) -> Option<Placement> {
        let (judge, board) = (&self.judge, position.board());
        let [now, next] = self.boards.get_or_insert_with(|| {
            let ready = judge.ready(board);
            [Box::new(ready.clone()), Box::new(ready)]
        });
        if next.board() == board {
            std::mem::swap(now, next);
        } else {
            **now = judge.ready(board);
        }
        let (piece, judged) = judge.best(game, now, game.hand(position))?;
        judge.follow(game, now, piece, &judged, next);
        Some(judged.placement)
    }

    /// Calls `each` with the value of every legal placement, in the order of moves.
    #[inline]
    fn each(&self, game: &Tetris<C>, position: &Position<C>, mut each: impl FnMut(Placement, f64)) {
        let hand = game.hand(position);
        let judge = &self.judge;
        let ready = judge.ready(position.board());
        let mut after = ready.clone();
        judge.moves(game, &ready, hand, |piece, judged| {
            let ahead = if LOOK == 2 {
                judge.follow(game, &ready, piece, &judged, &mut after);
                judge.best_value(game, &after, hand.after(judged.placement.hold))
            } else {
                0.0
            };
            each(judged.placement, judged.value + ahead);
        });
    }

    /// The best placement when two pieces are looked at; none if all are lost.
    ///
    /// Begins with what may be worth most, and ends where the rest cannot be worth as much as the best so far.
    fn best_of_pairs(&self, game: &Tetris<C>, position: &Position<C>) -> Option<Placement> {
        let hand = game.hand(position);
        let judge = &self.judge;
        let ready = judge.ready(position.board());
        let outlook = ready.outlook();
        let mut found = ArrayVec::<_, MOST_MOVES>::new();
        let mut most = ArrayVec::<f64, MOST_MOVES>::new();
        judge.moves(game, &ready, hand, |piece, judged| {
            let left = hand.after(judged.placement.hold);
            let ahead = judge.most_after(game, (&ready, &outlook), (piece, &judged), left);
            most.push(judged.value + ahead);
            found.push((piece, judged));
        });
        let mut after = ready.clone();
        let mut best = (None, LOST, 0);
        while let Some(order) = first_of_highest(&most) {
            if most[order] < best.1 {
                break;
            }
            most[order] = LOST;
            let (piece, judged) = &found[order];
            judge.follow(game, &ready, *piece, judged, &mut after);
            let left = hand.after(judged.placement.hold);
            let value = judged.value + judge.best_value(game, &after, left);
            if value > best.1 || value == best.1 && value != LOST && order < best.2 {
                best = (Some(judged.placement), value, order);
            }
        }
        best.0
    }
}

impl<C: ColumnBits, S: Features<F>, const F: usize, const LOOK: usize> Weigher<C, S, F, LOOK> {
    /// The first placement of the best pair, when the best ones are judged by pieces that are not known yet; none if all are lost.
    fn best_by_chance(&self, game: &Tetris<C>, position: &Position<C>) -> Option<Placement> {
        let ready = self.judge.ready(position.board());
        let pairs = self.best_pairs(game, &ready, game.hand(position));
        let mut coming = Vec::new();
        game.next_pieces(position, &mut coming);
        let mut boards = [ready.clone(), ready.clone()];
        let mut follow = |pair: &Pair<C, F>, worth: &dyn Fn(&Ready<C, S, F>) -> f64| {
            let [after, last] = &mut boards;
            let ([first, second], [now, next]) = (&pair.placements, pair.pieces);
            self.judge.follow(game, &ready, now, first, after);
            self.judge.follow(game, after, next, second, last);
            pair.value + worth(last)
        };
        let next = |board: &Ready<C, S, F>| self.expected(game, board, &coming);
        let mut best: Vec<_> = (pairs.iter().map(|pair| (follow(pair, &next), pair))).collect();
        // The sort is stable: of equals the better pair, and then the first in the order of moves, stays first.
        best.sort_by(|a, b| b.0.total_cmp(&a.0));
        let first_of = |pair: &Pair<C, F>| pair.placements[0].placement;
        let likely = first_of(best.first()?.1);
        best.truncate(self.further);
        if best.iter().all(|(_, pair)| first_of(pair) == likely) {
            return Some(likely);
        }
        let drawn = coming.iter().map(|&(piece, chance)| {
            let mut then = Vec::new();
            game.pieces_after(position, piece, &mut then);
            Drawn {
                piece,
                chance,
                then,
            }
        });
        let drawn: Vec<Drawn> = drawn.collect();
        let further = |board: &Ready<C, S, F>| self.expected_further(game, board, &drawn);
        let values: Vec<_> = best
            .iter()
            .map(|(_, pair)| follow(pair, &further))
            .collect();
        Some(first_of(best[first_of_highest(&values)?].1))
    }

    /// The best pairs of placements, the best first.
    fn best_pairs(&self, game: &Tetris<C>, ready: &Ready<C, S, F>, hand: Hand) -> Vec<Pair<C, F>> {
        let judge = &self.judge;
        let mut pairs = Vec::with_capacity(self.chance);
        let mut after = ready.clone();
        judge.moves(game, ready, hand, |piece, first| {
            judge.follow(game, ready, piece, &first, &mut after);
            let left = hand.after(first.placement.hold);
            judge.moves(game, &after, left, |next, second| {
                let pair = Pair {
                    value: first.value + second.value,
                    pieces: [piece, next],
                    placements: [first, second],
                };
                pair.join(&mut pairs, self.chance);
            });
        });
        pairs
    }

    /// What a piece that is drawn can make of the board.
    fn expected(&self, game: &Tetris<C>, board: &Ready<C, S, F>, coming: &[(Piece, f64)]) -> f64 {
        let expected = |&(piece, chance): &(Piece, f64)| {
            let value = self.judge.best_value_of(game, board, piece);
            chance * value.max(DEATH)
        };
        coming.iter().map(expected).sum()
    }

    /// What two pieces that are drawn can make of it.
    fn expected_further(&self, game: &Tetris<C>, board: &Ready<C, S, F>, drawn: &[Drawn]) -> f64 {
        let mut after = board.clone();
        let mut expected = 0.0;
        for drawn in drawn {
            let mut most = DEATH;
            for judged in &self.best_placements(game, board, drawn.piece) {
                self.judge
                    .follow(game, board, drawn.piece, judged, &mut after);
                most = most.max(judged.value + self.expected(game, &after, &drawn.then));
            }
            expected += drawn.chance * most;
        }
        expected
    }

    /// The best placements of a piece, the best first; equals stay in the order of moves.
    fn best_placements(
        &self,
        game: &Tetris<C>,
        board: &Ready<C, S, F>,
        piece: Piece,
    ) -> ArrayVec<Judged<C, F>, FOLLOWED> {
        let mut best: ArrayVec<Judged<C, F>, FOLLOWED> = ArrayVec::new();
        let choice = Choice { piece, hold: false };
        self.judge.placements(game, board, choice, |judged| {
            let place = best.partition_point(|other| other.value >= judged.value);
            if place < FOLLOWED {
                best.truncate(FOLLOWED - 1);
                best.insert(place, judged);
            }
        });
        best
    }
}

/// What it is worth that a piece which may come has no place.
const DEATH: f64 = -1e6;

/// A piece that may come, how likely it is, and what may come after it.
struct Drawn {
    piece: Piece,
    chance: f64,
    then: Vec<(Piece, f64)>,
}

/// Placements of the current and the next piece.
struct Pair<C, const F: usize> {
    value: f64,
    pieces: [Piece; 2],
    placements: [Judged<C, F>; 2],
}

impl<C, const F: usize> Pair<C, F> {
    /// Adds itself to the best so far, of which at most so many are kept, the best first; equals stay in the order of moves.
    #[inline]
    fn join(self, best: &mut Vec<Self>, most: usize) {
        if best.len() == most {
            if best[most - 1].value >= self.value {
                return;
            }
            best.pop();
        }
        let place = best.partition_point(|other| other.value >= self.value);
        best.insert(place, self);
    }
}

/// The first place of the highest value; none if all are lost.
fn first_of_highest(values: &[f64]) -> Option<usize> {
    let mut highest = (None, LOST);
    for (place, &value) in values.iter().enumerate() {
        if value > highest.1 {
            highest = (Some(place), value);
        }
    }
    highest.0
}

impl<C, S, const F: usize, const LOOK: usize> Player<Tetris<C>> for Weigher<C, S, F, LOOK>
where
    C: ColumnBits,
    S: Features<F>,
{
    fn choose(&mut self, game: &Tetris<C>, position: &Position<C>, rng: &mut Stream) -> Placement {
        if let Some(safe) = self.safe(position) {
            return safe.choose(game, position, rng);
        }
        let best = if LOOK == 1 {
            self.best_of_one(game, position)
        } else if self.chance > 0 {
            self.best_by_chance(game, position)
        } else {
            self.best_of_pairs(game, position)
        };
        // When all are lost they are equals, and the first is played.
        best.unwrap_or_else(|| self.judge(game, position, rng)[0].0)
    }

    fn judge(
        &mut self,
        game: &Tetris<C>,
        position: &Position<C>,
        _: &mut Stream,
    ) -> Vec<(Placement, f64)> {
        let mut judged = Vec::new();
        if let Some(safe) = self.safe(position) {
            safe.each(game, position, |placement, value| {
                judged.push((placement, value));
            });
            return judged;
        }
        self.each(game, position, |placement, value| {
            judged.push((placement, value));
        });
        judged
    }
}
