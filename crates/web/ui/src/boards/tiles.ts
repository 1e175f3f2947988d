// Follows the tiles of 2048 through a move, so that they can slide. No rule is known here: whatever merges keeps its sum, which is enough
// to find out which tiles became which, by the standard rules as by those of FER.
import type { BoardOf } from '../api/types';
import type { Shown } from './shown';

type Board2048 = BoardOf<'2048'>;

export interface Tile {
  id: number;
  value: number;
  row: number;
  col: number;
  /** How it came to be there. */
  how: 'stays' | 'merged' | 'new' | 'goes';
}

let nextId = 1;

/** The tiles of what is shown, those of before carried over where a move tells how. */
export function follow(before: Tile[], shown: Shown): Tile[] {
  const board = shown.view.board as Board2048;
  const living = before.filter((tile) => tile.how !== 'goes');
  const from = shown.from?.board as Board2048 | undefined;
  if (!from || !matches(living, from)) return fresh(board);
  // Only chance acted: what was there stays, in the middle of its slide if need be.
  if (!shown.move) return matches(living, keep(board, living)) ? [...before, ...arrivals(living, board)] : fresh(board);
  const middle = (shown.middle?.board as Board2048 | undefined) ?? board;
  const moved = slide(living, middle, shown.move);
  return moved ? [...moved, ...arrivals(moved, board)] : fresh(board);
}

function fresh(board: Board2048): Tile[] {
  return board.cells.flatMap((value, cell) => (value ? [tileAt(board, cell, value, 'stays')] : []));
}

function tileAt(board: Board2048, cell: number, value: number, how: Tile['how']): Tile {
  return { id: nextId++, value, row: Math.floor(cell / board.cols), col: cell % board.cols, how };
}

function matches(tiles: Tile[], board: Board2048): boolean {
  const there = tiles.filter((tile) => board.cells[tile.row * board.cols + tile.col] === tile.value);
  return there.length === tiles.length && tiles.length === board.cells.filter(Boolean).length;
}

/** A board without the tiles that were not there before. */
function keep(board: Board2048, tiles: Tile[]): Board2048 {
  const old = new Set(tiles.map((tile) => tile.row * board.cols + tile.col));
  return { ...board, cells: board.cells.map((value, cell) => (old.has(cell) ? value : 0)) };
}

function slide(tiles: Tile[], board: Board2048, move: string): Tile[] | null {
  const vertical = move === 'up' || move === 'down';
  const backwards = move === 'down' || move === 'right';
  const [lines, length] = vertical ? [board.cols, board.rows] : [board.rows, board.cols];
  const result: Tile[] = [];
  for (let line = 0; line < lines; line++) {
    const places = Array.from({ length }, (_, i) => {
      const along = backwards ? length - 1 - i : i;
      return vertical ? { row: along, col: line } : { row: line, col: along };
    });
    const sources = places.flatMap((place) => tiles.filter((tile) => tile.row === place.row && tile.col === place.col));
    const joined = join(sources, places, board);
    if (!joined) return null;
    result.push(...joined);
  }
  return result;
}

/** Deals the tiles of a line, in order, to the places whose values they sum up to. */
function join(sources: Tile[], places: { row: number; col: number }[], board: Board2048): Tile[] | null {
  const result: Tile[] = [];
  let used = 0;
  for (const place of places) {
    const value = board.cells[place.row * board.cols + place.col] ?? 0;
    if (value === 0) continue;
    const group: Tile[] = [];
    for (let sum = 0; sum < value; used++) {
      const tile = sources[used];
      if (!tile) return null;
      sum += tile.value;
      if (sum > value) return null;
      group.push(tile);
    }
    if (group.length === 1 && group[0]) {
      result.push({ ...group[0], ...place, how: 'stays' });
    } else {
      result.push(...group.map((tile): Tile => ({ ...tile, ...place, how: 'goes' })));
      result.push({ id: nextId++, value, ...place, how: 'merged' });
    }
  }
  return used === sources.length ? result : null;
}

function arrivals(tiles: Tile[], board: Board2048): Tile[] {
  const taken = new Set(tiles.filter((tile) => tile.how !== 'goes').map((tile) => tile.row * board.cols + tile.col));
  return board.cells.flatMap((value, cell) => (value && !taken.has(cell) ? [tileAt(board, cell, value, 'new')] : []));
}
