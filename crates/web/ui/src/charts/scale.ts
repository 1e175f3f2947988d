// Axes of charts: round numbers for ticks, and where a value stands between the ends.

export interface Scale {
  ticks: number[];
  /** The place of a value between the ends, from 0 to 1. */
  at: (value: number) => number;
}

/** The axis over these values; at least one is needed. A logarithmic one needs values above 0. */
export function scaleOf(values: number[], isLog: boolean, wanted = 4): Scale {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return isLog && low > 0 ? logarithmic(low, high, wanted) : linear(low, high, wanted);
}

function linear(low: number, high: number, wanted: number): Scale {
  const span = high - low || Math.abs(low) || 1;
  const step = roundStep(span / wanted);
  const first = Math.floor(low / step) * step;
  const last = Math.max(Math.ceil(high / step) * step, first + step);
  const count = Math.round((last - first) / step);
  // Multiples of the step, so that 0.1 + 0.2 is 0.3.
  const ticks = Array.from({ length: count + 1 }, (_, i) => Number(((Math.round(first / step) + i) * step).toPrecision(12)));
  return { ticks, at: (value) => (value - first) / (last - first) };
}

function logarithmic(low: number, high: number, wanted: number): Scale {
  const first = Math.floor(Math.log10(low));
  const last = Math.max(Math.ceil(Math.log10(high)), first + 1);
  const every = Math.ceil((last - first) / wanted);
  const powers = Array.from({ length: last - first + 1 }, (_, i) => first + i).filter((power) => (power - first) % every === 0);
  return { ticks: powers.map((power) => 10 ** power), at: (value) => (Math.log10(value) - first) / (last - first) };
}

function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  const digit = [1, 2, 2.5, 5, 10].find((one) => one * power >= size) ?? 10;
  return digit * power;
}
