/** The twins' live events. Reconnects as long as the page is open and reports it. */
import { type TwinEvent, twinEvent } from "./types.ts";

export interface StreamListener {
  /** Connected, for the first time or again: events before that are unknown. */
  opened(): void;
  lost(): void;
  told(event: TwinEvent): void;
}

/** The browser retries a broken connection itself, but gives up for good when the server answers an error. */
const reopenMs = 2_000;

export function listen(url: string, listener: StreamListener): () => void {
  let source: EventSource;
  let reopening: ReturnType<typeof setTimeout> | undefined;

  const open = () => {
    source = new EventSource(url);
    source.onopen = () => listener.opened();
    source.onmessage = ({ data }) => {
      const event = twinEvent.safeParse(parsed(data));
      if (event.success) listener.told(event.data);
      else console.warn("The twins sent an event this page does not know", data);
    };
    source.onerror = () => {
      listener.lost();
      if (source.readyState === EventSource.CLOSED) reopening = setTimeout(open, reopenMs);
    };
  };

  open();
  return () => {
    clearTimeout(reopening);
    source.close();
  };
}

function parsed(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
}
