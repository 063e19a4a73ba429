import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface WebhookReceiver {
  readonly url: string;
  /** `host:port`, for the guarded client's exceptions. */
  readonly host: string;
  readonly received: { headers: Record<string, string>; text: string; body: Record<string, unknown> }[];
  /** Sets the status of the next answers. */
  answerWith(status: number): void;
  close(): Promise<void>;
}

/** A server that receives alerts as a customer's would. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: WebhookReceiver["received"] = [];
  let status = 200;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString("utf8");
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      received.push({ headers, text, body: JSON.parse(text) });
      response.writeHead(status).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/alerts`,
    host: `127.0.0.1:${port}`,
    received,
    answerWith: (next) => {
      status = next;
    },
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}
