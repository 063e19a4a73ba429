import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { startTwins } from "../../twins/index.ts";

/** A post that arrived at a messenger: a call that sends, with the chat it is for. */
export interface Arrival {
  readonly provider: string;
  readonly chat: string;
  readonly text: string;
}

export interface WatchedTwins {
  /** The address that Molva uses for the messengers. */
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** The most posts that one chat had under way at the same time. */
  readonly mostAtOnce: ReadonlyMap<string, number>;
  aChat(provider: "telegram" | "max", id: number): Promise<void>;
  /** Asks the twins' control API. */
  control(method: string, path: string, body?: unknown): Promise<ReturnType<typeof JSON.parse>>;
  /** What readers of a chat see. */
  shown(provider: "telegram" | "max", id: number): Promise<{ text: string; edited: boolean }[]>;
  stop(): Promise<void>;
}

export interface WatchedTwinsOptions {
  /** Runs when a post arrives, before the messenger sees it. */
  readonly onArrival?: (arrival: Arrival) => Promise<unknown>;
  /** Runs when a call comes, before its provider sees it; `path` is the call's, as `POST /vk/method/wall.post`. */
  readonly onCall?: (path: string) => Promise<unknown>;
  /** Runs when the messenger has done what a call asked for, before its answer leaves; `path` is the call's. */
  readonly onDone?: (path: string) => Promise<unknown>;
}

export const botTokens = { telegram: `7100000001:${"W".repeat(35)}`, max: "watched-max-token" };

/** The twins behind a proxy that sees concurrent calls: their journal has only the end of each call. */
export async function startWatchedTwins(options: WatchedTwinsOptions = {}): Promise<WatchedTwins> {
  const arrivals: Arrival[] = [];
  const underWay = new Map<string, number>();
  const mostAtOnce = new Map<string, number>();

  const gate = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const arrival = arrivalOf(request.url ?? "/", body);
    const call = `${request.method} ${new URL(request.url ?? "/", "http://gate").pathname}`;
    const count = (step: number) => {
      if (!arrival) return;
      const now = (underWay.get(arrival.chat) ?? 0) + step;
      underWay.set(arrival.chat, now);
      mostAtOnce.set(arrival.chat, Math.max(now, mostAtOnce.get(arrival.chat) ?? 0));
    };
    count(1);
    try {
      if (arrival) {
        arrivals.push(arrival);
        await options.onArrival?.(arrival);
      }
      await options.onCall?.(call);
      const answer = await fetch(`${twins.url}${request.url}`, {
        method: request.method ?? "GET",
        headers: passedOn(request),
        redirect: "manual",
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      await options.onDone?.(call);
      // Before the answer is sent: its receiver may send the next post at once.
      count(-1);
      for (const [name, value] of answer.headers) if (!ofOneHop.has(name)) response.appendHeader(name, value);
      response.writeHead(answer.status).end(bytes);
    } catch (error) {
      response.destroy(error instanceof Error ? error : undefined);
    }
  });
  await once(gate.listen(0, "127.0.0.1"), "listening");
  const address = gate.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : undefined}`;
  const twins = await startTwins({
    ...{ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false },
    publicUrl: url,
  });

  const control = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${twins.url}/_control/${path}`, {
      method,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the twins refused ${path}: ${text}`);
    return JSON.parse(text);
  };
  for (const [provider, token] of Object.entries(botTokens))
    await control("POST", `${provider}/bots`, { token, username: "watched_bot", first_name: "Молва" });

  return {
    url,
    arrivals,
    mostAtOnce,
    control,
    aChat: (provider, id) => control("POST", `${provider}/chats`, chats[provider](id)),
    async shown(provider, id) {
      const { messages } = await control("GET", `chats/${provider}/${id}/messages`);
      return messages.map(({ text, edited }: { text: string; edited: boolean }) => ({ text, edited }));
    },
    async stop() {
      gate.closeAllConnections();
      await new Promise((resolve) => gate.close(resolve));
      await twins.close();
    },
  };
}

const chats = {
  telegram: (id: number) => ({
    id,
    type: "channel",
    title: "Канал",
    members: [{ bot: "watched_bot", status: "administrator", can_post_messages: true }],
  }),
  max: (id: number) => ({
    chat_id: id,
    type: "channel",
    title: "Канал",
    members: [{ bot: "watched_bot", is_admin: true, permissions: ["write"] }],
  }),
};

/** Headers that speak of one connection, or of how its bytes were packed. */
const ofOneHop = new Set([
  ...["connection", "content-encoding", "content-length", "host", "keep-alive", "transfer-encoding"],
  ...["accept-encoding", "expect"],
]);

function passedOn(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (!ofOneHop.has(name) && value !== undefined) headers.set(name, String(value));
  return headers;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

function arrivalOf(address: string, body: Buffer): Arrival | undefined {
  const url = new URL(address, "http://gate");
  if (url.pathname.endsWith("/sendMessage")) {
    const { chat_id, text } = JSON.parse(body.toString("utf8"));
    return { provider: "telegram", chat: String(chat_id), text };
  }
  const chat = url.searchParams.get("chat_id");
  if (url.pathname !== "/max/messages" || chat === null || body.length === 0) return undefined;
  return { provider: "max", chat, text: JSON.parse(body.toString("utf8")).text };
}
