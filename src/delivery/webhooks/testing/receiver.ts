import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

export interface Received {
  readonly headers: Record<string, string>;
  readonly text: string;
  /** As a customer reads it: by the convention's own package, which throws if the signature does not fit. */
  verified(secret: string): unknown;
}

export type Answer =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  /** Nothing, until `release` is called. */
  | "hang";

export interface Receiver {
  readonly url: string;
  /** `host:port`, for the guarded client's exceptions. */
  readonly host: string;
  readonly received: Received[];
  /** Decides the next answers; 204 unless set. */
  answerWith(answer: Answer): void;
  /** Ends the requests that hang. */
  release(): void;
  /** How many requests hang. */
  readonly hanging: number;
  close(): Promise<void>;
}

/** A server that takes webhooks as a customer's would, and can be told to misbehave. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const hanging: ServerResponse[] = [];
  let answer: Answer = { status: 204 };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString("utf8");
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      received.push({ headers, text, verified: (secret) => new Webhook(secret).verify(text, headers) });
      if (answer === "hang") hanging.push(response);
      else response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const release = () => {
    for (const response of hanging.splice(0)) response.writeHead(204).end();
  };
  return {
    url: `http://127.0.0.1:${port}/hooks/a-key-in-the-path`,
    host: `127.0.0.1:${port}`,
    received,
    answerWith: (next) => {
      answer = next;
    },
    release,
    get hanging() {
      return hanging.length;
    },
    async close() {
      release();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
