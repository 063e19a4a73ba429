import type { TestHttpServer } from "../../../http/testing/http-server.ts";

export interface StreamEvent {
  readonly event: string;
  readonly data: ReturnType<typeof JSON.parse>;
}

export interface OpenStream {
  readonly answer: Response;
  /** The next event; undefined when the stream has ended. Comments are passed over. */
  next(): Promise<StreamEvent | undefined>;
  /** The next line that is a comment. */
  comment(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** A stream as a browser reads it. */
export async function openStream(
  server: TestHttpServer,
  path: string,
  headers: Record<string, string>,
): Promise<OpenStream> {
  const gone = new AbortController();
  const answer = await fetch(server.url() + path, { headers, signal: gone.signal });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";

  async function block(): Promise<string | undefined> {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end >= 0) {
        const found = text.slice(0, end);
        text = text.slice(end + 2);
        return found;
      }
      const read = await reader?.read();
      if (!read || read.done) return undefined;
      text += read.value;
    }
  }

  return {
    answer,
    async next() {
      for (;;) {
        const found = await block();
        if (found === undefined) return undefined;
        const [, event, data = "{}"] = /^event: (\w+)\ndata: (.+)$/.exec(found) ?? [];
        if (event) return { event, data: JSON.parse(data) };
      }
    },
    async comment() {
      for (;;) {
        const found = await block();
        if (found === undefined || found.startsWith(":")) return found;
      }
    },
    async close() {
      gone.abort();
      await reader?.cancel().catch(() => {});
    },
  };
}
