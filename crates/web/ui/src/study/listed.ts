// Settings that a study lists one by one, `settings = [ { label = "...", key = value, ... }, ... ]`, read from its text and written back.
import { quote, unquote } from './toml';

export interface Change {
  key: string;
  /** As TOML writes it. */
  value: string;
}
export interface Listed {
  label: string;
  changes: Change[];
}

const BLOCK = /^(\s*\[\[vary\]\][^\n]*\n(?:\s*\n)*)settings\s*=\s*\[/m;

/** The settings that `[[vary]]` lists; null if it does so in a way that only the text can show, with comments between them, say. */
export function readListed(toml: string): Listed[] | null {
  const place = find(toml);
  if (!place) return null;
  const settings = split(toml.slice(place.from, place.to)).map(one);
  return settings.every((setting) => setting !== null) ? settings : null;
}

/** The file with these settings, a line each. */
export function writeListed(toml: string, settings: Listed[]): string {
  const place = find(toml);
  if (!place) return toml;
  const lines = settings.map(({ label, changes }) => {
    const named = label ? [`label = ${quote(label, 'text')}`] : [];
    return `  { ${[...named, ...changes.filter(({ key }) => key).map(({ key, value }) => `${key} = ${value}`)].join(', ')} },\n`;
  });
  return `${toml.slice(0, place.from)}\n${lines.join('')}${toml.slice(place.to)}`;
}

/** Where the list stands, between its brackets; only if nothing else is varied. */
function find(toml: string): { from: number; to: number } | null {
  const start = BLOCK.exec(toml);
  if (!start || (toml.match(/^\s*\[\[vary\]\]/gm) ?? []).length > 1) return null;
  const from = start.index + start[0].length;
  const to = end(toml, from);
  if (to === null) return null;
  const after = toml.slice(to + 1);
  const rest = /^\s*\[/m.exec(after);
  const left = (rest ? after.slice(0, rest.index) : after).replace(/#.*$/gm, '');
  return left.trim() === '' ? { from, to } : null;
}

/** Calls with every character that stands outside of quotes and comments, and how deep in brackets it is; ends when told so. */
function scan(text: string, from: number, see: (sign: string, at: number, depth: number) => boolean): void {
  let quoted = '';
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (quoted) {
      if (sign === '\\' && quoted === '"') at++;
      else if (sign === quoted) quoted = '';
      continue;
    }
    if (sign === '"' || sign === "'") quoted = sign;
    if (sign === ']' || sign === '}') depth--;
    if (see(sign, at, depth)) return;
    if (sign === '[' || sign === '{') depth++;
  }
}

/** The place of the bracket that closes the list. */
function end(text: string, from: number): number | null {
  let found: number | null = null;
  scan(text, from, (sign, at, depth) => {
    if (sign === ']' && depth === -1) found = at;
    // A comment within would be lost.
    return found !== null || sign === '#';
  });
  return found;
}

/** The pieces between commas. */
function split(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  scan(text, 0, (sign, at, depth) => {
    if (sign === ',' && depth === 0) {
      pieces.push(text.slice(from, at));
      from = at + 1;
    }
    return false;
  });
  return [...pieces, text.slice(from)].map((piece) => piece.trim()).filter(Boolean);
}

function one(text: string): Listed | null {
  const inner = /^\{([\s\S]*)\}$/.exec(text)?.[1];
  if (inner === undefined) return null;
  const pairs = split(inner).map((pair) => /^([A-Za-z0-9_.-]+)\s*=\s*([\s\S]+)$/.exec(pair));
  if (pairs.some((pair) => pair === null)) return null;
  const changes = pairs.map((pair) => ({ key: pair?.[1] ?? '', value: pair?.[2] ?? '' }));
  const label = changes.find(({ key }) => key === 'label');
  return { label: label ? unquote(label.value) : '', changes: changes.filter((change) => change !== label) };
}
