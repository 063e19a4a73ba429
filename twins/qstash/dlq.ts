import { refuse } from "./errors.ts";
import type { Call, QStash, Reply } from "./twin.ts";
import { wireDeadLetter } from "./wire.ts";

export function listDeadLetters({ store }: QStash): Reply {
  return { body: { messages: store.world.dlq.map(wireDeadLetter).reverse() } };
}

/** Sends a given-up message again, as a new one with all its retries. */
export function retryDeadLetter({ store, deliveries }: QStash, { params }: Call): Reply {
  const found = store.world.dlq.find(({ dlqId }) => dlqId === params.id);
  if (!found) throw refuse.missing(`dlq message ${params.id}`);
  store.world.dlq = store.world.dlq.filter((each) => each !== found);
  const message = { ...found.message, id: store.newId("msg"), retried: 0, dueAt: store.now() };
  store.world.messages.push(message);
  store.changed();
  deliveries.wake();
  return { body: { messageId: message.id }, created: [message.id] };
}

export function deleteDeadLetter({ store }: QStash, { params }: Call): Reply {
  const before = store.world.dlq.length;
  store.world.dlq = store.world.dlq.filter(({ dlqId }) => dlqId !== params.id);
  if (store.world.dlq.length === before) throw refuse.missing(`dlq message ${params.id}`);
  store.changed();
  return { body: {} };
}
