/**
 * A provider that checks only distance: a chat accepts a message no sooner than 1/R seconds after the last accepted
 * one, without any burst, and refuses an earlier one. Supports sendMessage of the Bot API; R is in the chat's id: -<R>.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

export interface Seen {
  readonly arrivals: readonly number[];
  readonly refused: number;
}

const chats = new Map<string, { arrivals: number[]; refused: number }>();

const server = createServer(async (request, response) => {
  // When the request came, not when its body was read.
  const at = performance.now();
  const answer = request.method === "GET" ? Object.fromEntries(chats) : await sendMessage(request, at);
  response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
});

async function sendMessage(request: IncomingMessage, at: number): Promise<object> {
  const { chat_id } = JSON.parse(await text(request));
  const chat = chats.get(String(chat_id)) ?? { arrivals: [], refused: 0 };
  chats.set(String(chat_id), chat);
  const last = chat.arrivals.at(-1) ?? Number.NEGATIVE_INFINITY;
  if (at - last < 1_000 / Math.abs(Number(chat_id))) {
    chat.refused += 1;
    const parameters = { retry_after: 1 };
    return { ok: false, error_code: 429, description: "Too Many Requests: retry after 1", parameters };
  }
  chat.arrivals.push(at);
  return {
    ok: true,
    result: { message_id: chat.arrivals.length, date: 0, chat: { id: chat_id, type: "channel" } },
  };
}

await once(server.listen(0, "127.0.0.1"), "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("no port was given");
process.send?.(`http://127.0.0.1:${address.port}`);
process.once("disconnect", () => process.exit());
