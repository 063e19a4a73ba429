import { problem } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { Incoming } from "./incoming.ts";

export type Received =
  | { readonly ok: true; readonly duplicate: boolean; readonly trace_id: string }
  | { readonly ok: true; readonly ignored: string }
  | { readonly ok: true; readonly corrected: boolean };

/** Stores an update; the engine hears of it when it is committed. */
export async function receive(
  incoming: Incoming,
  raw: unknown,
  workspaceId: string,
  { sql, clock }: { sql: Sql; clock: Clock },
): Promise<Received> {
  if (incoming.kind === "ignored") return { ok: true, ignored: incoming.reason };
  const { provider, chatId, messageId } = incoming;
  if (incoming.kind === "correction") {
    const [row] = await sql<[{ corrected: boolean }]>`
      select shopbot.correct(${workspaceId}, ${provider}, ${chatId}, ${messageId}, ${incoming.text}) as corrected`;
    return { ok: true, corrected: row.corrected };
  }
  const traceId = incoming.traceId ?? uuidv7(clock);
  const [row] = await sql<[{ verdict: "accepted" | "duplicate" | "in_group" | "no_bot" }]>`
    select shopbot.receive(${workspaceId}, ${provider}, ${chatId}, ${messageId}, ${incoming.at},
      ${JSON.stringify(incoming.body)}::text::jsonb, ${storableJson(raw)}::text::jsonb, ${traceId},
      ${incoming.inGroup}, ${clock.now()}) as verdict`;
  if (row.verdict === "no_bot")
    throw problem("conflict", {
      detail: "This workspace has no shop bot yet: `molva bot setup` makes one.",
    });
  if (row.verdict === "in_group") return { ok: true, ignored: "written in a group" };
  return { ok: true, duplicate: row.verdict === "duplicate", trace_id: traceId };
}

/** jsonb holds no NUL and no half characters, and a customer's client may send both. */
function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner) =>
    typeof inner === "string" ? inner.replaceAll("\0", "").toWellFormed() : inner,
  );
}
