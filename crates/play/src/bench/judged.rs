//! A Tetris player for both the fast and the plain board: it tries all placements of the known pieces, at most two, and takes the
//! best by lines, height and holes. No registered player supports both boards, and only the same work gives comparable speeds.

use games::tetris::{ColumnBits, Judgement, Placement, Plain, Tetris};
use games::{Game, Stream};
use players::Player;

/// A board that can evaluate placements.
pub(super) trait Judging: Game<Move = Placement> {
    /// Calls `judge` with the effect of each legal placement of the current piece, in the order of moves.
    fn judge_all(&self, position: &Self::Position, judge: impl FnMut(Placement, Judgement));
}

impl<C: ColumnBits> Judging for Tetris<C> {
    fn judge_all(&self, position: &Self::Position, judge: impl FnMut(Placement, Judgement)) {
        self.judge_placements(position, judge);
    }
}

impl Judging for Plain {
    fn judge_all(&self, position: &Self::Position, judge: impl FnMut(Placement, Judgement)) {
        self.judge_placements(position, judge);
    }
}

/// The value of a placement.
pub(super) fn worth(judgement: Judgement) -> i32 {
    3 * judgement.lines as i32 - judgement.height - 4 * judgement.holes
}

/// The value if the next piece cannot be placed.
const LOST: i32 = -1_000_000;

/// The player.
#[derive(Debug)]
pub(super) struct Judged {
    /// How many pieces it looks ahead.
    pieces: u32,
}

impl Judged {
    /// A player that looks at the known pieces, at most two.
    pub(super) fn new(known: u8) -> Self {
        let pieces = u32::from(known.clamp(1, 2));
        Self { pieces }
    }
}

impl<G: Judging> Player<G> for Judged {
    fn choose(&mut self, game: &G, position: &G::Position, _: &mut Stream) -> Placement {
        let best = best(game, position, self.pieces);
        best.expect("a player's turn has a placement").1
    }
}

/// The best placement of the current piece, counting the best one after it; the first of equals.
fn best<G: Judging>(game: &G, position: &G::Position, pieces: u32) -> Option<(i32, Placement)> {
    let mut best: Option<(i32, Placement)> = None;
    game.judge_all(position, |placement, judgement| {
        let mut value = worth(judgement);
        if pieces > 1 {
            let mut after = position.clone();
            game.play_unchecked(&mut after, placement);
            value += self::best(game, &after, pieces - 1).map_or(LOST, |(value, _)| value);
        }
        if best.is_none_or(|(highest, _)| value > highest) {
            best = Some((value, placement));
        }
    });
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::tetris::Rules;
    use players::arena::{Dice, play_out};

    /// Pieces and points in a game.
    fn game<G: Judging>(game: &G, number: u64) -> (u32, i64) {
        let mut position = game.start();
        let mut players: Vec<Box<dyn Player<G>>> = vec![Box::new(Judged::new(2))];
        let mut dice = Dice::of(1, number);
        let played = play_out(game, &mut position, &mut players, &mut dice, &mut ());
        (played.moves, game.score(&position))
    }

    #[test]
    fn the_same_games_on_both_boards() {
        let options = "limit=200".parse().expect("an option");
        let fast: Tetris<u32> = Tetris::new(Rules::from_options(&options).expect("allowed"));
        let plain = Plain::twin(&fast);
        for number in 0..5 {
            let played = game(&fast, number);
            assert_eq!(played, game(&plain, number));
            assert!(played.1 > 0, "a game without a cleared line proves little");
        }
    }
}
