// Reads a stream of server-sent events that begins once and ends once: a game that is watched, a measurement. Unlike EventSource it tells
// why the server refused, and never begins anew by itself.
import { explain, refusal } from './client';

export interface Heard {
  event: string;
  data: string;
}

/** Reads until the end; calls `hear` for each event, and `fail` with a sentence if it breaks off. Ends when `signal` says so. */
export async function readStream(url: string, signal: AbortSignal, hear: (heard: Heard) => void, fail: (why: string) => void): Promise<void> {
  try {
    const response = await fetch(url, { headers: { Accept: 'text/event-stream' }, signal });
    if (!response.ok || !response.body) throw refusal(response.status, await response.text());
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const pieces = (rest + value).split(/\r?\n\r?\n/);
      rest = pieces.pop() ?? '';
      for (const piece of pieces) tell(piece, hear);
    }
  } catch (error) {
    if (!signal.aborted) fail(explain(error));
  }
}

function tell(piece: string, hear: (heard: Heard) => void): void {
  const heard: Heard = { event: 'message', data: '' };
  for (const line of piece.split(/\r?\n/)) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name === 'event') heard.event = value ?? '';
    else if (name === 'data') heard.data += (heard.data ? '\n' : '') + (value ?? '');
  }
  if (heard.data) hear(heard);
}
