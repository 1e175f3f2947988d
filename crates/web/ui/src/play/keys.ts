// Which key means what: the same letters as in the terminal (arrows, WASD, hjkl; u undo; ? hint; Esc restarts).

export type Way = 'up' | 'right' | 'down' | 'left';

const WAYS: Record<string, Way> = {
  ArrowUp: 'up', k: 'up', w: 'up',
  ArrowRight: 'right', l: 'right', d: 'right',
  ArrowDown: 'down', j: 'down', s: 'down',
  ArrowLeft: 'left', h: 'left', a: 'left',
};

/** The way a key points, if it does. */
export function way(key: string): Way | undefined {
  return WAYS[key.length === 1 ? key.toLowerCase() : key];
}

/** Is the key meant for what has the focus: a field, or Enter and Space on a button? */
export function isForFocus(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target as Element | null;
  if (target?.closest('input, select, textarea')) return true;
  return (event.key === ' ' || event.key === 'Enter') && target?.closest('button, a, summary') !== null;
}

/** The way of a swipe; none if it was too short to mean one. */
export function swipe(dx: number, dy: number): Way | null {
  if (Math.max(Math.abs(dx), Math.abs(dy)) < 24) return null;
  if (Math.abs(dx) > Math.abs(dy)) return dx > 0 ? 'right' : 'left';
  return dy > 0 ? 'down' : 'up';
}
