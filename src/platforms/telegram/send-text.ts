import type { CompiledRequest } from "../contract.ts";
import type { RequestOutcome } from "../send-series.ts";
import { type Connection, call } from "./client.ts";
import { messageShape, sentMessage } from "./message.ts";
import { chatIdOf } from "./target.ts";

/** Send a request that carries no media. */
export async function sendText(request: CompiledRequest, connection: Connection): Promise<RequestOutcome> {
  const chat_id = chatIdOf(connection.context.channel.targetId);
  await connection.context.turn?.();
  const json = { chat_id, ...request.body };
  const reply = await call(request.method, { json }, messageShape, connection);
  return reply.kind === "ok" ? { kind: "sent", message: sentMessage([reply.result]) } : reply;
}
