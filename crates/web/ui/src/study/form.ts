// The form of a study, made from the server's list of keys: which fields there are, of what kind, and what they mean.
import type { FormKey, GameInfo, StudyForm } from '../api/types';

export interface Field {
  /** The key in the file: `optimizer.population`. */
  key: string;
  name: string;
  value: FormKey['value'] | 'any';
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

/** The sections of the form, for what the file says now. */
export function sections(form: StudyForm, game: GameInfo | undefined, now: { kind: string; algorithm: string }): Section[] {
  const kind = form.kinds.find(({ name }) => name === now.kind) ?? form.kinds[0];
  const found = new Map<string, Field[]>();
  for (const key of kind?.keys ?? []) {
    const section = key.path.includes('.') ? (key.path.split('.')[0] ?? '') : '';
    found.set(section, [...(found.get(section) ?? []), field(key)]);
  }
  found.get('game')?.push(...rules(game));
  found.get('optimizer')?.push(...settings(form, now.algorithm));
  return [...found].map(([name, fields]) => ({ name, title: title(name), fields }));
}

function title(section: string): string {
  return section ? section.charAt(0).toUpperCase() + section.slice(1) : 'Study';
}

function field({ path, about, value, choices, least, most, ...key }: FormKey): Field {
  const max = most === null || most > 1e12 ? undefined : most;
  return { key: path, name: path.slice(path.indexOf('.') + 1), value, about, default: key.default ?? '', choices, min: least ?? undefined, max };
}

/** The rules of the game, whose values may be texts, numbers or truths. */
function rules(game: GameInfo | undefined): Field[] {
  return (game?.options ?? []).map((option) => ({
    key: `game.${option.name}`, name: option.name, value: option.value === '' ? 'truth' : 'any', about: option.about, default: option.default, choices: [],
  }));
}

/** The settings of the algorithm; of all algorithms, if the study leaves that to its preset. */
function settings({ algorithms }: StudyForm, algorithm: string): Field[] {
  const own = algorithms.find(({ name }) => name === algorithm);
  const all = own?.settings ?? algorithms.flatMap((one) => one.settings.map((setting) => ({ ...setting, default: '' })));
  const unique = new Map(all.map((setting) => [setting.name, setting]));
  return [...unique.values()].map((setting) => ({
    key: `optimizer.${setting.name}`, name: setting.name, value: 'any', about: '', default: setting.default, choices: [],
  }));
}
