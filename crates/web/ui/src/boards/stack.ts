// Remembers which piece filled which cell of a Tetris stack. A position only says what is filled; so the page follows the pieces it saw fall,
// and where that does not lead to what the server says, as after falls by 'cascade', cells have no letter.
import type { BoardOf } from '../api/types';
import type { Shown } from './shown';

type BoardTetris = BoardOf<'tetris'>;

/** The cells after a piece came to rest, before full lines vanish; null if no piece did. */
export function landedCells(before: string[], shown: Shown): { cells: string[]; placed: number[] } | null {
  const from = shown.from?.board as BoardTetris | undefined;
  const placed = from?.placements.find((placement) => placement.move === shown.move);
  if (!from || !placed) return null;
  const cells = [...before];
  const piece = holds(placed.move) ? from.other : from.current;
  for (const cell of placed.cells) cells[cell] = piece ?? '#';
  return { cells, placed: placed.cells };
}

/** Whether a move holds the current piece and drops the other one. */
export function holds(move: string): boolean {
  return move.startsWith('h');
}

/** Rows without a gap. */
export function fullRows(cells: string[], cols: number): Set<number> {
  const full = new Set<number>();
  for (let row = 0; row * cols < cells.length; row++) {
    if (cells.slice(row * cols, (row + 1) * cols).every(Boolean)) full.add(row);
  }
  return full;
}

/** The letters of what is shown, carried over from before. */
export function follow(before: string[], shown: Shown): string[] {
  const board = shown.view.board as BoardTetris;
  const landed = landedCells(before, shown);
  const after = landed ? withoutFullRows(landed.cells, board.cols) : before;
  return fits(after, board) ? after : board.cells;
}

/** Where the cells of a piece are when full rows have vanished; none where that cannot be told, as after falls by 'cascade'. */
export function restedCells(from: BoardTetris, move: string, board: BoardTetris): number[] {
  const placed = from.placements.find((placement) => placement.move === move)?.cells;
  if (!placed) return [];
  const landed = from.cells.map((letter, cell) => (placed.includes(cell) ? 'placed' : letter));
  const rested = withoutFullRows(landed, board.cols);
  return fits(rested, board) ? rested.flatMap((letter, cell) => (letter === 'placed' ? [cell] : [])) : [];
}

/** Whether these are the filled cells of the board. */
function fits(cells: string[], board: BoardTetris): boolean {
  return cells.length === board.cells.length && cells.every((letter, cell) => Boolean(letter) === Boolean(board.cells[cell]));
}

function withoutFullRows(cells: string[], cols: number): string[] {
  const full = fullRows(cells, cols);
  const kept = cells.filter((_, cell) => !full.has(Math.floor(cell / cols)));
  return [...Array<string>(cells.length - kept.length).fill(''), ...kept];
}
