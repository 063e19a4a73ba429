import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Mode } from "../plan/modes.ts";
import type { AccountKey } from "../work/governor.ts";
import type { ChatFacts, Facts, PacedAccount } from "./facts.ts";
import { nearBits } from "./fingerprint.ts";
import { freshMemory, type PaceMemory } from "./memory.ts";
import { memoryShape } from "./memory-shape.ts";
import { type PaceChanges, type PaceSettings, settingsOf } from "./settings.ts";

/** An account with everything the governor knows of it. */
export interface KnownAccount {
  readonly account: PacedAccount;
  readonly mode: Mode;
  readonly fixIntervalMinutes: number | null;
  readonly dailyLimit: number;
  readonly timezone: string;
  readonly memory: PaceMemory;
  readonly settings: PaceSettings;
  readonly dayStart: number;
  readonly sends: readonly number[];
}

interface AccountRow {
  readonly connected_at: Date;
  readonly day_start: Date;
  readonly window_minutes: number;
  readonly mode: Mode;
  readonly fix_interval_minutes: number | null;
  readonly daily_limit: number;
  readonly timezone: string;
  readonly memory: unknown;
  readonly account_settings: object;
  readonly workspace_settings: object;
  readonly sends: readonly Date[];
}

/** Nothing for an account that is not there. */
export async function readAccount(
  sql: Sql | Transaction,
  { workspaceId, accountId }: AccountKey,
  now: Date,
): Promise<KnownAccount | undefined> {
  const [row] = await sql<
    AccountRow[]
  >`select * from accounts.pace_account(${workspaceId}, ${accountId}, ${now})`;
  if (!row) return undefined;
  const settings = settingsOf(row.workspace_settings, row.account_settings);
  const dayStart = row.day_start.getTime();
  return {
    account: { connectedAt: row.connected_at.getTime(), windowMinutes: row.window_minutes },
    mode: row.mode,
    fixIntervalMinutes: row.fix_interval_minutes,
    dailyLimit: row.daily_limit,
    timezone: row.timezone,
    memory: row.memory === null ? freshMemory(settings, dayStart) : memoryShape.parse(row.memory),
    settings,
    dayStart,
    sends: row.sends.map((at) => at.getTime()),
  };
}

/** What a message to a chat is decided by. */
export async function readFacts(
  sql: Sql | Transaction,
  key: AccountKey,
  { dayStart, sends }: KnownAccount,
  message: { readonly chatId: string; readonly fingerprint: bigint | undefined },
  now: Date,
): Promise<Facts> {
  const { chatId, fingerprint } = message;
  return {
    now: now.getTime(),
    dayStart,
    sends,
    chat: await readChat(sql, key, chatId, now),
    copies:
      fingerprint === undefined ? { own: [], others: [] } : await readCopies(sql, key, fingerprint, now),
  };
}

async function readChat(
  sql: Sql | Transaction,
  { workspaceId, accountId }: AccountKey,
  chatId: string,
  now: Date,
): Promise<ChatFacts> {
  const [row] = await sql<
    ChatRow[]
  >`select * from accounts.pace_chat(${workspaceId}, ${accountId}, ${chatId}, ${now})`;
  return chatFacts(row);
}

/** The same of many chats. */
export async function readChats(
  sql: Sql | Transaction,
  { workspaceId, accountId }: AccountKey,
  chatIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, ChatFacts>> {
  const rows = await sql<(ChatRow & { chat_id: string })[]>`
    select i.id as chat_id, c.*
    from unnest(${[...chatIds]}::uuid[]) as i (id)
    cross join lateral accounts.pace_chat(${workspaceId}, ${accountId}, i.id, ${now}) c`;
  return new Map(rows.map((row) => [row.chat_id, chatFacts(row)]));
}

interface ChatRow {
  readonly slow_mode_seconds: number;
  readonly slow_mode_until: Date | null;
  readonly last_sent_at: Date | null;
}

function chatFacts(row: ChatRow | undefined): ChatFacts {
  return {
    slowModeSeconds: row?.slow_mode_seconds ?? 0,
    ...(row?.slow_mode_until && { slowUntil: row.slow_mode_until.getTime() }),
    ...(row?.last_sent_at && { lastSentAt: row.last_sent_at.getTime() }),
  };
}

export async function readCopies(
  sql: Sql | Transaction,
  { workspaceId, accountId }: AccountKey,
  fingerprint: bigint,
  now: Date,
): Promise<Facts["copies"]> {
  const [row] = await sql<{ own: Date[]; others: Date[] }[]>`
    select * from accounts.pace_copies(${workspaceId}, ${accountId}, ${String(fingerprint)}, ${nearBits}, ${now})`;
  const timesOf = (dates: readonly Date[] = []) => dates.map((at) => at.getTime());
  return { own: timesOf(row?.own), others: timesOf(row?.others) };
}

/** The same of many texts. */
export async function readCopiesOf(
  sql: Sql | Transaction,
  { workspaceId, accountId }: AccountKey,
  fingerprints: readonly bigint[],
  now: Date,
): Promise<ReadonlyMap<bigint, Facts["copies"]>> {
  const rows = await sql<{ fingerprint: string; own: Date[]; others: Date[] }[]>`
    select f.fingerprint::text as fingerprint, c.own, c.others
    from unnest(${fingerprints.map(String)}::bigint[]) as f (fingerprint)
    cross join lateral accounts.pace_copies(${workspaceId}, ${accountId}, f.fingerprint, ${nearBits}, ${now}) c`;
  const timesOf = (dates: readonly Date[]) => dates.map((at) => at.getTime());
  return new Map(
    rows.map(({ fingerprint, own, others }) => [
      BigInt(fingerprint),
      { own: timesOf(own), others: timesOf(others) },
    ]),
  );
}

export async function lock(
  tx: Transaction,
  { workspaceId, accountId }: AccountKey,
  now: Date,
): Promise<void> {
  await tx`select accounts.pace_lock(${workspaceId}, ${accountId}, ${now})`;
}

export async function remember(
  tx: Transaction,
  { workspaceId, accountId }: AccountKey,
  memory: PaceMemory,
  now: Date,
): Promise<void> {
  await tx`
    select accounts.pace_remember(${workspaceId}, ${accountId}, ${JSON.stringify(memory)}::text::jsonb, ${now})`;
}

export async function noteSent(
  tx: Transaction,
  { workspaceId, accountId }: AccountKey,
  message: { readonly chatId: string; readonly fingerprint: bigint | undefined },
  now: Date,
): Promise<void> {
  const fingerprint = message.fingerprint === undefined ? null : String(message.fingerprint);
  await tx`select accounts.pace_sent(${workspaceId}, ${accountId}, ${message.chatId}, ${fingerprint}, ${now})`;
}

export async function noteSlowChat(
  tx: Transaction,
  { workspaceId, accountId }: AccountKey,
  chatId: string,
  secondsLeft: number,
  now: Date,
): Promise<void> {
  await tx`select accounts.pace_slow_chat(${workspaceId}, ${accountId}, ${chatId}, ${secondsLeft}, ${now})`;
}

export async function writeSettings(
  tx: Transaction,
  { workspaceId, accountId }: AccountKey,
  changes: PaceChanges,
  now: Date,
): Promise<void> {
  await tx`
    select accounts.pace_adjust(${workspaceId}, ${accountId}, ${JSON.stringify(changes)}::text::jsonb, ${now})`;
}
