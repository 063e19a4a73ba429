import type { Sql } from "../../../kernel/db/index.ts";
import type { Resolved } from "../../../platforms/index.ts";

/** The target that is stored now, or the channel that already has the chat. */
export type ChatKept = { readonly target: string } | { readonly takenBy: string };

/** Stores the id of a chat for a channel that knew only its name. */
export async function keepChatFound(
  sql: Sql,
  channel: { readonly workspace_id: string; readonly channel_id: string },
  { name, targetId, title }: Extract<Resolved, { kind: "found" }>,
  now: Date,
): Promise<ChatKept | undefined> {
  const [kept] = await sql<[{ target: string | null; taken_by: string | null }]>`
    select * from delivery.keep_chat_found(
      ${channel.workspace_id}, ${channel.channel_id}, ${name}, ${targetId}, ${title ?? null}, ${now})`;
  if (kept.taken_by !== null) return { takenBy: kept.taken_by };
  return kept.target === null ? undefined : { target: kept.target };
}
