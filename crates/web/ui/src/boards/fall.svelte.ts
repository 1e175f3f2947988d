// The piece of Tetris that is to be placed: rotation, column, and how far it has fallen. Only straight drops exist, so a piece may stand
// wherever it lies above a placement the server told of; rules of collision are not needed.
import type { BoardOf } from '../api/types';
import { holds } from './stack';

type BoardTetris = BoardOf<'tetris'>;
type TetrisPlacement = BoardTetris['placements'][number];

interface Resting {
  move: string;
  /** Row of the piece's top when it rests. */
  row: number;
  cells: number[];
}

interface Turned {
  rotation: number;
  /** Cells as rows and columns from the top left corner of the piece. */
  shape: [number, number][];
  width: number;
  resting: Map<number, Resting>;
}

export class Fall {
  private readonly turned: Turned[];
  private readonly cols: number;
  private index = $state(0);
  column = $state(0);
  row = $state(0);

  /** The current piece, or the one that it is exchanged for. */
  constructor(board: BoardTetris, hold = false) {
    this.cols = board.cols;
    this.turned = rotations(board, hold);
    const first = this.turned[0];
    if (!first) return;
    this.column = nearest(first, Math.floor((board.cols - first.width) / 2), 0) ?? 0;
    this.row = Math.min(0, this.rest?.row ?? 0);
  }

  private get now(): Turned | undefined {
    return this.turned[this.index];
  }

  private get rest(): Resting | undefined {
    return this.now?.resting.get(this.column);
  }

  /** The move it will become when it is dropped. */
  get move(): string | null {
    return this.rest?.move ?? null;
  }

  /** Where it will rest. */
  get ghost(): number[] {
    return this.rest?.cells ?? [];
  }

  /** Where it is. */
  get cells(): number[] {
    return (this.now?.shape ?? [])
      .map(([row, col]) => ({ row: row + this.row, col: col + this.column }))
      .filter(({ row }) => row >= 0)
      .map(({ row, col }) => row * this.cols + col);
  }

  get rests(): boolean {
    return this.row >= (this.rest?.row ?? 0);
  }

  shift(by: number): void {
    this.stand(this.index, this.column + by);
  }

  /** As near to this column as it can be, the middle of the piece under the finger. */
  aim(column: number): void {
    const now = this.now;
    if (!now) return;
    const wanted = column - Math.floor((now.width - 1) / 2);
    const found = nearest(now, wanted, this.row);
    if (found !== null) this.stand(this.index, found);
  }

  rotate(by: number): void {
    const count = this.turned.length;
    if (count < 2) return;
    const index = (this.index + by + count) % count;
    const next = this.turned[index];
    const found = next && nearest(next, this.column, this.row);
    if (found !== null && found !== undefined && Math.abs(found - this.column) <= 3) this.stand(index, found);
  }

  /** One row down; false if it rests already. */
  sink(): boolean {
    if (this.rests) return false;
    this.row++;
    return true;
  }

  /** Stands as a move says, for hints. */
  take(move: string): void {
    for (const [index, turned] of this.turned.entries()) {
      for (const [column, resting] of turned.resting) {
        if (resting.move === move && resting.row >= this.row) this.stand(index, column);
      }
    }
  }

  private stand(index: number, column: number): void {
    const rest = this.turned[index]?.resting.get(column);
    if (!rest || rest.row < this.row) return;
    this.index = index;
    this.column = column;
  }
}

function rotations(board: BoardTetris, hold: boolean): Turned[] {
  const found = new Map<number, Turned>();
  for (const placement of board.placements.filter(({ move }) => holds(move) === hold)) {
    const place = measure(placement, board.cols);
    const rotation = Number(/^h?r(\d+)/.exec(placement.move)?.[1] ?? 0);
    const turned = found.get(rotation) ?? { rotation, shape: place.shape, width: place.width, resting: new Map<number, Resting>() };
    turned.resting.set(place.col, { move: placement.move, row: place.row, cells: placement.cells });
    found.set(rotation, turned);
  }
  return [...found.values()].sort((a, b) => a.rotation - b.rotation);
}

function measure(placement: TetrisPlacement, cols: number) {
  const places = placement.cells.map((cell): [number, number] => [Math.floor(cell / cols), cell % cols]);
  const row = Math.min(...places.map(([r]) => r));
  const col = Math.min(...places.map(([, c]) => c));
  const shape = places.map(([r, c]): [number, number] => [r - row, c - col]);
  return { row, col, shape, width: Math.max(...shape.map(([, c]) => c)) + 1 };
}

function nearest(turned: Turned, column: number, row: number): number | null {
  const open = [...turned.resting].filter(([, rest]) => rest.row >= row).map(([col]) => col);
  open.sort((a, b) => Math.abs(a - column) - Math.abs(b - column));
  return open[0] ?? null;
}
