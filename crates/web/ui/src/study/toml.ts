// Reads and changes single keys of a study file as text, so that comments and order stay as their author left them. What the file means is
// for the server to say; here it is enough to find `key = value` under its table.

interface Spot {
  line: number;
  before: string;
  value: string;
  after: string;
}

const HEADER = /^\s*\[([^[\]]+)\]\s*(#.*)?$/;
const ARRAY_HEADER = /^\s*\[\[([^[\]]+)\]\]\s*(#.*)?$/;
const KEY = /^(\s*([A-Za-z0-9_.-]+)\s*=\s*)(.*)$/;

/** The table every line is in; a line of an array of tables is in `[[name]]`. */
function tables(lines: string[]): string[] {
  let table = '';
  return lines.map((line) => {
    const array = ARRAY_HEADER.exec(line)?.[1];
    const plain = HEADER.exec(line)?.[1];
    if (array !== undefined) table = `[[${array.trim()}]]`;
    else if (plain !== undefined) table = plain.trim();
    return table;
  });
}

/** Splits a value from the comment behind it; a # within quotes is no comment. */
function splitComment(text: string): [string, string] {
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const sign = text[i];
    if (quote) {
      if (sign === '\\' && quote === '"') i++;
      else if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '#') {
      const value = text.slice(0, i).trimEnd();
      return [value, text.slice(value.length)];
    }
  }
  return [text.trimEnd(), ''];
}

function find(lines: string[], key: string): Spot | null {
  const places = tables(lines);
  for (const [line, text] of lines.entries()) {
    const match = KEY.exec(text);
    const table = places[line] ?? '';
    if (!match || table.startsWith('[[')) continue;
    const name = table ? `${table}.${match[2]}` : match[2];
    if (name !== key) continue;
    const [value, after] = splitComment(match[3] ?? '');
    return { line, before: match[1] ?? '', value, after };
  }
  return null;
}

/** The value of a key as it stands in the file, without quotes; empty if it is not there. */
export function read(toml: string, key: string): string {
  const value = find(toml.split('\n'), key)?.value ?? '';
  return unquote(value);
}

export function unquote(value: string): string {
  if (/^'[^']*'$/.test(value)) return value.slice(1, -1);
  if (!/^".*"$/.test(value)) return value;
  try {
    return JSON.parse(value) as string;
  } catch {
    return value.slice(1, -1);
  }
}

/** A value as TOML writes it: numbers and truth values bare, all else in quotes. */
export function quote(value: string, kind: 'text' | 'any' = 'any'): string {
  const isBare = kind === 'any' && (/^[+-]?(\d+(\.\d+)?([eE][+-]?\d+)?)$/.test(value) || value === 'true' || value === 'false');
  return isBare ? value : JSON.stringify(value);
}

/** The file with a key set to a value as TOML writes it; without a value, the key goes. */
export function write(toml: string, key: string, value: string | null): string {
  const lines = toml.split('\n');
  const spot = find(lines, key);
  if (spot && value === null) lines.splice(spot.line, 1);
  else if (spot) lines[spot.line] = spot.before + value + spot.after;
  else if (value !== null) insert(lines, key, value);
  return lines.join('\n');
}

function insert(lines: string[], key: string, value: string): void {
  const dot = key.indexOf('.');
  const [table, name] = dot < 0 ? ['', key] : [key.slice(0, dot), key.slice(dot + 1)];
  const places = tables(lines);
  const last = places.reduce((found, place, line) => (place === table && (KEY.test(lines[line] ?? '') || HEADER.test(lines[line] ?? '')) ? line : found), -1);
  const entry = `${name} = ${value}`;
  if (last >= 0 || table === '') lines.splice(last + 1, 0, entry);
  else lines.push(...(lines.at(-1) === '' ? [] : ['']), `[${table}]`, entry, '');
}

export interface Varied {
  key: string;
  /** Values as TOML writes them, between commas. */
  values: string;
}

/** What `[[vary]]` varies; null if it does so in a way that only the text can show. */
export function readVaried(toml: string): Varied[] | null {
  const lines = toml.split('\n');
  const places = tables(lines);
  const varied: Varied[] = [];
  for (const [line, text] of lines.entries()) {
    if (places[line] !== '[[vary]]' || ARRAY_HEADER.test(text) || /^\s*(#.*)?$/.test(text)) continue;
    const match = KEY.exec(text);
    const list = match && /^\[(.*)\]$/.exec(splitComment(match[3] ?? '')[0]);
    if (!match || !list) return null;
    varied.push({ key: match[2] ?? '', values: (list[1] ?? '').trim() });
  }
  return varied;
}

/** The file with `[[vary]]` as given: every combination is a setting. */
export function writeVaried(toml: string, varied: Varied[]): string {
  const lines = toml.split('\n');
  const places = tables(lines);
  const kept = lines.filter((line, i) => places[i] !== '[[vary]]' || /^\s*#/.test(line));
  const block = varied.filter(({ key }) => key).map(({ key, values }) => `${key} = [${values}]`);
  const text = kept.join('\n').trimEnd() + '\n';
  return block.length > 0 ? `${text}\n[[vary]]\n${block.join('\n')}\n` : text;
}
