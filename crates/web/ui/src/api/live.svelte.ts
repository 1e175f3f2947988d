// The one stream of events of this tab. It is open while anybody listens; EventSource reconnects by itself and names the last event it saw.
import type { LabEvent } from './types';

type Listener = (event: LabEvent) => void;

const KINDS = [
  'study-began', 'run-began', 'progress', 'finals-began', 'measuring', 'note', 'run-over', 'study-over', 'resync',
] as const;

const listeners = new Set<Listener>();
let source: EventSource | null = null;
let wasOpen = false;

/** Whether the stream is open; who waits for it need not know, but whoever looks should. */
class Connection {
  lost = $state(false);
}
export const connection = new Connection();

/** Hears all events until the function it returns is called. After `resync`, load everything again. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  source ??= open();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) close();
  };
}

function open(): EventSource {
  const stream = new EventSource('/api/events');
  stream.onmessage = hear;
  for (const kind of KINDS) stream.addEventListener(kind, hear);
  // A server that was started anew knows nothing of the last event: whatever happened between is loaded again.
  stream.onopen = () => {
    if (wasOpen) tell({ event: 'resync' });
    wasOpen = true;
    connection.lost = false;
  };
  stream.onerror = () => {
    connection.lost = true;
    if (stream.readyState === EventSource.CLOSED && source === stream) {
      source = null;
      setTimeout(() => {
        if (listeners.size > 0) source ??= open();
      }, 3000);
    }
  };
  return stream;
}

function close(): void {
  source?.close();
  source = null;
  wasOpen = false;
  connection.lost = false;
}

function hear(message: MessageEvent<string>): void {
  if (message.type === 'resync') return tell({ event: 'resync' });
  try {
    tell(JSON.parse(message.data) as LabEvent);
  } catch {
    // Half a message tells nothing, but something was missed.
    tell({ event: 'resync' });
  }
}

function tell(event: LabEvent): void {
  for (const listener of [...listeners]) listener(event);
}
