// What the server says and is told, by the words of the contract between server and page.
import type { GameName, Rules } from './game-types';

export type * from './game-types';

export type State = 'waiting' | 'queued' | 'running' | 'interrupted' | 'failed' | 'finished';

export interface Row {
  id: string;
  study: string;
  setting: string;
  repeat: number;
  state: State;
  steps: string;
  done: number;
  of: number;
  best: number | null;
  mean: number | null;
  games: number;
  seconds: number;
  started: string;
  updated: string;
}

export interface RunsPage {
  total: number;
  page: number;
  size: number;
  runs: Row[];
}

export interface StudyRow {
  name: string;
  question: string;
  kind: string;
  game: string | null;
  runs: number;
  finished: number;
  state: State;
  updated: string;
  mine: boolean;
}

export interface StudiesPage {
  total: number;
  studies: StudyRow[];
}

export type Interval = [number, number];

export interface Metric {
  value: number;
  ci95?: Interval | null;
}

export interface Aggregate {
  n: number;
  value: number;
  ci95: Interval | null;
  min: number;
  max: number;
}

export interface SettingResults {
  label: string;
  changes: Record<string, unknown>;
  runs: { id: string; repeat: number; seed: number; state: State; metrics: Record<string, Metric> }[];
  metrics: Record<string, Aggregate>;
  document: Record<string, number>;
}

export interface Sample {
  label: string;
  n: number;
  mean: number;
  mean_ci95: Interval | null;
  median: number;
  median_ci95: Interval | null;
  min: number;
  p25: number;
  p75: number;
  max: number;
}

export interface Pair {
  first: number;
  second: number;
  test: string;
  p: number | null;
  p_holm: number | null;
  a12: number;
  effect: string;
  significant: boolean;
  winner: number | null;
  repeats_needed: number | null;
}

export interface Comparison {
  samples: Sample[];
  pairing: string;
  better: 'higher' | 'lower';
  overall: { test: string; statistic: number; p: number } | null;
  pairs: Pair[];
  best: number | null;
  verdict: string;
}

export interface Results {
  study: string;
  question: string;
  kind: string;
  game: GameName | null;
  seed: number;
  repeats: number;
  metric: string;
  better: 'higher' | 'lower';
  settings: SettingResults[];
  comparison: Comparison;
  finished: number;
  runs: number;
  source: string;
  conclusion: string;
}

export interface ChartName {
  name: string;
  title: string;
}

export interface StudyDetail {
  results: Results;
  toml: string;
  state: State;
  running_here: boolean;
  charts: ChartName[];
  files: string[];
}

export interface Flaw {
  line: number | null;
  column: number | null;
  length: number | null;
  key: string | null;
  message: string;
}

export interface Check {
  ok: boolean;
  flaws: Flaw[];
  settings: { label: string; changes: Record<string, unknown> }[];
  runs: number;
  games: number | null;
  /** Whether there are runs of this name already. */
  exists: boolean;
  /** Why it cannot go on with them, if it cannot. */
  changed: string | null;
  estimate_seconds: number | null;
}

export interface Template {
  name: string;
  title: string;
  toml: string;
}

export interface RunDetail {
  row: Row;
  config: unknown;
  metrics: Record<string, Metric>;
  champion: Champion | null;
  /** How often each kind came in the champion's games, such as the highest tile. */
  classes: Record<string, Record<string, number>>;
  files: string[];
  log: string[];
  charts: ChartName[];
  steps_name: string;
  workers: { threads: number; attempts: number; gamete: string };
}

export interface Champion {
  spec: string;
  player: string;
  game: GameName | null;
  rules: Rules;
  genes: { name: string; value: number }[];
  formulas: { name: string; expression: string }[];
}

export interface History {
  generations: number[];
  best: number[];
  mean: number[];
  sd: number[];
  low: number[];
  lower_quartile: number[];
  median: number[];
  upper_quartile: number[];
  high: number[];
  genes: { name: string; values: number[] }[];
  thinned: boolean;
}

export interface Population {
  generations: number[];
  /** A list a generation, the least first. */
  fitness: (number | null)[][];
  low: number | null;
  high: number | null;
}

export interface CompareAnswer {
  metric: string;
  of: string;
  comparison: Comparison;
  chart: string | null;
}

export interface LeaderboardEntry {
  player: string;
  label: string;
  /** In a game for two: whom it met. */
  against: string | null;
  rank: number;
  value: number;
  ci95: Interval | null;
  games: number;
  metric: string;
  rules: Rules;
  source: string;
}

export interface Leaderboard {
  entries: LeaderboardEntry[];
  elo: { player: string; elo: number; ci95: Interval; games: number; rules: Rules }[];
}

export interface Status {
  version: string;
  runs_dir: string;
  allow_exec: boolean;
  queue: string[];
  running: string | null;
  listen: string;
}

/** An event of a study or run; `resync` says that some were missed. */
export type LabEvent =
  | { event: 'study-began'; study: string; runs: number; finished: number }
  | { event: 'run-began'; run: string; setting: string; repeat: number; done: number; of: number }
  | {
      event: 'progress';
      run: string;
      done: number;
      of: number;
      best: number | null;
      mean: number | null;
      games: number;
      seconds: number;
    }
  | { event: 'finals-began'; run: string; games: number }
  | { event: 'measuring'; run: string; done: number; of: number }
  | { event: 'note'; run: string; text: string }
  | { event: 'run-over'; run: string; state: State; value: number | null; error: string | null; seconds: number }
  | { event: 'study-over'; study: string; state: State; finished: number; runs: number }
  | { event: 'resync' };
