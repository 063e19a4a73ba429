import { createServer, type IncomingHttpHeaders } from "node:http";
import { startTestTwins, type TestClock, type TestTwins, testClock } from "../shared/testing.ts";

/** Tests assert the shape of an answer. */
export type Json = ReturnType<typeof JSON.parse>;

export const shop = { id: "700", secret: "test_secret" };

export interface Heard {
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
}

/** A receiver of notifications with scripted answers. */
export interface Receiver {
  readonly url: string;
  readonly heard: Heard[];
  answers: number;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    heard.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
    response.writeHead(receiver.answers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the receiver has no port");
  const receiver: Receiver = {
    url: `http://127.0.0.1:${address.port}/hook`,
    heard,
    answers: 200,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

export interface TestYooKassa extends TestTwins {
  readonly clock: TestClock;
  api(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ status: number; body: Json }>;
}

/** A test shop without receipts. Every POST has a key of its own unless one is given. */
export async function startTestYooKassa(settings: { rateLimits?: boolean } = {}): Promise<TestYooKassa> {
  const clock = testClock();
  const twins = await startTestTwins({ clock, ...settings });
  await twins.control("POST", "/yookassa/shops", shop);
  let keys = 0;
  return {
    ...twins,
    clock,
    async api(method, path, body, headers = {}) {
      keys += 1;
      const response = await fetch(`${twins.url}/yookassa/v3${path}`, {
        method,
        headers: {
          authorization: `Basic ${btoa(`${shop.id}:${shop.secret}`)}`,
          ...(method === "POST" && { "content-type": "application/json", "idempotence-key": `key-${keys}` }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
  };
}

/** A payment of 990 roubles by redirect, taken at once. */
export const aPayment = (change: object = {}) => ({
  amount: { value: "990.00", currency: "RUB" },
  capture: true,
  confirmation: { type: "redirect", return_url: "https://ex.ru/back" },
  ...change,
});

export const rub = (value: string) => ({ value, currency: "RUB" });
