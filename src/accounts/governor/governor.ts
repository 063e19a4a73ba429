import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type By, inOneChange, noteChange } from "../../workspaces/index.ts";
import type {
  AccountKey,
  Ahead,
  Forecast,
  Governor,
  GovernorAnswer,
  GovernorReason,
  TextRoom,
} from "../work/governor-contract.ts";
import { roomForText } from "./choose-for-today.ts";
import { type AccountPace, clockTime, lastWarning, paceFrom } from "./describe-pace.ts";
import { distanceBetween, fingerprintFor, nearBits } from "./fingerprint.ts";
import { forecastFrom } from "./forecast.ts";
import { learn, noticedOf } from "./learn.ts";
import { type Decision, maySend } from "./may-send.ts";
import { ceilingOf, gapOf, memoryAt } from "./pace.ts";
import type { PaceMemory } from "./pace-memory.ts";
import { policy } from "./pace-policy.ts";
import { counted, fill, holdReasons, paceReasons, span } from "./pace-reasons.ts";
import { type PaceChanges, paceChangesShape } from "./pace-settings.ts";
import * as store from "./pace-store.ts";
import { countSince, type Facts, weighCopies } from "./send-facts.ts";

export interface GovernorDeps {
  readonly sql: Sql;
  readonly clock: Clock;
}

/** Protects accounts from bans: decides before each message, learns after it, and explains its decisions. */
export interface PaceGovernor extends Governor {
  paceOf(account: AccountKey): Promise<AccountPace>;
  textRooms(account: AccountKey, texts: readonly string[]): Promise<readonly TextRoom[]>;
  forecast(tx: Transaction, account: AccountKey, ahead: Ahead): Promise<Forecast>;
  /** Changes the account's own settings. Throws a ZodError for a value out of bounds. */
  adjust(account: AccountKey, changes: PaceChanges, by: By): Promise<AccountPace>;
}

export function createGovernor({ sql, clock }: GovernorDeps): PaceGovernor {
  return {
    async mayGo(key, chatId, text) {
      const now = clock.now();
      const known = await store.readAccount(sql, key, now);
      if (!known?.settings.enabled) return { go: true };
      const message = { chatId, fingerprint: fingerprintFor(text) };
      const facts = await store.readFacts(sql, key, known, message, now);
      return answerTo(maySend(known.memory, known.account, facts, known.settings), known, facts);
    },

    async noticed(key, chatId, outcome, text) {
      const now = clock.now();
      const noticed = noticedOf(outcome);
      if (noticed.kind === "other") return;
      const { workspaceId, accountId } = key;
      const message = { chatId, fingerprint: fingerprintFor(text) };
      await sql.begin(async (tx) => {
        await tx`select accounts.pace_lock(${workspaceId}, ${accountId}, ${now})`;
        const known = await store.readAccount(tx, key, now);
        if (!known) return;
        const facts = await store.readFacts(tx, key, known, message, now);
        const memory = learn(known.memory, known.account, facts, noticed, known.settings);
        await tx`
          select accounts.pace_remember(${workspaceId}, ${accountId}, ${JSON.stringify(memory)}::text::jsonb, ${now})`;
        if (noticed.kind === "sent") {
          const fingerprint = message.fingerprint === undefined ? null : String(message.fingerprint);
          await tx`select accounts.pace_sent(${workspaceId}, ${accountId}, ${chatId}, ${fingerprint}, ${now})`;
        }
        if (noticed.kind === "slow_mode")
          await tx`
            select accounts.pace_slow_chat(${workspaceId}, ${accountId}, ${chatId}, ${noticed.seconds ?? 0}, ${now})`;
        await noteChanges(tx, key, { before: known.memory, after: memory }, now);
      });
    },

    paceOf: (key) => paceOf({ sql, clock }, key),

    async textRooms(key, texts) {
      const now = clock.now();
      const known = await store.readAccount(sql, key, now);
      if (!known?.settings.enabled) return texts.map((_, index) => ({ key: index, copies: texts.length }));
      const { copies } = memoryAt(known.memory, known.account, known.settings, {
        now: now.getTime(),
        ...known,
      });
      const leaders: bigint[] = [];
      const rooms: TextRoom[] = [];
      const read = new Map<string, TextRoom>();
      for (const text of texts) {
        const room = read.get(text) ?? (await roomOf(text));
        read.set(text, room);
        rooms.push(room);
      }
      return rooms;

      async function roomOf(text: string): Promise<TextRoom> {
        const fingerprint = fingerprintFor(text);
        if (fingerprint === undefined)
          return { key: `without words ${read.size}`, copies: Number.MAX_SAFE_INTEGER };
        const others = (await store.readCopies(sql, key, [fingerprint], now)).get(fingerprint)?.others ?? [];
        const near = leaders.findIndex((one) => distanceBetween(one, fingerprint) <= nearBits);
        return {
          key: near < 0 ? leaders.push(fingerprint) - 1 : near,
          copies: roomForText(copies, others.length, known?.settings.others_weight ?? 0),
        };
      }
    },

    async forecast(tx, key, { messages, others }) {
      const now = clock.now();
      const known = await store.readAccount(tx, key, now);
      if (!known) throw new Error(`there is no account ${key.accountId}`);
      const texts = new Set([...messages, ...others].map(({ text }) => text));
      const fingerprints = new Map([...texts].map((text) => [text, fingerprintFor(text)]));
      const distinct = new Set([...fingerprints.values()].filter((one) => one !== undefined));
      return forecastFrom({
        ...{ known, fingerprints, others },
        chats: await store.readChats(tx, key, [...new Set(messages.map(({ chatId }) => chatId))], now),
        copies: await store.readCopies(tx, key, [...distinct], now),
      });
    },

    async adjust(key, changes, by) {
      const now = clock.now();
      const { workspaceId, accountId } = key;
      const checked = paceChangesShape.parse(changes);
      await inOneChange(sql, async (tx) => {
        await tx`
          select accounts.pace_adjust(${workspaceId}, ${accountId}, ${JSON.stringify(checked)}::text::jsonb, ${now})`;
        const risk = checked.seasoned ? "seasoned" : checked.enabled === false ? "off" : undefined;
        const warning = risk && { warning: paceReasons[risk] };
        const meta = { object: "account_pace", account_id: accountId, changes: checked, ...warning };
        await noteChange(tx, { workspaceId, now, by, meta });
      });
      return paceOf({ sql, clock }, key);
    },
  };
}

async function paceOf({ sql, clock }: GovernorDeps, key: AccountKey): Promise<AccountPace> {
  const now = clock.now();
  const known = await store.readAccount(sql, key, now);
  if (!known) throw new Error(`there is no account ${key.accountId}`);
  return paceFrom(known, now.getTime());
}

function answerTo(decision: Decision, known: store.KnownAccount, facts: Facts): GovernorAnswer {
  if (decision.go) return decision;
  return { go: false, until: new Date(decision.until), reason: reasonOf(decision, known, facts) };
}

function reasonOf(
  { code, until }: Extract<Decision, { go: false }>,
  { memory: remembered, account, settings, timezone }: store.KnownAccount,
  facts: Facts,
): GovernorReason {
  const memory = memoryAt(remembered, account, settings, facts);
  const ceiling = ceilingOf(memory, account, settings, facts.now);
  const words = fill(holdReasons[code], {
    until: clockTime(until, timezone),
    warning: lastWarning(memory),
    sent: countSince(facts.sends, facts.dayStart - 1),
    ceiling,
    gap: span(Math.max(60, gapOf(ceiling, account, settings) / 1000)),
    copies: counted("intoChats", Math.round(weighCopies(facts, settings.others_weight, policy.day))),
    most: Math.max(1, Math.floor(memory.copies)),
  });
  return { code, ...words };
}

/** Writes an event when the account slows down, stops or resumes. */
async function noteChanges(
  tx: Transaction,
  { workspaceId, accountId }: AccountKey,
  { before, after }: { before: PaceMemory; after: PaceMemory },
  now: Date,
): Promise<void> {
  const warning = after.warnings.length > before.warnings.length ? after.warnings.at(-1) : undefined;
  const note = (action: string, meta: object) => tx`
    select accounts.note(${workspaceId}, ${action}, ${accountId}, null::accounts.queue, null,
      ${JSON.stringify(meta)}::text::jsonb, ${now})`;
  if (warning?.counts)
    await note("account_slowed", {
      code: warning.code,
      seconds: warning.seconds,
      per_day: Math.floor(after.perDay),
      copies: Math.floor(after.copies),
    });
  if (after.breaker.state === "open" && before.breaker.state !== "open")
    await note("account_resting", {
      code: warning?.code,
      until: new Date(after.breaker.until),
      hours: after.breaker.hours,
    });
  if (after.breaker.state === "closed" && before.breaker.state !== "closed")
    await note("account_trusted_again", {});
}
