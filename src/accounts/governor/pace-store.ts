import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Mode } from "../plan/modes.ts";
import type { AccountKey } from "../work/governor-contract.ts";
import { nearBits } from "./fingerprint.ts";
import { freshMemory, memoryShape } from "./pace-memory.ts";
import { settingsOf } from "./pace-settings.ts";
import type { ChatFacts, Facts } from "./send-facts.ts";

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

/** An account with everything the governor knows about it; undefined if it does not exist. */
export async function readAccount(sql: Sql | Transaction, { workspaceId, accountId }: AccountKey, now: Date) {
  const [row] = await sql<AccountRow[]>`
    select * from accounts.pace_account(${workspaceId}, ${accountId}, ${now})`;
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
export type KnownAccount = NonNullable<Awaited<ReturnType<typeof readAccount>>>;

/** The facts on which the decision about a message is based. */
export async function readFacts(
  sql: Sql | Transaction,
  key: AccountKey,
  { dayStart, sends }: KnownAccount,
  { chatId, fingerprint }: { readonly chatId: string; readonly fingerprint: bigint | undefined },
  now: Date,
): Promise<Facts> {
  const chats = await readChats(sql, key, [chatId], now);
  const copies = fingerprint === undefined ? undefined : await readCopies(sql, key, [fingerprint], now);
  return {
    ...{ now: now.getTime(), dayStart, sends, chat: chats.get(chatId) ?? { slowModeSeconds: 0 } },
    copies: (fingerprint !== undefined && copies?.get(fingerprint)) || { own: [], others: [] },
  };
}

export async function readChats(
  sql: Sql | Transaction,
  { workspaceId, accountId }: AccountKey,
  chatIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, ChatFacts>> {
  const rows = await sql<
    { id: string; slow_mode_seconds: number; slow_mode_until: Date | null; last_sent_at: Date | null }[]
  >`
    select i.id, c.*
    from unnest(${[...chatIds]}::uuid[]) as i (id)
    cross join lateral accounts.pace_chat(${workspaceId}, ${accountId}, i.id, ${now}) c`;
  return new Map(
    rows.map(({ id, slow_mode_seconds, slow_mode_until, last_sent_at }) => [
      id,
      {
        slowModeSeconds: slow_mode_seconds,
        ...(slow_mode_until && { slowUntil: slow_mode_until.getTime() }),
        ...(last_sent_at && { lastSentAt: last_sent_at.getTime() }),
      },
    ]),
  );
}

/** Messages of the last day that are near-identical to each of these texts. */
export async function readCopies(
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
    rows.map((row) => [BigInt(row.fingerprint), { own: timesOf(row.own), others: timesOf(row.others) }]),
  );
}
