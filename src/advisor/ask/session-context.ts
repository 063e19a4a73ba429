import { z } from "zod";

/** The specified form of a session's context. */
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

/** An unreadable context means a new session. */
export function contextOf(stored: unknown): SessionContext {
  const read = contextShape.safeParse(stored);
  return read.success ? read.data : emptyContext;
}
