/** Ends a slot: its row, its schedule, and what the person reads, in one transaction. */
import { createLedger } from "../../billing/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Transaction } from "../../kernel/db/index.ts";
import type { Said } from "../said.ts";
import { type Autopublication, endAutopublication, putOff, requestKeyOf } from "./autopublications.ts";
import { type EndName, ends, isPassing, mostAttempts, mostErrors, pauses } from "./ends.ts";
import type { Crossed, Published, TellNews } from "./news.ts";
import { readScheduledPlace, type ScheduledPlace } from "./scheduled-place.ts";

export interface ConcludeDeps {
  readonly clock: Clock;
  readonly tell: TellNews;
  /** Those who pay nothing. */
  readonly admins: readonly number[];
}

export interface EndFacts {
  readonly said?: Said | undefined;
  readonly needed?: number | undefined;
  readonly balance?: number | undefined;
  readonly isReturned?: boolean;
}

/** Nothing was published. If that may pass by itself, it is tried again in an hour. */
export async function concludeWithout(
  { clock, tell }: ConcludeDeps,
  tx: Transaction,
  slot: Autopublication,
  name: EndName,
  { isReturned = false, ...facts }: EndFacts = {},
): Promise<void> {
  const now = clock.now();
  const place = await readScheduledPlace(tx, slot);
  if (!place) return;
  if (isPassing(name) && slot.attempt + 1 < mostAttempts) {
    await putOff(tx, slot, {
      ...{ notBefore: new Date(now.getTime() + pauses.hourlyMs), attempt: slot.attempt + 1, tries: 0 },
    });
    if (place.wantsReports) await tell(tx, { slot, place, kind: "later", name }, now);
    return;
  }
  const { state, schedule, told } = ends[name];
  const isGivenUp = schedule === "error" && place.errors + 1 >= mostErrors && place.enabled;
  await endAutopublication(tx, slot, { state, reason: name }, now);
  if (schedule === "off") await switchOff(tx, place, now);
  if (schedule === "error") await countError(tx, place, isGivenUp, now);
  if (schedule === "marked") await mark(tx, place);
  if (told === "always" || (told === "wanted" && place.wantsReports))
    await tell(tx, { slot, place, kind: "ended", name, isReturned, isGivenUp, ...facts }, now);
}

/** The lead is out. Adaptations come before the report. */
export async function concludeLead(
  deps: ConcludeDeps,
  tx: Transaction,
  slot: Autopublication,
): Promise<void> {
  const now = deps.clock.now();
  const place = await readScheduledPlace(tx, slot);
  if (!place) return;
  await tx`
    update seo.platform_schedules set last_post_at = ${now}, errors = 0, status = 'active'
    where workspace_id = ${slot.workspaceId} and id = ${slot.scheduleId}`;
  if (place.crossTo.length > 0) await putOff(tx, slot, { notBefore: now, tries: 0, phase: "cross" });
  else await report(deps, tx, slot, place, []);
}

/** All of it has ended: the one report. */
export async function report(
  { clock, tell, admins }: ConcludeDeps,
  tx: Transaction,
  slot: Autopublication,
  place: ScheduledPlace,
  crossed: readonly Crossed[],
): Promise<void> {
  const now = clock.now();
  const { workspaceId, userId } = slot;
  await endAutopublication(tx, slot, { state: "published", reason: null }, now);
  if (!place.wantsReports) return;
  const [lead] = await tx<{ url: string | null; warnings: Published["warnings"] | null }[]>`
    select r.result ->> 'post_url' as url, r.result -> 'warnings' as warnings from seo.runs r
    where r.workspace_id = ${workspaceId} and r.id = ${slot.runId}`;
  const [{ tokens }] = await tx<[{ tokens: number }]>`
    select coalesce(sum(h.amount), 0)::int as tokens from billing.holds h
    join seo.runs r on r.workspace_id = h.workspace_id and r.id::text = h.run
    where h.workspace_id = ${workspaceId} and h.state <> 'returned' and r.user_id = ${userId}
      and (r.request_key = ${requestKeyOf(slot)} or starts_with(r.request_key, ${`${requestKeyOf(slot)}/cross/`}))`;
  const balance = (await createLedger(tx, clock).balance(workspaceId, userId)) ?? 0;
  const warnings = lead?.warnings ?? [];
  const isFree = admins.includes(userId);
  await tell(
    tx,
    {
      slot,
      place,
      kind: "published",
      url: lead?.url ?? undefined,
      tokens,
      balance,
      isFree,
      warnings,
      crossed,
    },
    now,
  );
}

async function switchOff(tx: Transaction, { workspaceId, scheduleId }: ScheduledPlace, now: Date) {
  await tx`
    update seo.platform_schedules set enabled = false, changed_at = ${now}
    where workspace_id = ${workspaceId} and id = ${scheduleId}`;
}

async function mark(tx: Transaction, { workspaceId, scheduleId }: ScheduledPlace) {
  await tx`
    update seo.platform_schedules set status = 'error'
    where workspace_id = ${workspaceId} and id = ${scheduleId}`;
}

async function countError(tx: Transaction, place: ScheduledPlace, isGivenUp: boolean, now: Date) {
  await tx`
    update seo.platform_schedules set errors = errors + 1, status = 'error'
    where workspace_id = ${place.workspaceId} and id = ${place.scheduleId}`;
  if (isGivenUp) await switchOff(tx, place, now);
}
