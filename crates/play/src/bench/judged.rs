//! A Tetris player that plays on the fast board and on the plain one alike: it tries all placements of the known pieces, two at most, and
//! takes the best by lines, height and holes. No player of the list knows both boards, and speeds can be compared only of the same work.

use games::tetris::{ColumnBits, Judgement, Placement, Plain, Tetris};
use games::{Game, Stream};
use players::Player;

/// A board on which placements can be judged.
pub(super) trait Judging: Game<Move = Placement> {
    /// Calls `judge` with what each legal placement of the current piece changes, in the order of moves.
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

/// What a placement is worth.
pub(super) fn worth(judgement: Judgement) -> i32 {
    3 * judgement.lines as i32 - judgement.height - 4 * judgement.holes
}

/// What it is worth when the next piece cannot be placed.
const LOST: i32 = -1_000_000;

/// The player.
#[derive(Debug)]
pub(super) struct Judged {
    /// How many pieces it looks at.
    pieces: u32,
}

impl Judged {
    /// A player that looks at the known pieces, two at most.
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

/// The best placement of the current piece with the best of those after it; of equals the first.
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

    /// Pieces and points of a game.
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
            assert!(played.1 > 0, "a game without a line compares little");
        }
    }
}
