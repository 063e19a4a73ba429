/** A web server for a test: its answers can be changed while it runs, and it records requests. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";

export interface FeedServer {
  readonly url: string;
  /** `host:port`, for the guarded client's exceptions. */
  readonly host: string;
  readonly requests: readonly { path: string; headers: IncomingHttpHeaders }[];
  serve(path: string, answer: Answer): void;
  close(): Promise<void>;
}

export type Answer =
  | {
      readonly status?: number;
      readonly headers?: Record<string, string>;
      readonly body: string | Uint8Array;
    }
  | ((request: { url: URL; headers: IncomingHttpHeaders }, response: ServerResponse) => void);

export async function startFeedServer(): Promise<FeedServer> {
  const answers = new Map<string, Answer>();
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://feeds");
    requests.push({ path: `${url.pathname}${url.search}`, headers: request.headers });
    const answer = answers.get(url.pathname);
    if (typeof answer === "function") return answer({ url, headers: request.headers }, response);
    const { status = 200, headers = {}, body } = answer ?? { status: 404, body: "not here" };
    const { etag } = headers;
    if (etag !== undefined && request.headers["if-none-match"] === etag)
      response.writeHead(304, { etag }).end();
    else response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("the server does not listen on a port");
  const host = `127.0.0.1:${address.port}`;
  return {
    url: `http://${host}`,
    host,
    requests,
    serve: (path, answer) => void answers.set(path, answer),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface FeedEntry {
  readonly id: string;
  readonly text?: string;
  readonly date?: string;
}

/** A small RSS feed, newest first as in real feeds. */
export function rss(entries: readonly FeedEntry[]): string {
  const items = entries
    .toReversed()
    .map(
      ({ id, text = `Новость ${id}`, date }) =>
        `<item><guid isPermaLink="false">${id}</guid><title>${text}</title><link>https://news.example/${id}</link>${
          date ? `<pubDate>${new Date(date).toUTCString()}</pubDate>` : ""
        }</item>`,
    );
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Новости</title>${items.join("")}</channel></rss>`;
}

export function entries(from: number, to: number): FeedEntry[] {
  return Array.from({ length: to - from + 1 }, (_, at) => ({ id: `n${from + at}` }));
}
