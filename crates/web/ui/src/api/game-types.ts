// What the server says of games, players and positions.

export type GameName = '2048' | 'tetris' | 'connect';

/** Rules of a game as its options: `{ size: "4x4" }`. */
export type Rules = Record<string, string>;

export interface GameOption {
  name: string;
  value: string;
  about: string;
  default: string;
}

export interface PlayerInfo {
  name: string;
  about: string;
  parameters: { name: string; default: string | null; about: string }[];
}

export interface GameInfo {
  name: GameName;
  about: string;
  seats: 1 | 2;
  options: GameOption[];
  players: PlayerInfo[];
  suggested: string[];
}

export interface Board2048 {
  kind: '2048';
  rows: number;
  cols: number;
  cells: number[];
}

export interface TetrisPlacement {
  move: string;
  cells: number[];
}

export interface BoardTetris {
  kind: 'tetris';
  rows: number;
  cols: number;
  cells: string[];
  current: string | null;
  next: string[];
  placements: TetrisPlacement[];
}

export type Stone = '' | 'x' | 'o';

export interface BoardConnect {
  kind: 'connect';
  rows: number;
  cols: number;
  cells: Stone[];
  connect: number;
  line: number[];
}

export type AnyBoard = Board2048 | BoardTetris | BoardConnect;

export type Result = 'won' | 'lost' | 'drawn' | 'over';

export interface View {
  game: GameName;
  rules: Rules;
  position: string;
  /** Chance only in the middle of a list of steps. */
  turn: { kind: 'player'; seat: 0 | 1 } | { kind: 'chance' } | { kind: 'over' };
  score: number;
  moves: string[];
  facts: Record<string, number | boolean>;
  result: Result | null;
  board: AnyBoard;
}

export interface Step {
  move: string | null;
  chance: string | null;
  view: View;
}

export interface Choice {
  steps: Step[];
  chosen: string;
  ms: number;
}

export interface MoveValue {
  move: string;
  value: number;
  text: string;
}

export interface Hint {
  player: string;
  chosen: string | null;
  values: MoveValue[];
  cut_short: boolean;
  ms: number;
  /** Whether this player's values are exact scores, and all of them are known. */
  exact: boolean;
  /** Whether this player's values are exact scores, those that are known. */
  solves: boolean;
}

export interface WatchEnd {
  view: View;
  moves: number;
  ms_per_move: number;
  /** The seat of a player that could not go on, and why. */
  forfeit: [number, string] | null;
}

export interface Replay {
  game: GameName;
  rules: Rules;
  players: string[];
  about: string;
  /** The position before the first step. */
  start: View;
  steps: Step[];
  /** Whether the game went on after the last step here. */
  cut: boolean;
}
