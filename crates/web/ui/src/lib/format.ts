// How numbers, times and names are written on the page.
import type { Interval, Rules } from '../api/types';

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** A number with as many digits as it deserves: 13,514 or 806.1 or 0.0038. */
export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size >= 1e9) return value.toExponential(2);
  if (size >= 1000 || Number.isInteger(value)) return grouped.format(value);
  if (size >= 100) return value.toFixed(1);
  if (size >= 1) return value.toFixed(2);
  // What is left of rounding is nothing.
  if (size < 1e-9) return '0';
  return size >= 0.001 ? value.toPrecision(3) : value.toExponential(1);
}

export function interval(ci95: Interval | null | undefined): string {
  return ci95 ? `${number(ci95[0])} to ${number(ci95[1])}` : '';
}

/** A share as percent. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

export function probability(p: number | null | undefined): string {
  if (p === null || p === undefined) return '–';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '–';
  if (seconds === 0) return '–';
  if (seconds < 1e-6) return `${(seconds * 1e9).toFixed(0)} ns`;
  if (seconds < 1e-3) return `${number(Math.round(seconds * 1e7) / 10)} µs`;
  if (seconds < 1) return `${number(Math.round(seconds * 1e4) / 10)} ms`;
  // Rounded before they are divided: 119.7 s are two minutes, not "1 min 60 s".
  const [tenths, whole, minutes] = [Math.round(seconds * 10) / 10, Math.round(seconds), Math.round(seconds / 60)];
  if (tenths < 60) return `${tenths.toFixed(1)} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A size: 812 kB, 1.3 MB. */
export function bytes(count: number): string {
  const [unit, size] = count < 999.5e3 ? ['kB', count / 1e3] : count < 999.5e6 ? ['MB', count / 1e6] : ['GB', count / 1e9];
  return `${size < 10 ? size.toFixed(1) : size.toFixed(0)} ${unit}`;
}

/** A time of day today, else a date; in the reader's own zone. */
export function when(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '–';
  const clock = time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const today = new Date().toDateString() === time.toDateString();
  return today ? clock : `${time.toLocaleDateString('en-CA')} ${clock}`;
}

export function plural(count: number, one: string, many = one + 's'): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** Rules as people write them: "size 4x4, rules fer". */
export function rulesText(rules: Rules): string {
  return Object.entries(rules).map(([name, value]) => `${name} ${value}`).join(', ');
}

/** The name of a game as a title. */
export function gameTitle(game: string): string {
  return game.charAt(0).toUpperCase() + game.slice(1);
}

/** Of quoted values in names, weights and programs say, the start is enough. */
const LONGEST_VALUE = 24;

/** A run by its setting and repeat; the only setting of a study needs no name. */
export function runTitle(setting: string, repeat: number): string {
  return setting === '' || setting === 'all' ? `Repeat ${repeat}` : `${settingName(setting)}, repeat ${repeat}`;
}

/** The name of a setting: that of a study without variants says so, and a player with all its weights is cut short. */
export function settingName(label: string): string {
  if (label === '' || label === 'all') return 'the only setting';
  return label.replace(/'([^']*)'/g, (whole, value: string) => (value.length > LONGEST_VALUE ? `'${value.slice(0, LONGEST_VALUE)}…'` : whole));
}
