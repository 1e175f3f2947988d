// How each kind of board is played: its table, its keys, and how its moves and seats are called. A game without a drawing of its own is a grid.
import type { Component } from 'svelte';
import type { BoardKind } from '../api/types';
import FallingPanel from './FallingPanel.svelte';
import type { Session } from './session.svelte';
import Table2048 from './Table2048.svelte';
import TableConnect from './TableConnect.svelte';
import TableGrid from './TableGrid.svelte';
import TableTetris from './TableTetris.svelte';

/** Keys, and what they do. */
export type Keys = [string[], string][];

export interface Kind {
  /** The board with its controls. */
  Table: Component<{ session: Session }>;
  /** A panel of its own beside the board. */
  Panel?: Component<{ session: Session }>;
  keys: (session: Session) => Keys;
  /** A move in words. */
  moveName: (move: string) => string;
  /** Who sits at the board of a game for two. */
  seats: [string, string];
  /** Whether a move can be pointed at on the board without making it. */
  points: boolean;
}

const ORDINARY = { moveName: (move: string) => move, seats: ['First player', 'Second player'] as [string, string], points: false };
const ARROWS: Record<string, string> = { up: '↑ up', right: '→ right', down: '↓ down', left: '← left' };
const TURNS = ['', 'turned once, ', 'turned twice, ', 'turned three times, '];

export const KINDS: Record<BoardKind, Kind> = {
  '2048': {
    ...ORDINARY,
    Table: Table2048,
    keys: () => [[['←', '↑', '→', '↓'], 'slide (also WASD, HJKL, or swipe)']],
    moveName: (move) => ARROWS[move] ?? move,
  },
  tetris: {
    ...ORDINARY,
    Table: TableTetris,
    Panel: FallingPanel,
    keys: ({ mode, shown }) => [
      [['←', '→'], 'move'],
      [['↑', 'x', 'z'], 'turn'],
      [['↓'], mode === 'falling' ? 'sink' : 'drop'],
      [['Space'], 'drop'],
      ...(shown?.view.board.kind === 'tetris' && shown.view.board.may_hold ? ([[['c'], 'hold']] satisfies Keys) : []),
      ...(mode === 'falling' ? ([[['p'], 'pause']] satisfies Keys) : []),
    ],
    moveName: placement,
    points: true,
  },
  connect: {
    ...ORDINARY,
    Table: TableConnect,
    keys: () => [[['1', '…', '9'], 'drop'], [['←', '→'], 'choose a column'], [['Space'], 'drop there']],
    moveName: (move) => `column ${move}`,
    seats: ['x', 'o'],
  },
  grid: {
    ...ORDINARY,
    Table: TableGrid,
    keys: () => [[['←', '↑', '→', '↓'], 'choose a cell'], [['Space'], 'play there']],
  },
};

/** "r1c3" is a piece turned once whose left edge comes to the fourth column; "hr1c3" holds the current one and drops the other. */
function placement(move: string): string {
  const [, hold, turns, column] = /^(h?)r(\d)c(\d+)$/.exec(move) ?? [];
  return column === undefined ? move : `${hold ? 'hold, ' : ''}${TURNS[Number(turns)] ?? ''}column ${Number(column) + 1}`;
}
