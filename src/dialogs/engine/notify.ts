/** Tells a person about something that happened outside the dialog, in the order of the chat's updates. */
import { createHash } from "node:crypto";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Both } from "../flow/flow.ts";
import type { ScreenKey } from "../flow/screens.ts";
import type { ScreenButton } from "../messenger.ts";
import type { BotKey } from "./dialogue.ts";
import { noteOf } from "./inbox.ts";

export interface Notice {
  readonly chatId: string;
  /** A notice with the same id is sent once, however often it is requested. */
  readonly id: string;
  /** The event name in flows; a flow without it shows its screen again below the message. */
  readonly name: string;
  readonly say: Both;
  readonly facts?: Readonly<Record<string, unknown>>;
  /** Buttons below the message; like all buttons of screens they work for ever. */
  readonly keys?: Both<NoticeKeys>;
  /** Asked below it if one of these flows was left and can be resumed. No leads home, and the flow stays kept. */
  readonly resume?: {
    readonly flows: readonly string[];
    readonly ask: Both;
    readonly yes: Both;
    readonly no: Both;
  };
  /** Whoever looks at a screen whose address begins with `from` finds the screen `to` below the message: the first has served. */
  readonly leads?: { readonly from: string; readonly to: string };
}

export type NoticeKeys = readonly (readonly ScreenKey[])[];

/** Sent by any process that runs the bot, soon after the commit. */
export async function notify(
  sql: Sql | Transaction,
  key: BotKey,
  { chatId, id, name, say, facts = {}, keys, resume, leads }: Notice,
  now: Date,
): Promise<void> {
  const rows = keys && { ru: buttonsOf(keys.ru), en: buttonsOf(keys.en) };
  await deliver(
    sql,
    key,
    { chatId, id, body: { kind: "event", name, say, facts, rows, resume, leads } },
    now,
  );
}

function buttonsOf(keys: NoticeKeys): ScreenButton[][] {
  return keys.map((row) =>
    row.map(({ label, style, ...does }) => ({
      ...{ label, style },
      ...("to" in does ? { payload: does.to } : does),
    })),
  );
}

export interface Wake {
  readonly chatId: string;
  /** A wake with the same id counts once. */
  readonly id: string;
  /** What the state waits on. */
  readonly on: string;
  readonly outcome: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

/**
 * Ends a wait, soon after the commit. Whoever has left the flow for something else is told; nothing happens where nobody
 * waits.
 */
export async function wake(
  sql: Sql | Transaction,
  key: BotKey,
  { chatId, id, on, outcome, facts = {} }: Wake,
  now: Date,
): Promise<void> {
  await deliver(sql, key, { chatId, id: `wake ${id}`, body: { kind: "wake", on, outcome, facts } }, now);
}

async function deliver(
  sql: Sql | Transaction,
  key: BotKey,
  { chatId, id, body: event }: { readonly chatId: string; readonly id: string; readonly body: object },
  now: Date,
): Promise<void> {
  const { workspaceId, bot } = key;
  const number = numberOf(id);
  const body = JSON.stringify({ id: number, chatId, userId: chatId, language: "ru", ...event });
  await sql`
    insert into dialogs.dialogues (workspace_id, bot, chat_id, user_id, language)
    values (${workspaceId}, ${bot}, ${chatId}, ${chatId}, 'ru')
    on conflict (workspace_id, bot, chat_id) do nothing`;
  await sql`
    insert into dialogs.inbox (workspace_id, bot, update_id, chat_id, body, received_at)
    values (${workspaceId}, ${bot}, ${number}, ${chatId}, ${body}::text::jsonb, ${now})
    on conflict (workspace_id, bot, update_id) do nothing`;
  await sql`select pg_notify('molva_dialogs', ${noteOf(key)})`;
}

/** Negative: messengers use positive numbers, and a notice comes before waiting updates. */
function numberOf(id: string): number {
  return -1 - createHash("sha256").update(id).digest().readUIntBE(0, 6);
}
