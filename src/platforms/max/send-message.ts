import { setTimeout as wait } from "node:timers/promises";
import type { CompiledRequest } from "../contract.ts";
import type { RequestOutcome } from "../send-series.ts";
import { type Connection, call, recipientOf } from "./client.ts";
import { sentShape } from "./message.ts";

/** MAX needs a moment with a file it has just received; these waits are the official client's. */
const defaultNotReadyWaitsMs = [1_000, 2_000, 4_000];

/** Send one message whose body is complete. While an attachment is not ready, it is offered again. */
export async function sendMessage(
  request: CompiledRequest,
  body: Readonly<Record<string, unknown>>,
  connection: Connection,
): Promise<RequestOutcome> {
  const { settings, context } = connection;
  const query = { ...recipientOf(context.channel.targetId), ...request.query };
  const waits = [...(settings.notReadyWaitsMs ?? defaultNotReadyWaitsMs)];
  for (;;) {
    await context.turn?.();
    const reply = await call({ method: "POST", path: "/messages", query, body }, sentShape, connection);
    if (reply.kind === "ok") {
      const { message } = reply.result;
      const { mid } = message.body;
      return { kind: "sent", message: { id: mid, ...(message.url && { url: message.url }), raw: { mid } } };
    }
    const pause = waits.shift();
    if (reply.error.code !== "attachment_not_ready" || pause === undefined) return reply;
    await wait(pause, undefined, context.signal && { signal: context.signal }).catch(() => {});
    if (context.signal?.aborted) return reply;
  }
}
