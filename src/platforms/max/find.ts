import type { Compiled, CompiledRequest, Found, SendContext } from "../contract.ts";
import { type Connection, call, type MaxSettings, recipientOf } from "./client.ts";
import { fingerprint } from "./fingerprint.ts";
import { clockSlackMs, messagesRead } from "./limits.ts";
import { uploadTypeOf } from "./media.ts";
import { historyShape, type Message } from "./message.ts";

/**
 * Look whether a post arrived, by reading the chat back. Every part that did is acknowledged, so that when
 * the post is not whole, `send` goes on where it stopped.
 */
export async function find(compiled: Compiled, context: SendContext, settings: MaxSettings): Promise<Found> {
  const history = await newestMessages({ settings, context });
  if (history.kind === "unavailable") return history;

  const taken = new Set([...context.progress.acknowledged, ...(context.others ?? [])]);
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
 * Messages since the first try, the oldest first. The bounds `from` and `to` are left out: the vendor's text
 * wants `to` before `from`, others read them the other way, and without them the newest come in any case.
 */
async function newestMessages(connection: Connection): Promise<History> {
  const { context } = connection;
  const recipient = recipientOf(context.channel.targetId);
  if (!recipient.chat_id) return unavailable("a dialog cannot be read back by the person's id");
  const query = { ...recipient, count: String(messagesRead) };
  const reply = await call({ method: "GET", path: "/messages", query }, historyShape, connection);
  if (reply.kind !== "ok") return { kind: "unavailable", error: reply.error };
  const { messages } = reply.result;
  const since = context.since.getTime() - clockSlackMs;
  const recent = messages.filter(({ timestamp, sender }) => timestamp >= since && sender?.is_bot !== false);
  const mayHoldMore =
    messages.length >= messagesRead && messages.every(({ timestamp }) => timestamp >= since);
  if (mayHoldMore) return unavailable(`more than ${messagesRead} messages have come since the first try`);
  return { kind: "read", messages: recent.toSorted((a, b) => a.timestamp - b.timestamp) };
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
