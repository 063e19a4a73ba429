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
  /** Where Molva believes the messengers to be. */
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** The most posts that one chat had under way at the same time. */
  readonly mostAtOnce: ReadonlyMap<string, number>;
  aChat(provider: "telegram" | "max", id: number): Promise<void>;
  stop(): Promise<void>;
}

export interface WatchedTwinsOptions {
  /** Runs when a post arrives, before the messenger sees it. */
  readonly onArrival?: (arrival: Arrival) => Promise<unknown>;
}

export const botTokens = { telegram: `7100000001:${"W".repeat(35)}`, max: "watched-max-token" };

/** The twins behind a gate that sees what is under way at once: their journal knows only when a call ended. */
export async function startWatchedTwins(options: WatchedTwinsOptions = {}): Promise<WatchedTwins> {
  const twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
  const arrivals: Arrival[] = [];
  const underWay = new Map<string, number>();
  const mostAtOnce = new Map<string, number>();

  const gate = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const arrival = arrivalOf(request.url ?? "/", body);
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
      const answer = await fetch(`${twins.url}${request.url}`, {
        method: request.method ?? "GET",
        headers: {
          "content-type": request.headers["content-type"] ?? "application/json",
          authorization: request.headers.authorization ?? "",
        },
        ...(body ? { body } : {}),
      });
      const text = await answer.text();
      // Before the answer leaves: whoever hears it may send the next post at once.
      count(-1);
      response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
    } catch (error) {
      response.destroy(error instanceof Error ? error : undefined);
    }
  });
  await once(gate.listen(0, "127.0.0.1"), "listening");
  const address = gate.address();
  const port = typeof address === "object" ? address?.port : undefined;

  const tell = async (path: string, body: unknown) => {
    const answer = await fetch(`${twins.url}/_control/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`the twins refused ${path}: ${await answer.text()}`);
  };
  for (const [provider, token] of Object.entries(botTokens))
    await tell(`${provider}/bots`, { token, username: "watched_bot", first_name: "Молва" });

  return {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    mostAtOnce,
    aChat: (provider, id) => tell(`${provider}/chats`, chats[provider](id)),
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

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

function arrivalOf(address: string, body: string): Arrival | undefined {
  const url = new URL(address, "http://gate");
  if (url.pathname.endsWith("/sendMessage")) {
    const { chat_id, text } = JSON.parse(body);
    return { provider: "telegram", chat: String(chat_id), text };
  }
  const chat = url.searchParams.get("chat_id");
  if (url.pathname !== "/max/messages" || chat === null || !body) return undefined;
  return { provider: "max", chat, text: JSON.parse(body).text };
}
