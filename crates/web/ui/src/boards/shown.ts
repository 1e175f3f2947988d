// What a board shows: a position, how it came about, so that the change can be animated, and what the last move did.
import type { Step, View } from '../api/types';
import { markedBy, topStone } from './marks';

export interface Shown {
  view: View;
  /** The position before, if the change is to be animated. */
  from: View | null;
  /** The move that led here. */
  move: string | null;
  /** After the move, before chance acted. */
  middle: View | null;
  /** The last move, also if chance has acted since; null if it is not known. */
  last: string | null;
  /** Cells that the last move filled, or chance after it. */
  marked: number[];
}

/** A position that is simply there, after this move if it is known. */
export function still(view: View, last: string | null = null): Shown {
  const marked = last !== null && view.board.kind === 'connect' ? topStone(view.board, last) : [];
  return { view, from: null, move: null, middle: null, last, marked };
}

/** The same without a change to animate. */
export function settled(shown: Shown): Shown {
  return { ...shown, from: null, move: null, middle: null };
}

/** The position after a move and what chance did; from nothing, if the server told of no step. */
export function after(before: Shown, steps: Step[]): Shown | null {
  const end = steps.at(-1);
  if (!end) return null;
  const moved = steps.find((step) => step.move !== null) ?? null;
  const change = { view: end.view, from: before.view, move: moved?.move ?? null, middle: moved?.view ?? null };
  return { ...change, last: change.move ?? before.last, marked: markedBy(change, before) };
}
