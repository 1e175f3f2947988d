// A page that follows what happens: everything is loaded first, then events are heard; what changes loads it again, but not too often.
import { listen } from './live.svelte';
import type { LabEvent } from './types';

export interface Following {
  load: () => Promise<void>;
  /** Looks at an event; true if everything is to be loaded again. */
  hear: (event: LabEvent) => boolean;
  /** The least time between two loads, in ms: the charts move, and the server has peace. */
  peace: number;
}

/** Follows until the function it returns is called. */
export function follow({ load, hear, peace }: Following): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let last = performance.now();
  const again = () => {
    timer = null;
    last = performance.now();
    void load();
  };
  void load();
  const deaf = listen((event) => {
    if (event.event === 'resync' || hear(event)) timer ??= setTimeout(again, Math.max(0, peace - (performance.now() - last)));
  });
  return () => {
    deaf();
    if (timer) clearTimeout(timer);
  };
}
