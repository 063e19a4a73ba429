import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";

/** What a messenger says to a post. */
export interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, unless it is text. */
  readonly body: unknown;
}

export interface ScriptedMessenger {
  /** The root of its API, for both messengers. */
  readonly url: string;
  /** What it was asked, the oldest first. */
  readonly requests: Request[];
  close(): void;
}

export interface Request {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/** A server that answers each chat as it is told: for answers that a twin gives only when its chats are in such a state. */
export async function startMessenger(
  say: (chat: string) => Said | Promise<Said>,
): Promise<ScriptedMessenger> {
  const requests: Request[] = [];
  const server = createServer(async (request, response) => {
    const asked = await read(request);
    requests.push(asked);
    const { status = 200, headers, body } = await say(chatOf(asked));
    const isText = typeof body === "string";
    response
      .writeHead(status, { "content-type": isText ? "text/html" : "application/json", ...headers })
      .end(isText ? body : JSON.stringify(body));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, requests, close: () => server.close() };
}

async function read(request: IncomingMessage): Promise<Request> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const { method = "", url = "", headers } = request;
  const text = Buffer.concat(parts).toString("utf8");
  return { method, url, authorization: headers.authorization, body: text ? JSON.parse(text) : undefined };
}

/** MAX names the chat in the query, Telegram in the body. */
function chatOf({ url, body }: Request): string {
  return new URL(url, "http://messenger").searchParams.get("chat_id") ?? String(Object(body).chat_id);
}
