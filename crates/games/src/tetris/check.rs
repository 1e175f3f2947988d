//! Refuses positions that are impossible under the rules of a game.

use super::board::Board;
use super::clears::Avalanches;
use super::column::ColumnBits;
use super::generator::Kind;
use super::piece::Piece;
use super::position::Position;
use super::rules::{Gravity, Rules};
use crate::game::PositionError;

fn refuse(why: String) -> Result<(), PositionError> {
    Err(PositionError(why))
}

/// Checks the board alone.
pub(super) fn board<C: ColumnBits>(rules: &Rules, board: &Board<C>) -> Result<(), PositionError> {
    let Rules { columns, rows, .. } = *rules;
    if (board.width(), board.rows()) != (u32::from(columns), u32::from(rows)) {
        let (width, height) = (board.width(), board.rows());
        return refuse(format!(
            "the board is {width}x{height} and should be {columns}x{rows} (columns x rows)"
        ));
    }
    let full = board.full_rows();
    if !full.is_empty() {
        return refuse(format!(
            "row {} from below is full and should have been removed",
            full.height()
        ));
    }
    if rules.gravity == Gravity::Cascade && board.floats() {
        return refuse("with gravity=cascade no cell floats, but some do".to_owned());
    }
    Ok(())
}

/// Checks the pieces that are known, in the bag, and placed.
pub(super) fn pieces<C: ColumnBits>(
    rules: &Rules,
    position: &Position<C>,
) -> Result<(), PositionError> {
    let Position {
        queue,
        bag,
        held,
        pieces,
        clears,
        ..
    } = position;
    if queue.len() > usize::from(rules.known) {
        return refuse(format!(
            "{} pieces in the queue; {} are known",
            queue.len(),
            rules.known
        ));
    }
    let stranger = |piece: &Piece| !rules.generator.can_come(*piece);
    if !rules.hold && held.is_some() {
        return refuse("a piece is held, which needs hold=true".to_owned());
    }
    let all = queue.iter().chain(bag.iter()).chain(*held);
    if let Some(piece) = all.into_iter().find(stranger) {
        let known: String = rules.shapes.pieces().map(Piece::letter).collect();
        return refuse(format!(
            "{piece} does not come in this game; its shapes are {known}"
        ));
    }
    match rules.generator.kind() {
        Kind::Bag => self::bag(rules, position)?,
        Kind::Uniform | Kind::Weights(_) if bag.is_empty() => {}
        _ => return refuse("a bag, but the generator of the game has none".to_owned()),
    }
    if rules.limit.is_some_and(|limit| *pieces > limit) {
        return refuse(format!(
            "{pieces} pieces placed, which is beyond the limit of the game"
        ));
    }
    if rules.most_lines() <= 5 && clears.avalanches != Avalanches::default() {
        return refuse("avalanches need gravity=cascade, or shapes of six rows".to_owned());
    }
    Ok(())
}

/// What was drawn from the bag last stands at the end of the queue, and is no longer in the bag.
fn bag<C: ColumnBits>(rules: &Rules, position: &Position<C>) -> Result<(), PositionError> {
    let all = rules.shapes.drawings().len();
    if position.bag.len() == all {
        return refuse("all shapes in the bag; a full bag is not written".to_owned());
    }
    let drawn = if position.bag.is_empty() {
        0
    } else {
        all - position.bag.len()
    };
    // While a person holds a piece, the current one was drawn long before.
    let in_order = position.queue.len() - usize::from(rules.hold && !position.queue.is_empty());
    match position
        .queue
        .iter()
        .rev()
        .take(drawn.min(in_order))
        .find(|&piece| position.bag.contains(piece))
    {
        None => Ok(()),
        Some(piece) => refuse(format!(
            "{piece} has just been drawn and is still in the bag"
        )),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::{Game, Turn};
    use crate::tetris::Tetris;
    use streams::stream;

    fn game(options: &str) -> Tetris<u32> {
        Tetris::new(Rules::from_options(&options.parse().unwrap()).unwrap())
    }

    #[test]
    fn impossible_positions_are_refused_with_what_is_right() {
        let check = |options: &str, text: &str, part: &str| {
            let error = game(options)
                .check(&text.parse().unwrap())
                .unwrap_err()
                .to_string();
            assert!(error.contains(part), "{text}: {error}");
        };
        check("", "10x19 - -", "should be 10x20");
        check("board=4x4", "4x4 ####/.... -", "row 2 from below is full");
        check("board=4x4 gravity=cascade", "4x4 #.../.#.. -", "floats");
        check("", "10x20 - TTT", "2 are known");
        check("shapes=SZ", "10x20 - T", "its shapes are SZ");
        check("generator=S=0", "10x20 - S", "does not come");
        check("", "10x20 - - bag T", "has none");
        check("generator=bag shapes=SZ", "10x20 - - bag SZ", "full bag");
        check(
            "generator=bag shapes=SZT",
            "10x20 - SZ bag Z",
            "still in the bag",
        );
        check("limit=5", "10x20 - - pieces 6", "beyond the limit");
        check("", "10x20 - - hold T", "needs hold=true");
        check("hold=true shapes=SZ", "10x20 - - hold T", "does not come");
        check("", "10x20 - - avalanches 1,6,210", "gravity=cascade");
    }

    proptest! {
        #[test]
        fn what_passes_can_be_played_to_the_end(
            rows in prop::collection::vec("[#.]{5}", 1..=32),
            queue in "[SZT]{0,2}",
            bag in "( bag [SZT]{1,2})?",
            gravity in "rows|cascade",
        ) {
            let generator = if bag.is_empty() { "uniform" } else { "bag" };
            let options = format!("board=5x32 shapes=SZT generator={generator} gravity={gravity}");
            let game = game(&options);
            let queue = if queue.is_empty() { "-" } else { &queue };
            let text = format!("5x32 {} {queue}{bag}", rows.join("/"));
            if let Ok(mut position) = text.parse() && game.check(&position).is_ok() {
                game.playout(&mut position, &mut stream(3, &[]));
                prop_assert_eq!(game.turn(&position), Turn::Over);
                prop_assert!(game.check(&position).is_ok());
            }
        }
    }
}
