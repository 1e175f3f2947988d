// The history of a training as lines of charts.
import type { History } from '../api/types';
import { colourAt, dashAt } from '../charts/colours';
import type { Line } from '../charts/LineChart.svelte';

/** Mean and best score by training game. */
export function learningLines(history: History): Line[] {
  const xs = history.generations;
  return [
    { label: 'mean', xs, values: history.mean, colour: '--best', range: { low: history.lower_quartile, high: history.upper_quartile } },
    { label: 'best', xs, values: history.best, colour: '--mean', dash: [6, 4] },
    { label: 'worst', xs, values: history.low, colour: '--line-strong', dash: [2, 3], off: true },
  ];
}

/** How many of the games reached a tile, or ended so, in percent. */
export function resultLines(history: History): Line[] {
  const xs = history.generations;
  return history.results.map(({ label, shares }, i) => ({ label, xs, values: shares.map((share) => share * 100), colour: colourAt(i), dash: dashAt(i) }));
}
