// What the server says: generated from its description (`npm run types`), made strict where that is loose.
import type { components } from './openapi';

type Schemas = components['schemas'];

/** The server leaves nothing out: what may be missing by its description is there, as null. */
type Whole<T> = T extends (infer One)[]
  ? Whole<One>[]
  : T extends object
    ? { [Key in keyof T]-?: Whole<Exclude<T[Key], undefined>> }
    : T;

/** What is told more narrowly than the description does. */
type With<T, More> = Omit<T, keyof More> & More;

/** Rules of a game as its options: `{ size: "4x4" }`. */
export type Rules = Schemas['Rules'];

export type GameInfo = Whole<Schemas['GameInfo']>;
export type PlayerInfo = GameInfo['players'][number];
export type OptionInfo = Whole<Schemas['OptionInfo']>;
export type View = Whole<Schemas['View']>;
export type Board = View['board'];
/** How a board is drawn. */
export type BoardKind = Board['kind'];
export type BoardOf<Kind extends BoardKind> = Extract<Board, { kind: Kind }>;
export type Stone = Schemas['Stone'];
export type Step = Whole<Schemas['Step']>;
export type WatchedStep = Whole<Schemas['WatchedStep']>;
export type WatchedEnd = Whole<Schemas['WatchedEnd']>;
export type Choice = Whole<Schemas['Choice']>;
export type Hint = Whole<Schemas['Hint']>;
export type Replay = Whole<Schemas['ReplayView']>;

export type State = 'waiting' | 'queued' | 'running' | 'interrupted' | 'failed' | 'finished' | 'damaged';
export type Interval = number[];

export type Row = With<Whole<Schemas['Row']>, { state: State }>;
export type RunsPage = With<Whole<Schemas['RunsPage']>, { runs: Row[] }>;
export type StudyRow = With<Whole<Schemas['StudyRow']>, { state: State; mine: boolean }>;
export type StudiesPage = With<Whole<Schemas['StudiesPage']>, { studies: StudyRow[] }>;

export type Metric = Whole<Schemas['Metric']>;
export type Aggregate = Whole<Schemas['Aggregate']>;
export type SettingResults = Whole<Schemas['SettingResults']>;
/** A sample; what a sample without values does not have is missing. */
export type Sample = Whole<Schemas['OptionalSpread']> & { label: string; n: number };
export type Pair = Whole<Schemas['Pair']>;
export type Comparison = With<Whole<Schemas['Comparison']>, { samples: Sample[] }>;
export type Results = With<Whole<Schemas['Results']>, { comparison: Comparison; settings: SettingResults[] }>;

export type SettingCurve = Whole<Schemas['SettingCurve']>;
export type ChartName = Schemas['Chart'];
export type StudyDetail = With<Whole<Schemas['StudyDetail']>, { state: State; results: Results }>;

/** What has no place (the server cannot be reached, say) is about the whole text. */
export type Flaw = { [Key in keyof Schemas['FlawAt']]: Schemas['FlawAt'][Key] | null } & { message: string };
export type Check = With<Whole<Schemas['Checked']>, { flaws: Flaw[] }>;
export type Template = Whole<Schemas['Template']>;
export type StudyForm = Whole<Schemas['StudyForm']>;
export type FormKey = Whole<Schemas['FormKey']>;

export type Champion = With<Whole<Schemas['Champion']>, { rules: Rules }>;
export type RunDetail = With<Whole<Schemas['RunDetail']>, { row: Row; champion: Champion | null }>;
export type Played = Whole<Schemas['Played']>;
export type GamesPage = Whole<Schemas['GamesPage']>;
export type History = Whole<Schemas['Curve']>;
export type Individuals = Whole<Schemas['Individuals']>;
export type RankedIndividual = Individuals['individuals'][number];
/** Ranks that a small generation does not have are empty. */
export type Population = With<Whole<Schemas['PopulationCurve']>, { fitness: (number | null)[][] }>;

export type CompareAnswer = Whole<Schemas['CompareResult']> & { comparison: Comparison };
export type Cluster = Whole<Schemas['PoolSurvey']>;
export type LeaderboardEntry = With<Whole<Schemas['Entry']>, { rules: Rules }>;
export type Leaderboard = With<Whole<Schemas['Leaderboard']>, { entries: LeaderboardEntry[] }>;
export type ResultsPage = Whole<Schemas['ResultsPage']>;
export type Status = Whole<Schemas['Status']>;

/** An event of a study or run; `resync` says that some were missed. */
export type LabEvent = Whole<Schemas['Event']> | { event: 'resync' };
