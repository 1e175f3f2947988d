// The form of a study, made from the JSON schema of study files: which fields there are, of what kind, and what they mean.
import type { GameInfo } from '../api/types';

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  oneOf?: Schema[];
  description?: string;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
}

export interface Field {
  /** The key in the file: `optimizer.population`. */
  key: string;
  name: string;
  kind: 'text' | 'number' | 'choice' | 'truth' | 'any';
  about: string;
  default: string;
  choices: string[];
  min?: number;
  max?: number;
}

export interface Section {
  name: string;
  title: string;
  fields: Field[];
}

const ABOUT: [string, string][] = [
  ['', 'Study'], ['game', 'Game'], ['optimizer', 'Optimiser'], ['fitness', 'Fitness'], ['stop', 'Stop'], ['final', 'Measuring the champion'],
];
/** What only a study of another kind has. */
const OF_KIND: Record<string, [string, string]> = {
  measure: ['measure', 'Measuring'], deviation: ['deviation', 'Deviation'], speed: ['speed', 'Speed'], optimality: ['check', 'Check'], cost: ['cost', 'Cost'],
};
const TOP = ['name', 'question', 'kind', 'repeats', 'seed', 'preset', 'player', 'against', 'chromosome', 'initial'];
const TOP_OF_EVOLUTION = ['preset', 'chromosome', 'initial'];

/** The sections of the form, for what the file says now. */
export function sections(schema: unknown, game: GameInfo | undefined, now: { kind: string; algorithm: string }): Section[] {
  const root = (schema as Schema).properties ?? {};
  const evolves = now.kind === '' || now.kind === 'evolve';
  const wanted = evolves ? ABOUT : [...ABOUT.slice(0, 2), ...(OF_KIND[now.kind] ? [OF_KIND[now.kind]] : [])];
  return wanted.flatMap((entry) => {
    if (!entry) return [];
    const [name, title] = entry;
    const properties = name === '' ? root : (root[name]?.properties ?? {});
    const names = name === '' ? TOP.filter((key) => key in root && (evolves || !TOP_OF_EVOLUTION.includes(key))) : Object.keys(properties);
    const fields = names.flatMap((key) => field(name, key, properties[key] ?? {}, game, now.algorithm));
    return fields.length > 0 ? [{ name, title, fields }] : [];
  });
}

function field(section: string, name: string, schema: Schema, game: GameInfo | undefined, algorithm: string): Field[] {
  const about = schema.description ?? '';
  // Programs as fitness are written by hand: the page may not start them unless the server allows it.
  if (/^With exec/.test(about) || (section === 'fitness' && name === 'exec') || name === 'inner') return [];
  const made: Field = {
    key: section ? `${section}.${name}` : name,
    name,
    kind: kindOf(schema),
    about: about.replace(/\s*\[default: .*\]$/, ''),
    default: /\[default: (.*)\]$/.exec(about)?.[1] ?? '',
    choices: (schema.enum ?? []).map(String),
    min: schema.minimum,
    max: schema.maximum === undefined || schema.maximum > 1e12 ? undefined : schema.maximum,
  };
  if (section === 'game' && name !== 'name') return ofGame(made, game);
  if (section === 'optimizer' && name !== 'algorithm') return ofAlgorithm(made, about, algorithm);
  return [made];
}

function ofGame(made: Field, game: GameInfo | undefined): Field[] {
  const option = game?.options.find((candidate) => candidate.name === made.name);
  return option ? [{ ...made, about: option.about, default: option.default }] : [];
}

/** "Of ga [default: 100], cma-es [default: auto]": only what this algorithm has, with its default. */
function ofAlgorithm(made: Field, about: string, algorithm: string): Field[] {
  const of = [...about.matchAll(/([a-z0-9-]+) \[default: ([^\]]*)\]/g)];
  const own = of.find(([, name]) => name === algorithm);
  if (algorithm && of.length > 0 && !own) return [];
  return [{ ...made, about: '', default: own?.[2] ?? '' }];
}

function kindOf(schema: Schema): Field['kind'] {
  if (schema.enum) return 'choice';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'boolean') return 'truth';
  if (schema.type === 'string') return 'text';
  return 'any';
}
