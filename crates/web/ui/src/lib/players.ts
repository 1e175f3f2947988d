// Players by names that people read: `expectimax(depth=2)` is "Expectimax, 2 moves ahead". What has no such name keeps its text.
import { plural } from './format';
import { specParts } from './spec';

const SEARCHES: Record<string, string> = { minimax: 'Minimax', alphabeta: 'Alpha-beta', negamax: 'Negamax', expectimax: 'Expectimax' };
const NAMES: Record<string, string> = {
  perfect: 'The perfect player',
  random: 'Random moves',
  greedy: 'Greedy, one move ahead',
  beam: 'Beam search',
  weighted: 'Weighted features',
};
/** What evolution finds would fill the page. */
const FOUND: [RegExp, string][] = [[/\bweights=/, 'bred weights'], [/\bprogram=/, 'a bred program']];
const NETWORK = /\beval=network\(/;
const LONGEST = 60;

/** The name of a player. */
export function playerName(spec: string): string {
  const parts = specParts(spec);
  const found = FOUND.find(([pattern]) => pattern.test(spec));
  if (found) return `${spec.split('(')[0]?.trim()} with ${found[1]}${/reading=as-published/.test(spec) ? ', as published' : ''}`;
  if (!parts && NETWORK.test(spec)) return `${spec.split('(')[0]?.trim()} with a trained network`;
  if (!parts) return spec.length > LONGEST ? `${spec.slice(0, LONGEST - 1)}…` : spec;
  const { name, values } = parts;
  if (name === 'network') return values.id || values.file ? 'A trained network' : 'The network that comes with Gamete';
  const given = Object.keys(values);
  const only = (key: string) => given.length === 1 && given[0] === key;
  const search = SEARCHES[name];
  if (search && only('depth')) return `${search}, ${plural(Number(values.depth), 'move')} ahead`;
  if (search && given.length === 2 && values.depth && values.eval === 'network') return `${search} by a network, ${plural(Number(values.depth), 'move')} ahead`;
  if (name === 'mcts' && only('iterations')) return `Monte Carlo, ${plural(Number(values.iterations), 'playout')} a move`;
  if (name === 'weighted' && only('features')) return `Weighted features (${values.features})`;
  if (given.length === 0 && NAMES[name]) return NAMES[name];
  return spec;
}
