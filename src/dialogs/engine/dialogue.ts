/** The stored state of a chat. */
import { z } from "zod";
import type { Transaction } from "../../kernel/db/index.ts";
import type { Invoice } from "../flow/invoice.ts";
import type { Source } from "../flow/outgoing.ts";
import { readFlowAddress } from "../flow/screens.ts";
import { cut, type Formatted, type Text } from "../flow/text.ts";
import type { ReplyKeyboard, ScreenButton } from "../messenger.ts";
import { type EngineDeps, later } from "./deps.ts";
import { keepFiles } from "./files.ts";
import type { StoredScreen } from "./render.ts";
import { readUnshown, type Unshown } from "./unshown.ts";

/** Which bot of which workspace. */
export interface BotKey {
  readonly workspaceId: string;
  readonly bot: string;
}

const stored = z.record(z.string(), z.unknown());
const rivalShape = z.union([
  z.object({ flow: z.string(), state: z.string(), data: stored }),
  z.object({ screen: z.string(), argument: z.string().optional(), begins: z.string().optional() }),
  z.object({ back: z.literal(true) }),
]);
/**
 * What a person wants while a flow is under way: another flow, a screen (`begins` is the flow behind an action), or to go back from
 * where it asks first.
 */
export type Rival = z.infer<typeof rivalShape>;

const tapShape = z.object({ message: z.string(), payload: z.string(), at: z.coerce.date() });
export type Tap = z.infer<typeof tapShape>;

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
  at: z.string().nullable(),
  tap_revision: z.number().nullable(),
  keyboard: z.unknown(),
  last_tap: tapShape.nullable(),
  minute_began: z.date().nullable(),
  minute_count: z.number(),
  last_screen: z.string().nullable(),
  showing_until: z.date().nullable(),
});

export type Dialogue = z.infer<typeof rowShape>;

/** A message that stays in the chat. */
export type Said = SaidText | { readonly invoice: Invoice } | SaidFile;

export interface SaidText extends Formatted {
  readonly rows?: readonly (readonly ScreenButton[])[] | undefined;
  readonly keyboard?: ReplyKeyboard | undefined;
}

export type SaidFile =
  | { readonly photo: Source; readonly caption: Formatted }
  | { readonly document: Source; readonly name: string; readonly caption: Formatted }
  | { readonly album: readonly { readonly photo: Source; readonly caption: Formatted }[] };

/** The result of a step. */
export interface Next {
  readonly flow: string | null;
  readonly state: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly trail: readonly string[];
  readonly rival: Rival | null;
  readonly expiresAt: Date | null;
  readonly screen: StoredScreen;
  readonly says: readonly Said[];
  /** Sends a new message instead of editing one. */
  readonly fresh: boolean;
  readonly workId: string | null;
  /** The address of the screen, if no flow is under way. */
  readonly at?: string | null;
  /** A screen or action that is still to be opened; `screen` is then empty. */
  readonly visit?: { readonly notice?: Text | undefined; readonly argument?: string | undefined };
  /** The state was entered, so its preparation is due; `begins`: by beginning its flow. */
  readonly entered?: "begins" | "enters";
  readonly notice?: Text | undefined;
  /** The message to edit, if it is not the live one. */
  readonly edits?: string | undefined;
  /** The new message takes the place of the live one, which is deleted. */
  readonly removesLive?: boolean;
  /** The revision that the buttons carry, if it is an older one. */
  readonly tapRevision?: number;
  readonly tap?: Tap | undefined;
  readonly keyboard?: ReplyKeyboard | undefined;
  /** The flow that was left for a screen and is kept, as it was left. */
  readonly keeps?: Pick<Next, "flow" | "state" | "data" | "trail">;
}

/** Locked until the transaction ends, so that two processes never handle one chat at once. */
export async function lockDialogue(
  tx: Transaction,
  { workspaceId, bot }: BotKey,
  chatId: string,
): Promise<Dialogue | undefined> {
  const [row] = await tx`
    select chat_id, user_id, language, flow, state, data, trail, rival, expires_at, revision, live_message_id,
      work_id, work_attempts, at, tap_revision, keyboard, last_tap, minute_began, minute_count, last_screen,
      showing_until
    from dialogs.dialogues where workspace_id = ${workspaceId} and bot = ${bot} and chat_id = ${chatId} for update`;
  return row && rowShape.parse(row);
}

/** With `shows`, takes the lease of its screen unless another process has it, and returns the screen. */
export async function saveDialogue<Services>(
  tx: Transaction,
  dialogue: Dialogue,
  next: Next,
  {
    key: { workspaceId, bot },
    messenger: { longestText, longestCaption },
    clock,
    newId,
    leaseMs,
  }: EngineDeps<Services>,
  { shows = false }: { readonly shows?: boolean } = {},
): Promise<Unshown | undefined> {
  const { rows, picture, ...whole } = next.screen;
  const parts = cut(whole, longestText);
  const last = parts.at(-1) ?? whole;
  // What is longer than a caption stands below its picture.
  const pictured = picture && last.text.length <= longestCaption && parts.length === 1;
  const says = [
    ...next.says.flatMap((said) => partsOf(said, { longestText, longestCaption })),
    ...parts.slice(0, -1),
    ...(picture && !pictured ? [{ photo: picture, caption: { text: "", marks: [] } }] : []),
  ];
  const screen = { ...last, rows, ...(pictured && { picture }) };
  const fresh = next.fresh || says.length > 0;
  const chat = { workspaceId, bot, chatId: dialogue.chat_id };
  const now = clock.now();
  const stored = await keepFiles({ screen, says }, { tx, chat, newId, now });
  const takes = shows && (dialogue.showing_until === null || dialogue.showing_until <= now);
  const [saved] = await tx`
    update dialogs.dialogues set
      flow = ${next.flow}, state = ${next.state}, data = ${json(next.data)}::text::jsonb, trail = ${[...next.trail]},
      rival = ${next.rival && json(next.rival)}::text::jsonb, expires_at = ${next.expiresAt},
      language = ${dialogue.language}, revision = ${dialogue.revision + 1},
      -- A screen that was to come as a new message and was overtaken unseen hands that on.
      screen = ${json(stored.screen)}::text::jsonb || jsonb_build_object(
        'fresh', ${fresh}::boolean,
        'handed', shown_revision < revision and
          (coalesce((screen->>'fresh')::boolean, false) or coalesce((screen->>'handed')::boolean, false)),
        'removes', ${next.removesLive ?? false}::boolean, 'lasting', ${next.flow === null}::boolean),
      says = dialogues.says || ${json(stored.says)}::text::jsonb,
      at = ${next.at ?? null}, tap_revision = ${next.tapRevision ?? null},
      live_message_id = coalesce(${next.edits ?? null}, live_message_id),
      live_picture = live_picture and ${next.edits === undefined || next.edits === dialogue.live_message_id}::boolean,
      last_screen = coalesce(${next.flow === null && next.at && !readFlowAddress(next.at) ? next.at : null}, last_screen),
      minute_began = ${dialogue.minute_began}, minute_count = ${dialogue.minute_count},
      last_tap = ${next.tap ? json(next.tap) : null}::text::jsonb,
      keyboard = coalesce(${next.keyboard ? json(next.keyboard) : null}::text::jsonb, keyboard),
      work_id = ${next.workId}, work_attempts = case when work_id is not distinct from ${next.workId} then work_attempts else 0 end,
      work_until = case when work_id is not distinct from ${next.workId} then work_until end, updated_at = ${now},
      showing_until = case when ${takes} then ${later(now, leaseMs)}::timestamptz else showing_until end
    where workspace_id = ${workspaceId} and bot = ${bot} and chat_id = ${dialogue.chat_id}
    returning revision, language, screen, says, live_message_id, live_picture, live_screen`;
  return takes && saved ? readUnshown(saved) : undefined;
}

function partsOf(said: Said, limits: { longestText: number; longestCaption: number }): readonly Said[] {
  if ("invoice" in said || "album" in said) return [said];
  if ("text" in said) {
    const { rows, keyboard, ...whole } = said;
    const parts = cut(whole, limits.longestText);
    const last = { ...(parts.at(-1) ?? whole), ...(rows && { rows }), ...(keyboard && { keyboard }) };
    return [...parts.slice(0, -1), last];
  }
  if (said.caption.text.length <= limits.longestCaption) return [said];
  return [{ ...said, caption: { text: "", marks: [] } }, ...cut(said.caption, limits.longestText)];
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
