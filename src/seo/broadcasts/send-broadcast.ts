/**
 * Sends a broadcast: at most twenty messages a second in a workspace, nobody twice. A recipient is marked before the message leaves,
 * so what a lost process was sending is counted as unknown and not repeated.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Language, type TelegramApi, wake } from "../../dialogs/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { messageOf } from "../../kernel/errors/index.ts";
import { defineTask, enqueue, type Task, type TaskContext } from "../../kernel/jobs/index.ts";
import { type BroadcastJob, type BroadcastKind, keyOf } from "./broadcasts.ts";
import { buttonOf } from "./buttons.ts";
import { createPace, perSecond, systemTimer, type Timer } from "./pace.ts";

export interface BroadcastDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly bot: string;
  /** The bot of a workspace. */
  api(workspaceId: string): TelegramApi;
  /** A process that does not renew its lease for so long is gone. */
  readonly leaseMs?: number;
  readonly timer?: Timer;
}

const usualLeaseMs = 30_000;
/** Twice as long after each fault with the same person. */
const afterFault = { ms: 5_000, longestMs: 60_000 } as const;
/** Telegram fails on some people for good: they are given up after so many tries, or a broadcast would never end. */
const mostFaults = 5;
/** Answers that are waited for at a time: three seconds of messages. */
const mostOnTheirWay = 3 * perSecond;

export function broadcastTask(deps: BroadcastDeps): Task<BroadcastJob> {
  const task = defineTask<BroadcastJob>({
    name: "seo.broadcast",
    schema: z.object({ workspace_id: z.uuid(), broadcast_id: z.int() }),
    async run({ workspace_id: workspaceId, broadcast_id: id }, context) {
      await sendBroadcast(deps, { workspaceId, id }, context);
      // The next one of the workspace waits for this one.
      await recoverBroadcasts(deps, task);
    },
  });
  return task;
}

/** Enqueues broadcasts again that nobody sends: their process is gone, or another one of the workspace was being sent. */
export async function recoverBroadcasts(
  { sql, clock }: Pick<BroadcastDeps, "sql" | "clock">,
  task: Task<BroadcastJob>,
): Promise<void> {
  const rows = await sql<BroadcastJob[]>`
    select distinct on (b.workspace_id) b.workspace_id, b.id as broadcast_id from seo.broadcasts b
    where b.status = 'sending' and not exists (
      select from seo.broadcasts o
      where o.workspace_id = b.workspace_id and o.status = 'sending' and o.leased_until >= ${clock.now()})
    order by b.workspace_id, b.id`;
  for (const job of rows) await enqueue(sql, task, job, { key: keyOf(job.workspace_id, job.broadcast_id) });
}

interface Key {
  readonly workspaceId: string;
  readonly id: number;
}

async function sendBroadcast(
  deps: BroadcastDeps,
  key: Key,
  { signal, log }: Pick<TaskContext, "signal" | "log">,
): Promise<void> {
  const token = randomUUID();
  const mail = await takeLease(deps, key, token);
  if (mail === undefined) return;
  // Telegram may ask for a long wait, or take its time.
  const { leaseMs = usualLeaseMs } = deps;
  const beat = setInterval(() => {
    renew(deps, key, token).catch((error: unknown) =>
      log.warn({ reason: messageOf(error) }, "the lease of a broadcast could not be renewed"),
    );
  }, leaseMs / 3);
  try {
    await sendAll(deps, { ...key, token }, mail, signal);
  } finally {
    clearInterval(beat);
  }
}

async function sendAll(
  deps: BroadcastDeps,
  { token, ...key }: Key & { readonly token: string },
  mail: Mail,
  signal: AbortSignal,
): Promise<void> {
  const api = deps.api(key.workspaceId);
  const pace = createPace(deps.timer ?? systemTimer);
  /** By their place. */
  const onTheirWay = new Map<number, Promise<void>>();
  const arrived = () => Promise.all(onTheirWay.values());
  /** How often Telegram failed, by place; whom it failed on comes after all others. */
  const faults = new Map<number, number>();
  for (;;) {
    const away = [...onTheirWay.keys()];
    const batch = await next(deps, key, token, { away, putOff: [...faults.keys()] });
    if (batch === "over") break;
    if (batch.length === 0) {
      // Judged by who was away when it was asked: one that has come back meanwhile may have to be sent again.
      if (away.length === 0) return end(deps, key, token);
      await arrived();
      continue;
    }
    for (const recipient of batch) {
      if (!(await pace.turn(signal))) {
        await arrived();
        return leave(deps, key, token);
      }
      if (!(await take(deps, { ...key, token }, recipient))) continue;
      pace.leave();
      const sending = send(deps, key, api, mail, recipient, faults).then((waitMs) => {
        if (waitMs > 0) pace.hold(waitMs);
        onTheirWay.delete(recipient.place);
      });
      // Whoever waits for it hears of an error, which may be later.
      sending.catch(() => {});
      onTheirWay.set(recipient.place, sending);
      while (onTheirWay.size >= mostOnTheirWay) await Promise.race(onTheirWay.values());
    }
  }
  await arrived();
}

/** False if the lease was lost or the broadcast was stopped. */
async function renew(
  { sql, clock, leaseMs = usualLeaseMs }: BroadcastDeps,
  { workspaceId, id }: Key,
  token: string,
): Promise<boolean> {
  const held = await sql`
    update seo.broadcasts set leased_until = ${after(clock.now(), leaseMs)}
    where workspace_id = ${workspaceId} and id = ${id} and status = 'sending' and token = ${token} returning id`;
  return held.length > 0;
}

/** The process has to stop: another one goes on at once. */
async function leave({ sql }: BroadcastDeps, { workspaceId, id }: Key, token: string): Promise<void> {
  await sql`
    update seo.broadcasts set token = null, leased_until = null
    where workspace_id = ${workspaceId} and id = ${id} and token = ${token}`;
}

interface Mail {
  readonly kind: BroadcastKind;
  /** Null if every recipient has a text of their own. */
  readonly text: string | null;
}

/** Undefined if it has ended, somebody else sends it, or another one of the workspace is being sent. */
async function takeLease(
  { sql, clock, leaseMs = usualLeaseMs }: BroadcastDeps,
  { workspaceId, id }: Key,
  token: string,
): Promise<Mail | undefined> {
  const now = clock.now();
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`seo.broadcasts/${workspaceId}`}, 0))`;
    const [row] = await tx<Mail[]>`
      update seo.broadcasts set token = ${token}, leased_until = ${after(now, leaseMs)}
      where workspace_id = ${workspaceId} and id = ${id} and status = 'sending'
        and not exists (
          select from seo.broadcasts o
          where o.workspace_id = ${workspaceId} and o.status = 'sending' and o.leased_until >= ${now})
      returning kind, text`;
    if (!row) return undefined;
    await tx`
      update seo.broadcast_recipients set status = 'unknown', error = 'the process was lost'
      where workspace_id = ${workspaceId} and broadcast_id = ${id} and status = 'sending'`;
    return row;
  });
}

interface Recipient {
  readonly place: number;
  readonly user_id: number;
  readonly text: string | null;
  readonly language: Language;
}

/**
 * The next recipients, but for those who are away, and those who are put off when nobody else is left; `over` if the lease was lost
 * or the broadcast was stopped.
 */
async function next(
  deps: BroadcastDeps,
  key: Key,
  token: string,
  { away, putOff }: { readonly away: readonly number[]; readonly putOff: readonly number[] },
): Promise<readonly Recipient[] | "over"> {
  if (!(await renew(deps, key, token))) return "over";
  const others = await waiting(deps, key, [...away, ...putOff]);
  return others.length > 0 || putOff.length === 0 ? others : waiting(deps, key, away);
}

function waiting({ sql }: BroadcastDeps, { workspaceId, id }: Key, without: readonly number[]) {
  // Uses recipients_left.
  return sql<Recipient[]>`
    select r.place, r.user_id, r.text, case u.language when 'en' then 'en' else 'ru' end as language
    from seo.broadcast_recipients r left join seo.users u on u.workspace_id = r.workspace_id and u.id = r.user_id
    where r.workspace_id = ${workspaceId} and r.broadcast_id = ${id} and r.status = 'waiting' and r.status in ('waiting', 'sending')
      and r.place <> all(${[...without]})
    order by r.place limit ${perSecond}`;
}

type Result = {
  readonly status: "waiting" | "sent" | "blocked" | "failed" | "unknown";
  readonly error?: string;
};

/** False if it was stopped, or a process that has taken over was faster. */
async function take(
  { sql }: BroadcastDeps,
  { workspaceId, id, token }: Key & { readonly token: string },
  { place }: Recipient,
): Promise<boolean> {
  const taken = await sql`
    update seo.broadcast_recipients set status = 'sending'
    where workspace_id = ${workspaceId} and broadcast_id = ${id} and place = ${place} and status = 'waiting'
      and exists (
        select from seo.broadcasts b
        where b.workspace_id = ${workspaceId} and b.id = ${id} and b.status = 'sending' and b.token = ${token})
    returning place`;
  return taken.length > 0;
}

/** Returns how long to wait before the next messages. */
async function send(
  { sql, clock }: BroadcastDeps,
  { workspaceId, id }: Key,
  api: TelegramApi,
  mail: Mail,
  { place, user_id: userId, text, language }: Recipient,
  faults: Map<number, number>,
): Promise<number> {
  const button = buttonOf(mail.kind, language);
  const answer = await api.call((telegram) =>
    telegram.sendMessage(userId, text ?? mail.text ?? "", {
      link_preview_options: { is_disabled: true },
      ...(button && { reply_markup: { inline_keyboard: [[button]] } }),
    }),
  );
  if (isFault(answer)) faults.set(place, (faults.get(place) ?? 0) + 1);
  const failed = faults.get(place) ?? 0;
  const { status, error } = resultOf(answer, failed);
  await sql`
    update seo.broadcast_recipients set status = ${status}, error = ${error ?? null}
    where workspace_id = ${workspaceId} and broadcast_id = ${id} and place = ${place} and status = 'sending'`;
  if (status === "blocked")
    await sql`
      update seo.users set blocked_at = ${clock.now()}
      where workspace_id = ${workspaceId} and id = ${userId} and blocked_at is null`;
  if (status !== "waiting") return 0;
  const usualMs = Math.min(afterFault.ms * 2 ** Math.max(failed - 1, 0), afterFault.longestMs);
  return (answer.kind === "refused" ? answer.retryAfterMs : undefined) ?? usualMs;
}

type Heard = Awaited<ReturnType<TelegramApi["call"]>>;

/** Trouble at Telegram, which may concern this person only. */
const isFault = (answer: Heard) => answer.kind === "refused" && answer.code >= 500;

function resultOf(answer: Heard, faults: number): Result {
  if (answer.kind === "ok") return { status: "sent" };
  if (answer.kind === "unheard")
    return { status: answer.mayHaveArrived ? "unknown" : "waiting", error: answer.reason };
  const { code, description: error } = answer;
  if (code === 403) return { status: "blocked", error };
  if (isFault(answer) && faults >= mostFaults) return { status: "failed", error };
  // Too fast, a token that is being replaced, trouble at Telegram: nothing was sent.
  if (code === 429 || code === 401 || code >= 500) return { status: "waiting", error };
  return { status: "failed", error };
}

async function end(
  { sql, clock, bot }: BroadcastDeps,
  { workspaceId, id }: Key,
  token: string,
): Promise<void> {
  const now = clock.now();
  await sql.begin(async (tx) => {
    const [ended] = await tx<{ by_user: number | null }[]>`
      update seo.broadcasts set status = 'done', ended_at = ${now}, token = null, leased_until = null
      where workspace_id = ${workspaceId} and id = ${id} and status = 'sending' and token = ${token}
      returning by_user`;
    if (!ended || ended.by_user === null) return;
    const event = {
      chatId: String(ended.by_user),
      id: `broadcast ${id}`,
      on: broadcastKey(id),
      outcome: "done",
    };
    await wake(tx, { workspaceId, bot }, event, now);
  });
}

/** What the administrator's chat waits on. */
export const broadcastKey = (id: number) => `broadcast:${id}`;

const after = (time: Date, ms: number) => new Date(time.getTime() + ms);
