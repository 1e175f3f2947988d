// Which cells show the last move: the tile that came, the stone that fell, the piece that came to rest.
import type { BoardOf, View } from '../api/types';
import type { Shown } from './shown';
import { restedCells } from './stack';

type Change = Pick<Shown, 'view' | 'move' | 'middle'> & { from: View };

/** The cells to mark after a change; what chance leaves alone stays marked. */
export function markedBy({ view: { board }, from, move, middle }: Change, before: Shown): number[] {
  switch (board.kind) {
    case '2048':
      return differing(board.cells, ((middle ?? from).board as BoardOf<'2048'>).cells);
    case 'connect':
      return move === null ? before.marked : topStone(board, move);
    case 'tetris':
      return move === null ? before.marked : restedCells(from.board as BoardOf<'tetris'>, move, board);
    case 'grid': {
      const labels = ({ cells }: BoardOf<'grid'>) => cells.map(({ label }) => label);
      const changed = differing(labels(board), labels(from.board as BoardOf<'grid'>));
      return move === null && changed.length === 0 ? before.marked : changed;
    }
  }
}

/** The stone that was dropped last lies on top of its column. */
export function topStone(board: BoardOf<'connect'>, move: string): number[] {
  const column = Number(move) - 1;
  if (!(column >= 0 && column < board.cols)) return [];
  const places = Array.from({ length: board.rows }, (_, row) => row * board.cols + column);
  return places.filter((place) => board.cells[place]).slice(0, 1);
}

function differing<T>(now: T[], before: T[]): number[] {
  return now.flatMap((value, cell) => (value === before[cell] ? [] : [cell]));
}
