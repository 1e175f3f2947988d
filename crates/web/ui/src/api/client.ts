// Asks the server, and turns its refusals into sentences for people.
import type {
  Check, Choice, Cluster, CompareAnswer, Flaw, GameInfo, GamesPage, Hint, History, Individuals, Leaderboard, Population, Replay, ResultsPage, Rules,
  RunDetail, RunsPage, SettingCurve, Status, Step, StudiesPage, StudyDetail, StudyForm, Template, View,
} from './types';

/** What the server refused, in its own words. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly flaws: Flaw[] = [],
  ) {
    super(message);
  }

  /** A newer question of this tab took the place of this one; nobody needs to be told. */
  get isCancelled(): boolean {
    return this.status === 409 && /cancel/i.test(this.message);
  }
}

/** A sentence about anything that was thrown. */
export function explain(error: unknown): string {
  if (error instanceof Error) return error.message;
  return String(error);
}

type Query = Record<string, string | number | boolean | undefined | null>;

/** An address with its query; what is undefined, null or empty is left out. */
export function address(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

/** A path whose pieces may hold any character. */
export function path(...pieces: string[]): string {
  return '/api/' + pieces.map(encodeURIComponent).join('/');
}

async function request<T>(url: string, init: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(url, { headers: { Accept: 'application/json', ...init.headers }, ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError("The server does not answer. Is 'gamete serve' still running?", 0);
  }
  const text = await response.text();
  if (!response.ok) throw refusal(response.status, text);
  return (text ? JSON.parse(text) : undefined) as T;
}

/** What the server refused, from the body of its answer. */
export function refusal(status: number, text: string): ApiError {
  try {
    const { error } = JSON.parse(text) as { error: { message: string; flaws?: Flaw[] } };
    return new ApiError(error.message, status, error.flaws ?? []);
  } catch {
    return new ApiError(text.trim() || `The server answered ${status}.`, status);
  }
}

function get<T>(url: string, signal?: AbortSignal): Promise<T> {
  return request<T>(url, { signal });
}

function post<T>(url: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return request<T>(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal,
  });
}

/** Names this tab to the server, so that its newer search ends its older one. */
export const tab = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join('');

let games: Promise<GameInfo[]> | null = null;

export const api = {
  /** All games; asked once, for they do not change while the server runs. */
  games(): Promise<GameInfo[]> {
    games ??= get<GameInfo[]>('/api/games').catch((error: unknown) => {
      games = null;
      throw error;
    });
    return games;
  },
  view: (game: string, body: { rules?: Rules; position?: string; moves?: string; seed: string }) =>
    post<View>(path('games', game, 'view'), body),
  move: (game: string, body: { rules?: Rules; position: string; move: string; seed: string; step: number }) =>
    post<Step[]>(path('games', game, 'move'), body),
  choose: (
    game: string,
    body: { rules?: Rules; position: string; player: string; seed: string; step: number; time_ms?: number },
    signal?: AbortSignal,
  ) => post<Choice>(path('games', game, 'choose'), { ...body, tab }, signal),
  hint: (
    game: string,
    body: { rules?: Rules; position: string; player: string; time_ms?: number },
    signal?: AbortSignal,
  ) => post<Hint>(path('games', game, 'hint'), { ...body, tab }, signal),
  /** A game of a run, by its number; without one, its best game, which was kept. */
  replay: (study: string, run: string, game?: string) => get<Replay>(path('replays', study, run, ...(game === undefined ? [] : [game]))),
  uploadReplay: (text: string) => post<Replay>('/api/replays', text),

  runs: (query: Query, signal?: AbortSignal) => get<RunsPage>(address('/api/runs', query), signal),
  run: (study: string, run: string) => get<RunDetail>(path('runs', study, run)),
  history: (study: string, run: string) => get<History>(address(path('runs', study, run, 'history'), { points: 1000 })),
  gamesOf: (study: string, run: string, query: Query) => get<GamesPage>(address(path('runs', study, run, 'games'), query)),
  individuals: (study: string, run: string, generation: number) =>
    get<Individuals>(address(path('runs', study, run, 'individuals'), { generation })),
  population: (study: string, run: string) =>
    get<Population>(address(path('runs', study, run, 'population'), { columns: 200, rows: 100 })),

  studies: (query: Query, signal?: AbortSignal) => get<StudiesPage>(address('/api/studies', query), signal),
  study: (study: string) => get<StudyDetail>(path('studies', study)),
  /** Fitness by generation of every setting. All settings together have about as many points as a chart is wide. */
  curves: (study: string, settings: number) => get<SettingCurve[]>(address(path('studies', study, 'curves'), { points: Math.max(60, Math.round(1500 / settings)) })),
  templates: () => get<Template[]>('/api/templates'),
  form: () => get<StudyForm>('/api/form'),
  check: (toml: string, signal?: AbortSignal) => post<Check>('/api/check', { toml }, signal),
  /** Tries the beginning of a study for a second, to say how long it will take. */
  estimate: (toml: string) => post<Check>('/api/check', { toml, estimate: true }),
  start: (body: { toml: string; short?: boolean; fork?: boolean }) => post<{ study: string }>('/api/studies', body),
  command: (study: string, verb: 'stop' | 'resume' | 'fork') =>
    post<{ study: string; state: string }>(path('studies', study, verb), {}),

  compare: (names: string[], metric?: string) => post<CompareAnswer>('/api/compare', { names, metric }),
  leaderboard: (game: string) => get<Leaderboard>(path('leaderboard', game)),
  /** What the works claimed and what was measured, or the report of one study behind it. */
  results: (report?: string) => get<ResultsPage>(report === undefined ? '/api/results' : path('results', 'reports', report)),
  cluster: () => get<Cluster>('/api/cluster'),
  status: () => get<Status>('/api/status'),
};

/** Where a file of a run or study is downloaded. */
export const fileOf = {
  run: (study: string, run: string, file: string) => path('runs', study, run, 'files', file),
  study: (study: string, file: string) => path('studies', study, 'files', file),
  /** What is drawn changes with every run that is over, and so does the address: a picture is loaded once for each. */
  chart: (study: string, chart: string, finished: number) => address(path('studies', study, 'charts', chart), { finished }),
  runChart: (study: string, run: string, chart: string, done: number) => address(path('runs', study, run, 'charts', chart), { done }),
};
