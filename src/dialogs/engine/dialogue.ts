/** The stored state of a chat. */
import { z } from "zod";
import type { Transaction } from "../../kernel/db/index.ts";
import type { Invoice } from "../flow/invoice.ts";
import { cut, type Formatted } from "../flow/text.ts";
import type { Screen } from "../messenger.ts";
import type { EngineDeps } from "./deps.ts";

/** Which bot of which workspace. */
export interface BotKey {
  readonly workspaceId: string;
  readonly bot: string;
}

const stored = z.record(z.string(), z.unknown());
const rivalShape = z.object({ flow: z.string(), state: z.string(), data: stored });
export type Rival = z.infer<typeof rivalShape>;

const rowShape = z.object({
  chat_id: z.string(),
  user_id: z.string(),
  language: z.enum(["ru", "en"]),
  flow: z.string().nullable(),
  state: z.string().nullable(),
  data: stored,
  trail: z.array(z.string()),
  rival: rivalShape.nullable(),
  expires_at: z.date().nullable(),
  revision: z.number(),
  live_message_id: z.string().nullable(),
  work_id: z.string().nullable(),
  work_attempts: z.number(),
});

export type Dialogue = z.infer<typeof rowShape>;

/** A message that stays in the chat. */
export type Said = Formatted | { readonly invoice: Invoice };

/** The result of a step. */
export interface Next {
  readonly flow: string | null;
  readonly state: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly trail: readonly string[];
  readonly rival: Rival | null;
  readonly expiresAt: Date | null;
  readonly screen: Screen;
  readonly says: readonly Said[];
  /** Sends a new message instead of editing one. */
  readonly fresh: boolean;
  readonly workId: string | null;
}

/** Locked until the transaction ends, so that two processes never handle one chat at once. */
export async function lockDialogue(
  tx: Transaction,
  { workspaceId, bot }: BotKey,
  chatId: string,
): Promise<Dialogue | undefined> {
  const [row] = await tx`
    select chat_id, user_id, language, flow, state, data, trail, rival, expires_at, revision, live_message_id,
      work_id, work_attempts
    from dialogs.dialogues where workspace_id = ${workspaceId} and bot = ${bot} and chat_id = ${chatId} for update`;
  return row && rowShape.parse(row);
}

export async function saveDialogue<Services>(
  tx: Transaction,
  dialogue: Dialogue,
  next: Next,
  { key: { workspaceId, bot }, messenger: { longestText }, clock }: EngineDeps<Services>,
): Promise<void> {
  const { rows, ...whole } = next.screen;
  const parts = cut(whole, longestText);
  const says = [
    ...next.says.flatMap((said): readonly Said[] => ("invoice" in said ? [said] : cut(said, longestText))),
    ...parts.slice(0, -1),
  ];
  const screen: Screen = { ...(parts.at(-1) ?? whole), rows };
  const fresh = next.fresh || says.length > 0;
  await tx`
    update dialogs.dialogues set
      flow = ${next.flow}, state = ${next.state}, data = ${json(next.data)}::text::jsonb, trail = ${[...next.trail]},
      rival = ${next.rival && json(next.rival)}::text::jsonb, expires_at = ${next.expiresAt},
      language = ${dialogue.language}, revision = ${dialogue.revision + 1},
      -- A screen that was to come as a new message and was overtaken unseen hands that on.
      screen = ${json(screen)}::text::jsonb || jsonb_build_object(
        'fresh', ${fresh}::boolean or (shown_revision < revision and coalesce((screen->>'fresh')::boolean, false))),
      says = dialogues.says || ${json(says)}::text::jsonb,
      work_id = ${next.workId}, work_attempts = case when work_id is not distinct from ${next.workId} then work_attempts else 0 end,
      work_until = case when work_id is not distinct from ${next.workId} then work_until end, updated_at = ${clock.now()}
    where workspace_id = ${workspaceId} and bot = ${bot} and chat_id = ${dialogue.chat_id}`;
}

/**
 * Passed as text, because the driver would encode a JSON parameter a second time; jsonb refuses NUL and lone
 * surrogates.
 */
function json(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === "string" ? storable(inner) : inner));
}

export function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
