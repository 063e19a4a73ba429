import type { Compiled, CompiledRequest, Found, SendContext } from "../contract.ts";
import { type Connection, call, type MaxSettings, mediaOrder, recipientOf } from "./client.ts";
import { fingerprint } from "./fingerprint.ts";
import { clockSlackMs, messagesRead, pagesRead } from "./limits.ts";
import { uploadTypeOf } from "./media.ts";
import { historyShape, type Message } from "./message.ts";

/**
 * Look whether a post arrived, by reading the chat back. A series stops at the first part that is in doubt, so only that
 * one is looked for; when it is there it is acknowledged, and `send` goes on behind it.
 */
export async function find(compiled: Compiled, context: SendContext, settings: MaxSettings): Promise<Found> {
  const { progress } = context;
  const doubtful = compiled.requests.findIndex((_, index) => progress.acknowledged[index] === undefined);
  const request = compiled.requests[doubtful];
  if (!request) return arrived(context);

  const history = await newestMessages({ settings, context });
  if (history.kind === "unavailable") return history;
  const alike = history.messages.filter((message) => fingerprintIn(message) === fingerprintOf(request));
  const candidates = await withoutOthers(alike, context);
  if (candidates.length === 0) return { kind: "absent" };

  // An equal post of last week is not this one.
  if (candidates.every(({ timestamp }) => timestamp === undefined))
    return unavailable("the chat holds messages that look the same, and nothing tells when they came");
  const message = await ownAmong(
    candidates.filter(({ timestamp }) => timestamp !== undefined),
    request,
    context,
  );
  if (!message)
    return unavailable(
      "the chat holds messages that look the same, and nothing in them tells whose they are",
    );
  await progress.acknowledge(doubtful, message.body.mid);
  return doubtful < compiled.requests.length - 1 ? { kind: "absent" } : arrived(context, message);
}

function arrived({ progress }: SendContext, last?: Message): Found {
  const [providerMessageId] = progress.acknowledged;
  if (providerMessageId === undefined)
    throw new Error("a compiled post without requests cannot be looked for");
  const url = last?.body.mid === providerMessageId ? last.url : undefined;
  return {
    kind: "found",
    providerMessageId,
    ...(url && { url }),
    raw: { messages: progress.acknowledged.map((id, index) => ({ index, id })) },
  };
}

/** Messages that are neither a part of this post nor another delivery's. */
async function withoutOthers(messages: readonly Message[], context: SendContext): Promise<Message[]> {
  const own = new Set(context.progress.acknowledged);
  const free = messages.filter(({ body }) => !own.has(body.mid));
  if (free.length === 0) return free;
  const taken = await context.taken?.(free.map(({ body }) => body.mid));
  return free.filter(({ body }) => !taken?.has(body.mid));
}

/**
 * A text says whose a message is. Pictures alone do not, unless they carry the very tokens that this bot's uploads were
 * given; that MAX shows those tokens again is not promised, so other tokens prove nothing.
 */
async function ownAmong(
  candidates: readonly Message[],
  request: CompiledRequest,
  { media, token }: SendContext,
): Promise<Message | undefined> {
  if (request.text.trim() !== "") return candidates[0];
  const tokens: string[] = [];
  for (const item of request.media) {
    const known = await media.known(item, mediaOrder(token));
    if (known === undefined) return undefined;
    tokens.push(known);
  }
  const same = (message: Message) =>
    JSON.stringify(tokensIn(message).toSorted()) === JSON.stringify(tokens.toSorted());
  return candidates.find(same);
}

function tokensIn({ body }: Message): string[] {
  return (body.attachments ?? []).flatMap(({ payload }) => payload?.token ?? []);
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
    const { messages, length } = reply.result;
    const times = messages.flatMap(({ timestamp }) => timestamp ?? []);
    const known = seen.size;
    for (const message of messages) seen.set(message.body.mid, message);
    if (length < messagesRead || times.some((time) => time < since))
      return { kind: "read", messages: recent([...seen.values()], since) };
    if (seen.size === known || times.length === 0) break;
    bound = { to: String(Math.min(...times)) };
  }
  return unavailable(
    `the chat could not be read back to the first try: ${seen.size} messages have come since`,
  );
}

function recent(messages: readonly Message[], since: number): Message[] {
  return messages
    .filter(({ timestamp = since, sender }) => timestamp >= since && sender?.is_bot !== false)
    .toSorted((one, other) => (one.timestamp ?? since) - (other.timestamp ?? since));
}

function unavailable(message: string): Extract<Found, { kind: "unavailable" }> {
  return {
    kind: "unavailable",
    error: { category: "PERMANENT", scope: "delivery", code: "cannot_look_up", message },
  };
}

function fingerprintOf({ text, media }: CompiledRequest): string {
  return fingerprint(
    text,
    media.map((item) => uploadTypeOf(item)),
  );
}

function fingerprintIn({ body }: Message): string {
  return fingerprint(
    body.text ?? "",
    (body.attachments ?? []).map(({ type }) => type),
  );
}
