import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";

/** What a talk is about, as long as it lives. The shape is the document's. */
const contextShape = z.object({
  v: z.literal(1).default(1),
  scenario: z.string().nullable().default(null),
  scenario_at: z.string().nullable().default(null),
  pet_snapshot: z.record(z.string(), z.unknown()).nullable().default(null),
  conversation_summary: z.string().nullable().default(null),
  last_turns: z.array(z.object({ role: z.enum(["user", "assistant"]), text: z.string() })).default([]),
  expected_reply_to: z
    .object({ question: z.string(), last_bot_message_id: z.number().nullable() })
    .nullable()
    .default(null),
  marketing_state: z
    .object({
      free_answers_count: z.int().default(0),
      last_upsell_at: z.string().nullable().default(null),
      seen_flags: z.array(z.string()).default([]),
    })
    .prefault({}),
});
export type SessionContext = z.output<typeof contextShape>;

export const emptyContext: SessionContext = contextShape.parse({});

/** The talk that is still going on, or an empty one. A context that this release cannot read is a talk that has ended. */
export async function readSession(
  sql: Sql | Transaction,
  workspaceId: string,
  userId: string,
  now: Date,
): Promise<SessionContext> {
  const [row] = await sql`
    select session_context from advisor.sessions
    where workspace_id = ${workspaceId} and user_id = ${userId} and expires_at > ${now}`;
  const read = contextShape.safeParse(row?.session_context);
  return read.success ? read.data : emptyContext;
}

export interface SavedSession {
  readonly session_id: string;
  readonly expires_at: Date;
}

/** Keeps the talk and lets it live for another while; one that had expired gets a new id. */
export async function saveSession(
  tx: Transaction,
  at: { workspaceId: string; userId: string; now: Date; ttlSec: number },
  context: SessionContext,
): Promise<SavedSession> {
  const expiresAt = new Date(at.now.getTime() + at.ttlSec * 1000);
  const [row] = await tx<[SavedSession]>`
    insert into advisor.sessions as s (workspace_id, id, user_id, session_context, expires_at, updated_at)
    values (${at.workspaceId}, molva.uuidv7(${at.now}), ${at.userId}, ${JSON.stringify(context)}::text::jsonb, ${expiresAt}, ${at.now})
    on conflict (workspace_id, user_id) do update set
      id = case when s.expires_at > ${at.now} then s.id else excluded.id end,
      session_context = excluded.session_context, expires_at = excluded.expires_at, updated_at = excluded.updated_at
    returning id as session_id, expires_at`;
  return row;
}
