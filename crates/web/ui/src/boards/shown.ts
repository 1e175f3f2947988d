// What a board shows: a position, and how it came about, so that the change can be animated.
import type { Step, View } from '../api/types';

export interface Shown {
  view: View;
  /** The position before, if the change is to be animated. */
  from: View | null;
  /** The move that led here. */
  move: string | null;
  /** After the move, before chance acted. */
  middle: View | null;
}

/** A position that is simply there. */
export function still(view: View): Shown {
  return { view, from: null, move: null, middle: null };
}

/** The position after a move and what chance did; from nothing, if the server told of no step. */
export function after(from: View, steps: Step[]): Shown | null {
  const last = steps.at(-1);
  if (!last) return null;
  const moved = steps.find((step) => step.move !== null) ?? null;
  return { view: last.view, from, move: moved?.move ?? null, middle: moved?.view ?? null };
}
