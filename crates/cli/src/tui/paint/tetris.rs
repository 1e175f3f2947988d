//! Tetris: the stack in the colours of its pieces, the falling piece with its ghost, the next pieces.

use std::marker::PhantomData;

use games::tetris::{self, ColumnBits, FallingPiece, Oriented, Piece, Placement, Position, Tetris};
use play::any::AnyPosition;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};

use super::grid::rule;
use super::{Painter, write};
use crate::output::number;
use crate::tui::stage::{Notice, Picture, Place, row};
use crate::tui::theme::{self, DARK, on};

/// A filled cell, two columns wide.
const FILLED: &str = "[]";
/// A cell of the piece that came to rest last.
const LAST: &str = "()";
/// A cell where the falling piece would lie.
const GHOST: &str = "::";
/// A cell where a hint would put it.
pub(crate) const HINT: &str = "<>";
/// An empty cell.
const EMPTY: &str = " ·";
const EMPTY_STYLE: Style = Style::new().fg(Color::Indexed(238));
/// Cells of which no piece is known.
const NEUTRAL: u8 = 250;

/// Okabe and Ito's colours, which all people tell apart, and some shades between them.
const COLOURS: [(char, u8); 7] = [
    ('I', 117),
    ('O', 227),
    ('T', 175),
    ('J', 32),
    ('L', 214),
    ('S', 36),
    ('Z', 167),
];

fn style_of(piece: Piece) -> Style {
    let letter = piece.letter();
    let known = COLOURS.iter().find(|(own, _)| *own == letter);
    let number = letter as usize % COLOURS.len();
    on(known.unwrap_or(&COLOURS[number]).1, DARK)
}

/// Which piece every cell of the stack came from: each column's filled cells, from the floor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Stack(Vec<Vec<Block>>);

/// A filled cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Block {
    piece: Piece,
    /// Is it of the piece that came to rest last?
    is_last: bool,
}

impl Stack {
    /// Remembers a placement that led from one position to another.
    fn place<C: ColumnBits>(
        &mut self,
        game: &Tetris<C>,
        before: &Position<C>,
        chosen: Placement,
        after: &Position<C>,
    ) {
        if let Some(landed) = landed(game, before, chosen) {
            let oriented = &game.shape(landed.piece).rotations()[usize::from(landed.rotation)];
            self.lock(before.board(), oriented, landed, after.board());
        }
    }

    /// Remembers a piece that was locked on the board `before` and gave the board `after`.
    pub(crate) fn lock<C: ColumnBits>(
        &mut self,
        before: &tetris::Board<C>,
        oriented: &Oriented,
        piece: FallingPiece,
        after: &tetris::Board<C>,
    ) {
        self.0.resize(before.columns().len(), Vec::new());
        for block in self.0.iter_mut().flatten() {
            block.is_last = false;
        }
        for (column, &mask) in (piece.column as usize..).zip(oriented.masks()) {
            let rows = (0..8).filter(|row| mask >> row & 1 == 1);
            for (own, row) in rows.enumerate() {
                let place = own + filled_below(before.columns()[column], piece.row + row);
                let blocks = &mut self.0[column];
                let block = Block {
                    piece: piece.piece,
                    is_last: true,
                };
                blocks.insert(place.min(blocks.len()), block);
            }
        }
        let mut filled = *before;
        filled.put(oriented, piece.row, piece.column);
        self.remove_full_rows(&filled);
        self.agree_with(after);
    }

    fn remove_full_rows<C: ColumnBits>(&mut self, board: &tetris::Board<C>) {
        let full = board.full_rows();
        for row in (0..board.rows()).rev() {
            if !(full & C::from_mask(1).up(row)).is_empty() {
                for (blocks, &cells) in self.0.iter_mut().zip(board.columns()) {
                    let place = filled_below(cells, row);
                    if place < blocks.len() {
                        blocks.remove(place);
                    }
                }
            }
        }
    }

    /// A cascade may clear more rows after the first; they lay low, so the lowest cells are forgotten.
    fn agree_with<C: ColumnBits>(&mut self, after: &tetris::Board<C>) {
        for (blocks, cells) in self.0.iter_mut().zip(after.columns()) {
            let gone = blocks.len().saturating_sub(cells.count() as usize);
            blocks.drain(..gone);
        }
    }

    /// How a filled cell looks.
    fn look<C: ColumnBits>(
        &self,
        board: &tetris::Board<C>,
        (column, row): (u32, u32),
    ) -> (&'static str, Style) {
        let place = filled_below(board.columns()[column as usize], row);
        let blocks = self.0.get(column as usize);
        match blocks.and_then(|blocks| blocks.get(place)) {
            Some(block) if block.is_last => (LAST, style_of(block.piece)),
            Some(block) => (FILLED, style_of(block.piece)),
            None => (FILLED, on(NEUTRAL, DARK)),
        }
    }
}

fn filled_below<C: ColumnBits>(column: C, row: u32) -> usize {
    (column & C::below(row)).count() as usize
}

/// A board between its walls, with the falling piece if there is one.
pub(crate) struct Board<'a, C> {
    pub(crate) game: &'a Tetris<C>,
    pub(crate) position: &'a Position<C>,
    pub(crate) stack: &'a Stack,
    /// Where the falling piece is, and where it would lie.
    pub(crate) falling: Option<(FallingPiece, FallingPiece)>,
    /// Where a hint would put it.
    pub(crate) hint: Option<FallingPiece>,
}

impl<C: ColumnBits> Board<'_, C> {
    fn paint_cell(
        &self,
        area: Rect,
        (column, row): (u32, u32),
        cell: (&str, Style),
        to: &mut Buffer,
    ) {
        let rows = self.position.board().rows();
        let at = (
            area.x + 1 + 2 * column as u16,
            area.y + (rows - 1 - row) as u16,
        );
        write(to, at, cell.0, cell.1);
    }

    fn paint_piece(&self, area: Rect, piece: FallingPiece, cell: (&str, Style), to: &mut Buffer) {
        let oriented = &self.game.shape(piece.piece).rotations()[usize::from(piece.rotation)];
        for (column, mask) in (piece.column..).zip(oriented.masks()) {
            for row in (0..8).filter(|row| mask >> row & 1 == 1) {
                self.paint_cell(area, (column, piece.row + row), cell, to);
            }
        }
    }
}

impl<C: ColumnBits> Picture for Board<'_, C> {
    fn size(&self, _: Size) -> Size {
        let board = self.position.board();
        Size::new(2 * board.width() as u16 + 2, board.rows() as u16 + 1)
    }

    fn paint(&self, area: Rect, buffer: &mut Buffer) {
        let board = self.position.board();
        for row in 0..board.rows() as u16 {
            write(buffer, (area.x, area.y + row), "│", theme::FAINT);
            write(buffer, (area.right() - 1, area.y + row), "│", theme::FAINT);
        }
        let floor = rule(1, area.width - 2, ['└', '┴', '┘']);
        write(buffer, (area.x, area.bottom() - 1), &floor, theme::FAINT);
        for cell in (0..board.width()).flat_map(|c| (0..board.rows()).map(move |r| (c, r))) {
            let look = if board.is_filled(cell.0, cell.1) {
                self.stack.look(board, cell)
            } else {
                (EMPTY, EMPTY_STYLE)
            };
            self.paint_cell(area, cell, look, buffer);
        }
        if let Some((piece, ghost)) = self.falling {
            let colour = style_of(piece.piece);
            let faint = Style::new().fg(colour.bg.unwrap_or_default());
            self.paint_piece(area, ghost, (GHOST, faint), buffer);
            // Over the ghost: where the two meet the piece is steered as the hint says.
            if let Some(hint) = self.hint {
                self.paint_piece(area, hint, (HINT, theme::KEY), buffer);
            }
            self.paint_piece(area, piece, (FILLED, colour), buffer);
        }
    }
}

/// The piece that a placement drops, where it puts it.
pub(crate) fn landed<C: ColumnBits>(
    game: &Tetris<C>,
    position: &Position<C>,
    placement: Placement,
) -> Option<FallingPiece> {
    let piece = game.hand(position).piece(placement.hold)?;
    let oriented = &game.shape(piece).rotations()[usize::from(placement.rotation)];
    let column = placement.column.into();
    Some(FallingPiece {
        piece,
        rotation: placement.rotation,
        column,
        row: position.board().landing(oriented, column),
    })
}

/// The pieces of the queue from place `from` on, drawn one under the other.
pub(crate) fn queue<C: ColumnBits>(
    game: &Tetris<C>,
    position: &Position<C>,
    from: usize,
) -> Vec<Line<'static>> {
    let pieces = position.queue().iter().skip(from);
    pieces.flat_map(|piece| drawing(game, piece)).collect()
}

/// The piece that is held, under a heading; nothing if the rules do not allow it.
pub(crate) fn held<C: ColumnBits>(
    game: &Tetris<C>,
    position: &Position<C>,
    heading: &'static str,
) -> Vec<Line<'static>> {
    if !game.rules().hold {
        return Vec::new();
    }
    let mut lines = vec![Line::default(), Line::styled(heading, theme::FAINT)];
    match position.held() {
        Some(piece) => lines.extend(drawing(game, piece)),
        None => lines.push(Line::from("  -")),
    }
    lines
}

/// A piece as it appears, and an empty line.
fn drawing<C: ColumnBits>(game: &Tetris<C>, piece: Piece) -> Vec<Line<'static>> {
    let shape = &game.shape(piece).rotations()[0];
    let line = |row: u32| {
        let cell = |mask: &u8| match mask >> row & 1 {
            0 => Span::raw("  "),
            _ => Span::styled(FILLED, style_of(piece)),
        };
        let indent = std::iter::once(Span::raw("  "));
        Line::from_iter(indent.chain(shape.masks().iter().map(cell)))
    };
    let mut lines: Vec<_> = (0..shape.height()).rev().map(line).collect();
    lines.push(Line::default());
    lines
}

/// Lines of the panel that every screen of Tetris shows.
pub(crate) fn progress<C: ColumnBits>(position: &Position<C>) -> [Line<'static>; 2] {
    let of = |count: u64| number(count as f64, 0);
    [
        row("Lines", &of(position.clears().lines())),
        row("Pieces", &of(position.pieces())),
    ]
}

/// Draws Tetris; remembers which pieces the stack is made of.
#[derive(Debug)]
pub(crate) struct Painted<C> {
    stack: Stack,
    columns: PhantomData<C>,
}

impl<C> Default for Painted<C> {
    fn default() -> Self {
        Self {
            stack: Stack::default(),
            columns: PhantomData,
        }
    }
}

pub(super) fn painter(position: &AnyPosition) -> Option<Box<dyn Painter>> {
    fn painted<C: ColumnBits>(position: &AnyPosition) -> Option<Box<dyn Painter>> {
        position.typed::<Tetris<C>>()?;
        Some(Box::new(Painted::<C>::default()))
    }
    painted::<u32>(position).or_else(|| painted::<u64>(position))
}

impl<C: ColumnBits> Painter for Painted<C> {
    fn remember(&mut self, before: &AnyPosition, chosen: &str, after: &AnyPosition) {
        let (game, before) = before.own::<Tetris<C>>();
        let (_, after) = after.own::<Tetris<C>>();
        if let Ok(placement) = chosen.parse() {
            self.stack.place(game, before, placement, after);
        }
    }

    fn picture<'a>(&'a self, position: &'a AnyPosition) -> Box<dyn Picture + 'a> {
        let (game, position) = position.own::<Tetris<C>>();
        Box::new(Board {
            game,
            position,
            stack: &self.stack,
            falling: None,
            hint: None,
        })
    }

    fn panel(&self, position: &AnyPosition) -> Vec<Line<'static>> {
        let mut lines = vec![row("Score", &number(position.score() as f64, 0))];
        let (game, position) = position.own::<Tetris<C>>();
        lines.extend(progress(position));
        lines.extend([
            Line::default(),
            Line::styled("Pieces to come", theme::FAINT),
        ]);
        lines.extend(queue(game, position, 0));
        lines.extend(held(game, position, "Held"));
        lines
    }

    fn verdict(&self, position: &AnyPosition, _: &[String]) -> Notice {
        let score = format!("Score {}", number(position.score() as f64, 0));
        let (_, position) = position.own::<Tetris<C>>();
        let lines = number(position.clears().lines() as f64, 0);
        Notice {
            title: "Game over".to_owned(),
            style: theme::BAD,
            lines: vec![score, format!("{lines} lines")],
            place: Place::Picture,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::stream;
    use games::tetris::Rules;
    use games::{Game, Turn, registry};

    fn game(options: &str) -> Tetris<u32> {
        Tetris::new(Rules::from_options(&options.parse().unwrap()).unwrap())
    }

    /// Small if it is of the last piece.
    fn letter_of(block: Block) -> char {
        let letter = block.piece.letter();
        match block.is_last {
            true => letter.to_ascii_lowercase(),
            false => letter,
        }
    }

    /// The letters of the stack, row by row from the highest.
    fn letters(stack: &Stack, position: &Position<u32>) -> String {
        let board = position.board();
        let letter = |column: u32, row: u32| {
            let place = filled_below(board.columns()[column as usize], row);
            match board.is_filled(column, row) {
                true => letter_of(stack.0[column as usize][place]),
                false => '.',
            }
        };
        let row = |row| {
            (0..board.width())
                .map(|column| letter(column, row))
                .collect()
        };
        (0..board.height())
            .rev()
            .map(row)
            .collect::<Vec<String>>()
            .join("/")
    }

    fn play(game: &Tetris<u32>, moves: &[(char, &str)]) -> String {
        let (mut stack, mut position) = (Stack::default(), game.start());
        for (letter, placement) in moves {
            game.happen(&mut position, Piece::new(*letter).unwrap());
            let before = position;
            let chosen = placement.parse().unwrap();
            game.play(&mut position, chosen).unwrap();
            stack.place(game, &before, chosen, &position);
        }
        letters(&stack, &position)
    }

    #[test]
    fn cells_keep_the_colour_of_their_piece_and_the_last_one_is_marked() {
        let game = game("known=1 board=4x8");
        let moves = [("O", "r0c0"), ("T", "r0c0"), ("I", "r1c3")]
            .map(|(letter, at)| (letter.chars().next().unwrap(), at));
        assert_eq!(play(&game, &moves[..2]), ".t../ttt./OO../OO..");
        assert_eq!(play(&game, &moves), ".T.i/OO.i/OO.i");
    }

    #[test]
    fn every_filled_cell_has_a_piece_whatever_is_played() {
        for options in registry::family("tetris").unwrap().examples {
            let Ok(games::AnyGame::Tetris(game)) =
                registry::build("tetris", &options.parse().unwrap())
            else {
                continue;
            };
            let mut rng = stream(1, &[]);
            let (mut stack, mut position) = (Stack::default(), game.start());
            for _ in 0..2000 {
                match game.turn(&position) {
                    Turn::Over => break,
                    Turn::Chance => drop(game.draw(&mut position, &mut rng)),
                    Turn::Player(_) => {
                        let (before, chosen) = (position, game.random_move(&position, &mut rng));
                        game.play_unchecked(&mut position, chosen);
                        stack.place(&game, &before, chosen, &position);
                        letters(&stack, &position);
                    }
                }
            }
        }
    }
}
