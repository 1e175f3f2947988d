// A game's rules and position in the address, so that it can be shared and reloaded.
import type { GameInfo, Rules } from '../api/types';

export interface Place {
  /** Only what differs from the defaults. */
  rules: Rules;
  position: string | undefined;
  seed: string | undefined;
}

/** What an address says; what is no rule of the game is left aside. */
export function readPlace(game: GameInfo, query: URLSearchParams): Place {
  const rules: Rules = {};
  for (const option of game.options) {
    const value = query.get(option.name);
    if (value !== null && value !== option.default) rules[option.name] = value;
  }
  return { rules, position: query.get('pos') ?? undefined, seed: query.get('seed') ?? undefined };
}

/** The rules that differ from the defaults, for the address. */
export function changedRules(game: GameInfo, rules: Rules): Rules {
  const defaults = new Map(game.options.map((option) => [option.name, option.default]));
  return Object.fromEntries(Object.entries(rules).filter(([name, value]) => value !== '' && defaults.get(name) !== value));
}

/** Moves that are numbers, as solvers on the web write them: "4453", or "10,4" if one has two digits. */
export function writeMoves(moves: string[]): string {
  return moves.some((move) => move.length > 1) ? moves.join(',') + (moves.length === 1 ? ',' : '') : moves.join('');
}

/** The moves of such a text; null if it is another kind of position. */
export function readMoves(text: string): string[] | null {
  if (/^\d+([-, ]\d*)+$/.test(text)) return text.split(/[-, ]/).filter(Boolean);
  return /^\d*$/.test(text) ? [...text] : null;
}

/** A seed small enough to read aloud. Seeds are texts: a number of the browser's would not hold all of them. */
export function newSeed(): string {
  return String((crypto.getRandomValues(new Uint32Array(1))[0] ?? 1) % 1_000_000);
}
