// What the server says of the laboratory: generated from its description (`npm run types`), made strict where that is loose.
import type { components } from './openapi';
import type { GameName, Rules } from './game-types';

export type * from './game-types';

type Schemas = components['schemas'];

/** The server leaves nothing out: what may be missing by its description is there, as null. */
type Whole<T> = T extends (infer One)[]
  ? Whole<One>[]
  : T extends object
    ? { [Key in keyof T]-?: Whole<Exclude<T[Key], undefined>> }
    : T;

/** What is told more narrowly than the description does. */
type With<T, More> = Omit<T, keyof More> & More;

export type State = 'waiting' | 'queued' | 'running' | 'interrupted' | 'failed' | 'finished';
export type Interval = number[];

export type Row = With<Whole<Schemas['Row']>, { state: State }>;
export type RunsPage = With<Whole<Schemas['RunsPage']>, { runs: Row[] }>;
export type StudyRow = With<Whole<Schemas['StudyRow']>, { state: State; mine: boolean }>;
export type StudiesPage = With<Whole<Schemas['StudiesPage']>, { studies: StudyRow[] }>;

export type Metric = Whole<Schemas['Metric']>;
export type Aggregate = Whole<Schemas['Aggregate']>;
export type SettingResults = Whole<Schemas['SettingResults']>;
/** A sample; what a sample without values does not have is missing. */
export type Sample = Whole<Schemas['Spread']> & { label: string; n: number };
export type Pair = Whole<Schemas['Pair']>;
export type Comparison = With<Whole<Schemas['Comparison']>, { samples: Sample[] }>;
export type Results = With<Whole<Schemas['Results']>, { game: GameName | null; comparison: Comparison; settings: SettingResults[] }>;

export type ChartName = Schemas['Chart'];
export type StudyDetail = With<Whole<Schemas['Detail']>, { state: State; results: Results }>;

/** What has no place (the server cannot be reached, say) is about the whole text. */
export type Flaw = { [Key in keyof Schemas['FlawAt']]: Schemas['FlawAt'][Key] | null } & { message: string };
export type Check = With<Whole<Schemas['Checked']>, { flaws: Flaw[] }>;
export type Template = Schemas['Template'];

export type Champion = With<Whole<Schemas['Champion']>, { game: GameName | null; rules: Rules }>;
export type RunDetail = With<Whole<Schemas['Run']>, { row: Row; champion: Champion | null }>;
export type Played = Whole<Schemas['Played']>;
export type GamesPage = Whole<Schemas['GamesPage']>;
export type History = Whole<Schemas['Curve']>;
/** Ranks that a small generation does not have are empty. */
export type Population = With<Whole<Schemas['Crowd']>, { fitness: (number | null)[][] }>;

export type CompareAnswer = Whole<Schemas['Compared']> & { comparison: Comparison };
export type Cluster = Whole<Schemas['PoolSurvey']>;
export type LeaderboardEntry = With<Whole<Schemas['Entry']>, { rules: Rules }>;
export type Leaderboard = With<Whole<Schemas['Leaderboard']>, { entries: LeaderboardEntry[] }>;
export type Status = Whole<Schemas['Status']>;

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
