// A game that is watched: its steps come from the server as a stream, or from a replay.
import { address } from '../api/client';
import type { Replay, Rules, Step, View, WatchEnd } from '../api/types';
import { after, still, type Shown } from '../boards/shown';

export interface Showing {
  game: string;
  rules: Rules;
  player: string;
  player2?: string;
  seed: number;
  everyMs: number;
}

export class Lane {
  shown = $state.raw<Shown | null>(null);
  moves = $state(0);
  end = $state.raw<WatchEnd | null>(null);
  problem = $state('');
  running = $state(false);
  /** Time of the last move, in ms. */
  lastMs = $state<number | null>(null);
  private spent = 0;
  private stream: EventSource | null = null;

  get msPerMove(): number | null {
    if (this.end) return this.end.ms_per_move;
    return this.moves > 0 && this.lastMs !== null ? this.spent / this.moves : null;
  }

  watch(showing: Showing): void {
    this.stop();
    this.shown = null;
    this.end = null;
    this.problem = '';
    this.moves = 0;
    this.spent = 0;
    this.lastMs = null;
    this.running = true;
    this.stream = new EventSource(
      address('/api/watch', {
        game: showing.game,
        rules: JSON.stringify(showing.rules),
        player: showing.player,
        player2: showing.player2,
        seed: showing.seed,
        every_ms: showing.everyMs,
      }),
    );
    this.stream.addEventListener('step', (event) => this.hear(JSON.parse(event.data) as Step & { ms?: number }));
    this.stream.addEventListener('end', (event) => {
      this.end = JSON.parse(event.data) as WatchEnd;
      this.moves = this.end.moves;
      this.stop();
    });
    this.stream.addEventListener('error', (event) => this.fail(event));
  }

  private hear(step: Step & { ms?: number }): void {
    this.shown = advance(this.shown?.view ?? null, step);
    if (step.move === null) return;
    this.moves++;
    this.lastMs = step.ms ?? null;
    this.spent += step.ms ?? 0;
  }

  private fail(event: Event): void {
    // EventSource would begin the game anew; a game that broke off stays as it is.
    this.stop();
    this.problem = 'data' in event && typeof event.data === 'string' ? sentence(event.data) : 'The game broke off. Is the player written correctly?';
  }

  stop(): void {
    this.stream?.close();
    this.stream = null;
    this.running = false;
  }
}

function advance(from: View | null, step: Step): Shown {
  if (!from) return still(step.view);
  return after(from, [step]) ?? still(step.view);
}

function sentence(data: string): string {
  try {
    const told = JSON.parse(data) as { error?: { message?: string }; message?: string };
    return told.error?.message ?? told.message ?? data;
  } catch {
    return data;
  }
}

/** What a replay shows at a place: the position after so many steps. */
export function replayAt(replay: Replay, place: number): Shown | null {
  const step = replay.steps[place];
  if (!step) return null;
  const before = replay.steps[place - 1];
  return before ? advance(before.view, step) : still(step.view);
}
