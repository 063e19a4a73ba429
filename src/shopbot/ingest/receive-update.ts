import { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { Inbox } from "./inbox.ts";
import type { Incoming } from "./incoming-update.ts";

export const receivedSchema = z.union([
  z.object({
    ok: z.literal(true),
    duplicate: z.boolean(),
    trace_id: z.string(),
    chat_id: z.string(),
    provider_message_id: z
      .string()
      .describe("With `chat_id`, identifies the message when asking for its answer"),
  }),
  z.object({ ok: z.literal(true), ignored: z.string().describe("Why there is nothing to answer") }),
  z.object({ ok: z.literal(true), corrected: z.boolean() }),
]);
export type Received = z.output<typeof receivedSchema>;

interface ReceiveDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly inbox: Inbox;
}

/** Stores an update; the engine is notified on commit. */
export async function receive(
  incoming: Incoming,
  raw: unknown,
  workspaceId: string,
  { sql, clock, inbox }: ReceiveDeps,
): Promise<Received> {
  if (incoming.kind === "ignored") return { ok: true, ignored: incoming.reason };
  const { provider, chatId, messageId } = incoming;
  if (incoming.kind === "correction") {
    const [row] = await sql<[{ corrected: boolean }]>`
      select shopbot.correct(${workspaceId}, ${provider}, ${chatId}, ${messageId}, ${incoming.text}) as corrected`;
    return { ok: true, corrected: row.corrected };
  }
  const traceId = incoming.traceId ?? uuidv7(clock);
  const verdict = await inbox({
    workspace_id: workspaceId,
    provider,
    chat_id: chatId,
    provider_message_id: messageId,
    ts: incoming.at ?? null,
    provider_seq: incoming.providerSeq ?? null,
    body: incoming.body,
    payload: raw,
    trace_id: traceId,
    in_group: incoming.inGroup,
  });
  if (verdict === "no_bot")
    throw problem("conflict", {
      detail: "This workspace has no shop bot yet: `molva bot setup` makes one.",
    });
  if (verdict === "in_group") return { ok: true, ignored: "written in a group" };
  return {
    ok: true,
    duplicate: verdict === "duplicate",
    trace_id: traceId,
    chat_id: chatId,
    provider_message_id: messageId,
  };
}
