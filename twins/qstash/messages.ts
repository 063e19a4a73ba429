import { createHash } from "node:crypto";
import { destinationOf } from "./destination.ts";
import { refuse } from "./errors.ts";
import { limits } from "./limits.ts";
import type { Message, Order } from "./model.ts";
import { notBeforeMs, orderOf } from "./order.ts";
import type { Store } from "./store.ts";
import type { Call, QStash, Reply } from "./twin.ts";
import { wireMessage } from "./wire.ts";

export function publish(qstash: QStash, call: Call): Reply {
  const { store, context, deliveries } = qstash;
  const destination = destinationOf(call.rawUrl, "publish");
  const order = orderOf({ ...call, destination }, context.options);
  const now = store.now();
  const dueAt = notBeforeMs(call.headers) ?? now + order.delayMs;
  if (dueAt - now > limits.delayMs) throw refuse.invalid("delay exceeds the plan's maximum");
  const key = deduplicationKey(call, order);
  const known = key === undefined ? undefined : rememberedBy(store, key, now);
  // Accepted, and not sent again.
  if (known !== undefined) return { status: 202, body: { messageId: known } };
  const message = newMessage(store, order, { dueAt: Math.max(now, dueAt) });
  if (key !== undefined) store.world.remembered.push({ id: key, messageId: message.id, at: now });
  store.changed();
  deliveries.wake();
  return { body: { messageId: message.id }, created: [message.id] };
}

export function readMessage({ store }: QStash, { params }: Call): Reply {
  return { body: wireMessage(messageOf(store, params.id)) };
}

/** Only a message that still waits can be cancelled. */
export function cancelMessage({ store }: QStash, { params }: Call): Reply {
  const { id } = messageOf(store, params.id);
  store.world.messages = store.world.messages.filter((message) => message.id !== id);
  store.changed();
  return { status: 202, body: { cancelled: 1 } };
}

/** Adds a message that waits until it is due. */
export function newMessage(
  store: Store,
  order: Order,
  {
    dueAt,
    createdAt = store.now(),
    scheduleId = null,
    sourceId = null,
  }: Partial<Pick<Message, "createdAt" | "scheduleId" | "sourceId">> & Pick<Message, "dueAt">,
): Message {
  const id = store.newId("msg");
  const message = { ...order, id, createdAt, dueAt, retried: 0, scheduleId, sourceId };
  store.world.messages.push(message);
  store.changed();
  return message;
}

function messageOf(store: Store, id = ""): Message {
  const message = store.message(id);
  if (!message) throw refuse.missing(`message ${id}`);
  return message;
}

function deduplicationKey({ headers }: Call, { destination, method, body }: Order): string | undefined {
  const own = headers["upstash-deduplication-id"];
  if (typeof own === "string" && own !== "") return `id ${own}`;
  if (headers["upstash-content-based-deduplication"] !== "true") return undefined;
  const hash = createHash("sha256").update(`${method} ${destination}\n${body}`).digest("hex");
  return `content ${hash}`;
}

function rememberedBy({ world }: Store, key: string, now: number): string | undefined {
  world.remembered = world.remembered.filter(({ at }) => now - at < limits.deduplicationMs);
  return world.remembered.find(({ id }) => id === key)?.messageId;
}
