import type { Compiled, CompiledRequest, Found, SendContext } from "../contract.ts";
import { type Connection, call, type MaxSettings, recipientOf } from "./client.ts";
import { fingerprint } from "./fingerprint.ts";
import { clockSlackMs, messagesRead, pagesRead } from "./limits.ts";
import { uploadTypeOf } from "./media.ts";
import { historyShape, type Message } from "./message.ts";

/**
 * Look whether a post arrived, by reading the chat back. Every part that did is acknowledged, so that when
 * the post is not whole, `send` goes on where it stopped.
 */
export async function find(compiled: Compiled, context: SendContext, settings: MaxSettings): Promise<Found> {
  const history = await newestMessages({ settings, context });
  if (history.kind === "unavailable") return history;

  const taken = new Set(context.progress.acknowledged);
  const found: Message[] = [];
  for (const [index, request] of compiled.requests.entries()) {
    if (context.progress.acknowledged[index] !== undefined) continue;
    const expected = fingerprintOf(request);
    const message = history.messages.find(
      (each) => !taken.has(each.body.mid) && fingerprintIn(each) === expected,
    );
    if (!message) return { kind: "absent" };
    taken.add(message.body.mid);
    found.push(message);
    await context.progress.acknowledge(index, message.body.mid);
  }
  const [providerMessageId] = context.progress.acknowledged;
  if (providerMessageId === undefined)
    throw new Error("a compiled post without requests cannot be looked for");
  const url = found.find((message) => message.body.mid === providerMessageId)?.url;
  return {
    kind: "found",
    providerMessageId,
    ...(url && { url }),
    raw: { mids: [...context.progress.acknowledged] },
  };
}

type History =
  | { readonly kind: "read"; readonly messages: readonly Message[] }
  | Extract<Found, { kind: "unavailable" }>;

/**
 * Messages since the first try, the oldest first: page by page back to it, each ending where the one before began. Only `to`
 * is used for that: with both bounds the vendor's text wants `to` before `from` and others read them the other way. A server
 * that does not go back is noticed by a page without anything new.
 */
async function newestMessages(connection: Connection): Promise<History> {
  const { context } = connection;
  const recipient = recipientOf(context.channel.targetId);
  if (!recipient.chat_id) return unavailable("a dialog cannot be read back by the person's id");
  const since = context.since.getTime() - clockSlackMs;
  const seen = new Map<string, Message>();
  let bound: { to?: string } = {};
  for (let page = 1; page <= pagesRead; page++) {
    const query = { ...recipient, ...bound, count: String(messagesRead) };
    const reply = await call({ method: "GET", path: "/messages", query }, historyShape, connection);
    if (reply.kind !== "ok") return { kind: "unavailable", error: reply.error };
    const { messages } = reply.result;
    const known = seen.size;
    for (const message of messages) seen.set(message.body.mid, message);
    if (messages.length < messagesRead || messages.some(({ timestamp }) => timestamp < since))
      return { kind: "read", messages: recent([...seen.values()], since) };
    if (seen.size === known) break;
    bound = { to: String(Math.min(...messages.map(({ timestamp }) => timestamp))) };
  }
  return unavailable(
    `the chat could not be read back to the first try: ${seen.size} messages have come since`,
  );
}

function recent(messages: readonly Message[], since: number): Message[] {
  return messages
    .filter(({ timestamp, sender }) => timestamp >= since && sender?.is_bot !== false)
    .toSorted((one, other) => one.timestamp - other.timestamp);
}

function unavailable(message: string): Extract<Found, { kind: "unavailable" }> {
  return {
    kind: "unavailable",
    error: { category: "PERMANENT", scope: "delivery", code: "cannot_look_up", message },
  };
}

function fingerprintOf({ text, media }: CompiledRequest): string {
  return fingerprint(text, media.map(uploadTypeOf));
}

function fingerprintIn({ body }: Message): string {
  return fingerprint(
    body.text ?? "",
    (body.attachments ?? []).map(({ type }) => type),
  );
}
