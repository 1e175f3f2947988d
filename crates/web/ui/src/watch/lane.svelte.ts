// A game that is watched: its steps come from the server as a stream, or from a replay.
import { address } from '../api/client';
import { readStream, type Heard } from '../api/stream';
import type { Replay, Rules, Step, WatchedEnd, WatchedStep } from '../api/types';
import { after, still, type Shown } from '../boards/shown';

export interface Showing {
  game: string;
  rules: Rules;
  player: string;
  player2?: string;
  seed: string;
  everyMs: number;
}

export class Lane {
  shown = $state.raw<Shown | null>(null);
  moves = $state(0);
  end = $state.raw<WatchedEnd | null>(null);
  problem = $state('');
  running = $state(false);
  /** Time of all moves, in ms. */
  private spent = $state(0);
  private stream: AbortController | null = null;

  get msPerMove(): number | null {
    if (this.end) return this.end.ms_per_move;
    return this.moves > 0 ? this.spent / this.moves : null;
  }

  watch(showing: Showing): void {
    this.stop();
    this.shown = null;
    this.end = null;
    this.problem = '';
    this.moves = 0;
    this.spent = 0;
    this.running = true;
    const { game, player, player2, seed, everyMs } = showing;
    const url = address('/api/watch', { game, rules: JSON.stringify(showing.rules), player, player2, seed, every_ms: everyMs });
    const stream = new AbortController();
    this.stream = stream;
    const hear = (heard: Heard) => {
      if (!stream.signal.aborted) this.hear(heard);
    };
    const fail = (why: string) => (this.problem = why);
    void readStream(url, stream.signal, hear, fail).then(() => {
      if (this.stream === stream) this.running = false;
    });
  }

  private hear({ event, data }: Heard): void {
    if (event === 'step') {
      const step = JSON.parse(data) as WatchedStep;
      this.shown = advance(this.shown, step);
      if (step.move === null) return;
      this.moves++;
      this.spent += step.ms;
    } else if (event === 'end') {
      this.end = JSON.parse(data) as WatchedEnd;
      this.moves = this.end.moves;
      if (this.end.forfeit) this.problem = `Player ${this.end.forfeit.seat + 1} gave up: ${this.end.forfeit.reason}`;
    }
  }

  stop(): void {
    this.stream?.abort();
    this.stream = null;
    this.running = false;
  }
}

function advance(before: Shown | null, step: Step): Shown {
  return (before && after(before, [step])) ?? still(step.view);
}

/** What a replay shows after so many steps. */
export function replayAt(replay: Replay, place: number): Shown {
  // From the last move on, so that it is marked also when chance has acted since.
  let moved = Math.max(0, place - 1);
  while (moved > 0 && replay.steps[moved]?.move === null) moved--;
  return replay.steps.slice(moved, place).reduce(advance, still(replay.steps[moved - 1]?.view ?? replay.start));
}
