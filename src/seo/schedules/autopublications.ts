/** Slots that have fired: rows, their keys, and the changes that processes make to them. */
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { ScheduleKey, Slot } from "./driver.ts";

/** A row of `seo.autopublications`. */
export interface Autopublication extends Slot {
  readonly userId: number;
  readonly state: "waiting" | "generating" | "publishing" | "published" | "skipped" | "failed" | "missed";
  readonly phase: "lead" | "cross";
  readonly attempt: number;
  readonly tries: number;
  readonly dueAt: Date;
  readonly token: string | null;
  readonly runId: string | null;
  readonly reason: string | null;
}

export const columns = (sql: Sql | Transaction) => sql`
  a.workspace_id as "workspaceId", a.schedule_id as "scheduleId", a.local_date::text as "localDate", a.slot, a.user_id as "userId",
  a.state, a.phase, a.attempt, a.tries, a.due_at as "dueAt", a.token, a.run_id as "runId", a.reason`;

/** `and` of the key columns of `a`. */
export const isSlot = (sql: Sql | Transaction, { workspaceId, scheduleId, localDate, slot }: Slot) => sql`
  a.workspace_id = ${workspaceId} and a.schedule_id = ${scheduleId} and a.local_date = ${localDate}::text::date and a.slot = ${slot}`;

export async function readAutopublication(
  sql: Sql | Transaction,
  slot: Slot,
): Promise<Autopublication | undefined> {
  const [row] = await sql<Autopublication[]>`
    select ${columns(sql)} from seo.autopublications a where ${isSlot(sql, slot)}`;
  return row;
}

/** The same, for a transaction that ends it. Undefined if it has ended or is gone. */
export async function lockUnended(tx: Transaction, slot: Slot): Promise<Autopublication | undefined> {
  const [row] = await tx<Autopublication[]>`
    select ${columns(tx)} from seo.autopublications a
    where ${isSlot(tx, slot)} and a.state in ('waiting', 'generating', 'publishing')
    for update`;
  return row;
}

/** Why the last slot of a schedule ended as it did. */
export async function lastReason(
  sql: Sql | Transaction,
  { workspaceId, scheduleId }: ScheduleKey,
): Promise<string | null> {
  const [last] = await sql<{ reason: string | null }[]>`
    select a.reason from seo.autopublications a
    where a.workspace_id = ${workspaceId} and a.schedule_id = ${scheduleId} and a.ended_at is not null
    order by a.ended_at desc limit 1`;
  return last?.reason ?? null;
}

/** Puts it off; whoever is free takes it up then. */
export async function putOff(
  tx: Sql | Transaction,
  slot: Autopublication,
  { notBefore, attempt = slot.attempt, tries = slot.tries, phase = slot.phase }: Later,
): Promise<void> {
  await tx`
    update seo.autopublications a
    set state = 'waiting', token = null, leased_until = null, not_before = ${notBefore}, attempt = ${attempt}, tries = ${tries},
      phase = ${phase}, run_id = case when ${attempt === slot.attempt} then a.run_id end
    where ${isSlot(tx, slot)}`;
  await tx`select pg_notify('seo_autopublications', '')`;
}

interface Later {
  readonly notBefore: Date;
  /** Another attempt is another run. */
  readonly attempt?: number;
  readonly tries?: number;
  readonly phase?: Autopublication["phase"];
}

/** Its text is written: a delivery carries it. */
export async function waitForDelivery(tx: Sql | Transaction, slot: Slot): Promise<void> {
  await tx`
    update seo.autopublications a set state = 'publishing', token = null, leased_until = null where ${isSlot(tx, slot)}`;
  await tx`select pg_notify('seo_autopublications', '')`;
}

export async function endAutopublication(
  tx: Sql | Transaction,
  slot: Slot,
  { state, reason }: { readonly state: "published" | "skipped" | "failed"; readonly reason: string | null },
  now: Date,
): Promise<void> {
  await tx`
    update seo.autopublications a
    set state = ${state}, reason = ${reason}, token = null, leased_until = null, ended_at = ${now}
    where ${isSlot(tx, slot)}`;
  await tx`select pg_notify('seo_autopublications', '')`;
}

/** What its runs have in common: by it, an end finds its slot. `schedule/12/2026-11-18/10:00/0`, and `…/cross/7` to a connection. */
export function requestKeyOf({ scheduleId, localDate, slot, attempt }: Autopublication, to?: number): string {
  const lead = `schedule/${scheduleId}/${localDate}/${slot}/${attempt}`;
  return to === undefined ? lead : `${lead}/cross/${to}`;
}

const keyPattern = /^schedule\/(\d+)\/(\d{4}-\d{2}-\d{2})\/(\d{2}:\d{2})\/(\d+)(?:\/cross\/(\d+))?$/;

export function slotOfKey(
  workspaceId: string,
  requestKey: string,
): { readonly slot: Slot; readonly attempt: number; readonly isCross: boolean } | undefined {
  const [, schedule, localDate, time, attempt, to] = keyPattern.exec(requestKey) ?? [];
  if (localDate === undefined || time === undefined) return undefined;
  const slot = { workspaceId, scheduleId: Number(schedule), localDate, slot: time };
  return { slot, attempt: Number(attempt), isCross: to !== undefined };
}
