import { setTimeout as wait } from "node:timers/promises";
import type { CompiledRequest } from "../contract.ts";
import type { RequestOutcome } from "../send-series.ts";
import { type Connection, call, recipientOf } from "./client.ts";
import { sentShape } from "./message.ts";

/** MAX needs time to process a new file; these waits are those of the official client. */
const defaultNotReadyWaitsMs = [1_000, 2_000, 4_000];

/** Sends one complete message body, and retries while an attachment is not ready. */
export function sendMessage(
  request: CompiledRequest,
  body: Readonly<Record<string, unknown>>,
  connection: Connection,
): Promise<RequestOutcome> {
  const query = { ...recipientOf(connection.context.channel.targetId), ...request.query };
  return whenReady(connection, async () => {
    const reply = await call({ method: "POST", path: "/messages", query, body }, sentShape, connection);
    if (reply.kind !== "ok") return reply;
    const { message } = reply.result;
    const { mid } = message.body;
    return { kind: "sent", message: { id: mid, ...(message.url && { url: message.url }), raw: { mid } } };
  });
}

/** Retries while an attachment is not ready; each attempt is a separate request. */
export async function whenReady(
  { settings, context }: Connection,
  ask: () => Promise<RequestOutcome>,
): Promise<RequestOutcome> {
  const waits = [...(settings.notReadyWaitsMs ?? defaultNotReadyWaitsMs)];
  for (;;) {
    await context.turn?.();
    const outcome = await ask();
    if (outcome.kind === "sent") return outcome;
    const pause = waits.shift();
    if (outcome.error.code !== "attachment_not_ready" || pause === undefined) return outcome;
    await wait(pause, undefined, context.signal && { signal: context.signal }).catch(() => {});
    if (context.signal?.aborted) return outcome;
  }
}
