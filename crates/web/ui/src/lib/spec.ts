// Players as text, `minimax(depth=5, eval=score)`, taken apart for forms and put together again.
import type { PlayerInfo } from '../api/types';

export interface SpecParts {
  name: string;
  values: Record<string, string>;
}

/** The name and the values that are given; null for a text that only the server understands. */
export function specParts(text: string): SpecParts | null {
  const found = /^\s*([\w-]+)\s*(?:\(([^()'"]*)\))?\s*$/.exec(text);
  if (!found) return null;
  const pairs = (found[2] ?? '').split(',').map((pair) => pair.split('=').map((part) => part.trim()));
  const given = pairs.filter((pair) => pair.length === 2);
  if (given.length < pairs.filter((pair) => pair.join('') !== '').length) return null;
  return { name: found[1] ?? '', values: Object.fromEntries(given) };
}

/** The player with these values; what is usual is left out, and so is what is empty. */
export function specText(player: PlayerInfo, values: Record<string, string>): string {
  const set = player.parameters.flatMap(({ name, default: usual }) => {
    const value = values[name] ?? '';
    return value === '' || value === usual ? [] : [`${name}=${value}`];
  });
  return set.length > 0 ? `${player.name}(${set.join(', ')})` : player.name;
}
