//! Tetris on plain rows of cells, written to be obviously right. Tests and `gamete bench` compare with it.

use rand_core::Rng;

use super::clears::Clears;
use super::generator::{Kind, Weights};
use super::grid::{Cells, Grid};
use super::{ColumnBits, FAMILY, Gravity, Judgement, Piece, Placement, Rules, Tetris, sketch};
use crate::game::{Facts, Game, PositionError, Turn};
use crate::options::Options;
use crate::registry::Family;
use crate::sketch::Sketch;
use streams::{Stream, below};

/// Tetris with its rules fixed, on rows of cells.
#[derive(Debug, Clone)]
pub struct Plain {
    rules: Rules,
}

/// Turned clockwise by a quarter, in a tight box.
fn turn_clockwise(cells: &Cells) -> Cells {
    let right = cells.iter().map(|cell| cell.0).max().unwrap_or(0);
    let mut turned: Cells = cells
        .iter()
        .map(|&(column, row)| (row, right - column))
        .collect();
    turned.sort_unstable();
    turned
}

impl Plain {
    /// The plain game with the rules of `fast`.
    #[must_use]
    pub fn twin<C: ColumnBits>(fast: &Tetris<C>) -> Self {
        Self {
            rules: fast.rules().clone(),
        }
    }

    /// The rotations of a piece that differ, the drawn one first.
    fn rotations(&self, piece: Piece) -> Vec<Cells> {
        let drawing = self
            .rules
            .shapes
            .drawings()
            .iter()
            .find(|shape| shape.piece == piece);
        let cells = drawing
            .expect("the piece is one of the game's")
            .cells
            .iter();
        let mut turned: Cells = cells
            .map(|&(column, row)| (column.into(), row.into()))
            .collect();
        turned.sort_unstable();
        let mut rotations = Vec::new();
        for _ in 0..4 {
            if !rotations.contains(&turned) {
                rotations.push(turned.clone());
            }
            turned = turn_clockwise(&turned);
        }
        rotations
    }

    /// Every placement that lies between the walls, with its cells at the floor.
    fn placements(&self, piece: Piece) -> Vec<(Placement, Cells)> {
        let mut placements = Vec::new();
        for (rotation, cells) in (0..).zip(self.rotations(piece)) {
            for column in 0..self.rules.columns {
                let moved = cells
                    .iter()
                    .map(|cell| (cell.0 + usize::from(column), cell.1));
                let moved: Cells = moved.collect();
                if moved
                    .iter()
                    .all(|cell| cell.0 < usize::from(self.rules.columns))
                {
                    let hold = false;
                    placements.push((
                        Placement {
                            hold,
                            rotation,
                            column,
                        },
                        moved,
                    ));
                }
            }
        }
        placements
    }

    /// The cells where a piece comes to lie: from above the board down, row by row, until it would hit.
    fn landed(&self, grid: &Grid, cells: &Cells) -> Cells {
        let hits = |height: usize| {
            let at = |column: usize, row: usize| row < grid.rows.len() && grid.rows[row][column];
            cells.iter().any(|&(column, row)| at(column, row + height))
        };
        let mut height = grid.rows.len();
        while height > 0 && !hits(height - 1) {
            height -= 1;
        }
        cells
            .iter()
            .map(|&(column, row)| (column, row + height))
            .collect()
    }

    /// The piece that is dropped when the current one is held: the held one, or the next while none is.
    fn other(&self, grid: &Grid) -> Option<Piece> {
        let other = grid.held.or(grid.queue.get(1).copied());
        other.filter(|_| self.rules.hold)
    }

    /// All placements between the walls, of the current piece and then of the other.
    fn all_placements(&self, grid: &Grid) -> Vec<(Placement, Cells)> {
        let mut all = Vec::new();
        let pieces = [
            (false, grid.queue.first().copied()),
            (true, self.other(grid)),
        ];
        for (hold, piece) in pieces {
            for (placement, cells) in piece.map_or(Vec::new(), |piece| self.placements(piece)) {
                all.push((Placement { hold, ..placement }, cells));
            }
        }
        all
    }

    /// Legal moves, with the cells where the piece comes to lie; none when the current piece has none.
    fn legal(&self, grid: &Grid) -> Vec<(Placement, Cells)> {
        let placements = self.all_placements(grid).into_iter();
        let landed = placements.map(|(placement, cells)| (placement, self.landed(grid, &cells)));
        let legal: Vec<(Placement, Cells)> = landed
            .filter(|(_, cells)| cells.iter().all(|cell| cell.1 < grid.rows.len()))
            .collect();
        if legal.iter().all(|(placement, _)| placement.hold) {
            return Vec::new();
        }
        legal
    }

    /// Fills these cells and clears lines, as often as there are some; returns how many at each time.
    fn fill(&self, grid: &mut Grid, cells: &Cells) -> Vec<u32> {
        for &(column, row) in cells {
            grid.rows[row][column] = true;
        }
        let mut steps = Vec::new();
        loop {
            let is_full = |row: &Vec<bool>| row.iter().all(|&filled| filled);
            let lines = grid.rows.iter().filter(|row| is_full(row)).count();
            if lines == 0 {
                return steps;
            }
            steps.push(lines as u32);
            let empty = vec![false; usize::from(self.rules.columns)];
            match self.rules.gravity {
                Gravity::Rows => {
                    grid.rows.retain(|row| !is_full(row));
                    grid.rows.resize(usize::from(self.rules.rows), empty);
                }
                Gravity::Cascade => {
                    for row in grid.rows.iter_mut().filter(|row| is_full(row)) {
                        row.clone_from(&empty);
                    }
                    while grid.let_fall() {}
                }
            }
        }
    }

    /// Calls `judge` with what each legal placement of the current piece changes, in the order of moves.
    pub fn judge_placements(&self, grid: &Grid, mut judge: impl FnMut(Placement, Judgement)) {
        let (height, holes) = (grid.height(), grid.holes());
        let legal = self.legal(grid).into_iter();
        for (placement, cells) in legal.filter(|(placement, _)| !placement.hold) {
            let mut after = grid.clone();
            let lines = self.fill(&mut after, &cells).iter().sum();
            let (height, holes) = (after.height() - height, after.holes() - holes);
            judge(
                placement,
                Judgement {
                    height,
                    holes,
                    lines,
                },
            );
        }
    }

    fn is_at_limit(&self, grid: &Grid) -> bool {
        self.rules.limit.is_some_and(|limit| grid.pieces >= limit)
    }

    /// All pieces in alphabetical order: a new bag.
    fn new_bag(&self) -> Vec<Piece> {
        let mut bag: Vec<Piece> = self.rules.shapes.pieces().collect();
        bag.sort();
        bag
    }
}

impl Game for Plain {
    type Position = Grid;
    type Move = Placement;
    type Chance = Piece;
    type Key = (
        Vec<Vec<bool>>,
        Vec<Piece>,
        Vec<Piece>,
        Option<Piece>,
        Option<u64>,
    );

    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn options(&self) -> Options {
        self.rules.to_options()
    }

    fn seats(&self) -> u8 {
        1
    }

    fn most_moves(&self) -> Option<u64> {
        self.rules.limit
    }

    fn start(&self) -> Grid {
        let row = vec![false; usize::from(self.rules.columns)];
        Grid {
            rows: vec![row; usize::from(self.rules.rows)],
            queue: Vec::new(),
            bag: Vec::new(),
            held: None,
            pieces: 0,
            clears: Clears::default(),
        }
    }

    fn turn(&self, grid: &Grid) -> Turn {
        if self.is_at_limit(grid) {
            Turn::Over
        } else if grid.queue.len() < usize::from(self.rules.known) {
            Turn::Chance
        } else if self.legal(grid).is_empty() {
            Turn::Over
        } else {
            Turn::Player(0)
        }
    }

    fn moves(&self, grid: &Grid, moves: &mut Vec<Placement>) {
        moves.clear();
        if self.turn(grid) == Turn::Player(0) {
            moves.extend(self.legal(grid).into_iter().map(|(placement, _)| placement));
        }
    }

    fn play_unchecked(&self, grid: &mut Grid, chosen: Placement) {
        let legal = self.legal(grid);
        let found = legal.iter().find(|(placement, _)| *placement == chosen);
        if let Some((_, cells)) = found {
            for lines in self.fill(grid, cells) {
                grid.clears.add(lines);
            }
            let current = grid.queue.remove(0);
            if chosen.hold && grid.held.replace(current).is_none() {
                grid.queue.remove(0);
            }
            grid.pieces += 1;
        }
    }

    fn chances(&self, grid: &Grid, chances: &mut Vec<(Piece, f64)>) {
        chances.clear();
        if self.turn(grid) != Turn::Chance {
            return;
        }
        let all: Vec<Piece> = self.rules.shapes.pieces().collect();
        let pieces = match self.rules.generator.kind() {
            Kind::Uniform => all,
            Kind::Bag if grid.bag.is_empty() => self.new_bag(),
            Kind::Bag => grid.bag.clone(),
            Kind::Weights(weights) => {
                let probability = |&share: &u64| share as f64 / Weights::WHOLE as f64;
                let shares = weights.shares().iter().map(probability);
                chances.extend(all.into_iter().zip(shares).filter(|chance| chance.1 > 0.0));
                return;
            }
        };
        let each = 1.0 / pieces.len() as f64;
        chances.extend(pieces.into_iter().map(|piece| (piece, each)));
    }

    fn happen(&self, grid: &mut Grid, chance: Piece) {
        grid.queue.push(chance);
        if *self.rules.generator.kind() == Kind::Bag {
            if grid.bag.is_empty() {
                grid.bag = self.new_bag();
            }
            grid.bag.retain(|&piece| piece != chance);
        }
    }

    fn draw(&self, grid: &mut Grid, rng: &mut Stream) -> Piece {
        let mut chances = Vec::new();
        self.chances(grid, &mut chances);
        let place = if let Kind::Weights(_) = self.rules.generator.kind() {
            let mut rest = (rng.next_u64() >> 11) as f64 / Weights::WHOLE as f64;
            chances.iter().position(|chance| {
                let here = rest < chance.1;
                rest -= chance.1;
                here
            })
        } else {
            Some(below(rng, chances.len() as u32) as usize)
        };
        let piece = chances[place.expect("the probabilities sum to 1")].0;
        self.happen(grid, piece);
        piece
    }

    fn score(&self, grid: &Grid) -> i64 {
        grid.clears.points() as i64
    }

    fn key(&self, grid: &Grid) -> Self::Key {
        let pieces = self.rules.limit.map(|_| grid.pieces);
        (
            grid.rows.clone(),
            grid.queue.clone(),
            grid.bag.clone(),
            grid.held,
            pieces,
        )
    }

    fn facts(&self, grid: &Grid) -> Facts {
        grid.clears.facts(grid.pieces, self.rules.most_lines())
    }

    fn sketch(&self, grid: &Grid) -> Sketch {
        let rows: Vec<&Vec<bool>> = grid.rows.iter().rev().collect();
        let queue = grid.queue.iter().copied();
        sketch(
            self.rules.rows,
            self.rules.columns,
            |row, column| rows[row][column],
            queue,
            grid.held,
        )
    }

    fn check(&self, grid: &Grid) -> Result<(), PositionError> {
        if grid.rows.iter().any(|row| row.iter().all(|&filled| filled)) {
            return Err(PositionError(
                "a full row should have been removed".to_owned(),
            ));
        }
        Ok(())
    }

    fn random_move(&self, grid: &Grid, rng: &mut Stream) -> Placement {
        let legal = self.legal(grid);
        let all = self.all_placements(grid);
        loop {
            let drawn = all[below(rng, all.len() as u32) as usize].0;
            if legal.iter().any(|(placement, _)| *placement == drawn) {
                return drawn;
            }
        }
    }
}
