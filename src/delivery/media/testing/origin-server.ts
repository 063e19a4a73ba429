import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";

/** A server from which files are fetched. It counts requests, and its answers can be set. */
export interface OriginServer {
  readonly url: string;
  readonly host: string;
  /** How often each path was requested. */
  readonly asked: Map<string, number>;
  /** Sets the answer of a path: a file, or a status. */
  serve(path: string, answer: Uint8Array | number, headers?: Record<string, string>): string;
  /** Delays answers until the given promise is settled. */
  hold(until: Promise<unknown>): void;
  close(): Promise<void>;
}

export async function startOriginServer(): Promise<OriginServer> {
  const asked = new Map<string, number>();
  const answers = new Map<string, (response: ServerResponse) => void>();
  let held: Promise<unknown> = Promise.resolve();
  const server = createServer(async (request, response) => {
    const path = request.url ?? "/";
    asked.set(path, (asked.get(path) ?? 0) + 1);
    await held;
    const answer = answers.get(path);
    if (answer) answer(response);
    else response.writeHead(404).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    url: `http://${host}`,
    host,
    asked,
    serve(path, answer, headers = {}) {
      answers.set(path, (response) =>
        typeof answer === "number"
          ? response.writeHead(answer, headers).end()
          : response.writeHead(200, { "content-length": answer.length, ...headers }).end(answer),
      );
      return `http://${host}${path}`;
    },
    hold(until) {
      held = until;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
