import { createServer, type IncomingHttpHeaders } from "node:http";
import { startTestTwins, type TestClock, type TestTwins, testClock } from "../shared/testing.ts";
import { demoAccount } from "./store.ts";

/** Tests assert the shape of an answer. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Heard {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An endpoint with a scripted answer. */
export interface Endpoint {
  readonly url: string;
  readonly heard: Heard[];
  answer: { status: number; headers?: Readonly<Record<string, string>>; body?: string };
  close(): Promise<void>;
}

export async function startEndpoint(): Promise<Endpoint> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url = "", headers } = request;
    endpoint.heard.push({ url, headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(endpoint.answer.status, endpoint.answer.headers).end(endpoint.answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the endpoint has no port");
  const endpoint: Endpoint = {
    url: `http://127.0.0.1:${address.port}`,
    heard: [],
    answer: { status: 200 },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return endpoint;
}

export interface TestQStash extends TestTwins {
  readonly clock: TestClock;
  api(
    method: string,
    path: string,
    headers?: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<{ status: number; body: Json }>;
  /** Sends what is due by the clock. */
  run(): Promise<Json[]>;
}

/** Nothing is sent but by `run`. */
export async function startTestQStash(
  start?: number,
  settings: { insecureWebhooks?: boolean } = {},
): Promise<TestQStash> {
  const clock = testClock(start);
  const twins = await startTestTwins({ clock, ...settings });
  await twins.control("PATCH", "/qstash/options", { held: true });
  return {
    ...twins,
    clock,
    async api(method, path, headers = {}, body) {
      const response = await fetch(`${twins.url}/qstash/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${demoAccount.token}`, ...headers },
        ...(body !== undefined && { body }),
      });
      return { status: response.status, body: await response.json() };
    },
    run: async () => (await twins.control<{ sent: Json[] }>("POST", "/qstash/run", {})).sent,
  };
}
