// Which of the things compared were shown to be better, not only ahead.
import type { Comparison } from '../api/types';

/** Was this one shown to be better than all others, or, where all are compared with one, better than that? */
export function isShownBetter(comparison: Comparison, place: number): boolean {
  const own = comparison.pairs.filter((pair) => pair.first === place || pair.second === place);
  const met = comparison.base == null ? comparison.samples.length - 1 : 1;
  return own.length >= met && own.length > 0 && own.every((pair) => pair.winner === place);
}
