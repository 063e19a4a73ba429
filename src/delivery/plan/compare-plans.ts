import { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Transaction } from "../../kernel/db/index.ts";
import { inOneChange } from "../admin/change.ts";
import { setFields } from "../admin/channels/change-channels.ts";
import { channelChanges } from "../admin/channels/channel-shape.ts";
import { limitChange } from "../admin/limits/limit-shape.ts";
import { endInTime } from "./in-turn.ts";
import { type PlanDeps, type PlanRange, rangeOf, zoneOf } from "./plan.ts";
import { type Comparison, directions, type Moved, type PlannedDelivery } from "./plan-shape.ts";
import { plannedDeliveries } from "./planned-deliveries.ts";

/** Of the fields of a channel, those that decide when its posts go out. */
export const ifChannel = z
  .strictObject(channelChanges.shape)
  .pick({
    rate_group: true,
    rate_rps: true,
    timezone: true,
    window_mode: true,
    posting_window: true,
    max_age_seconds: true,
    on_stale: true,
    catchup: true,
  })
  .extend({ enabled: z.boolean().optional().describe("true also ends a pause") });

const limitName = z
  .string()
  .regex(/^[^/]{1,100}\/.{1,200}$/u, "Name a limit by its platform and its rate group: telegram/news");

export const changesSchema = z
  .strictObject({
    channels: z.record(z.uuid(), ifChannel).optional().describe("By the channel's whole id"),
    limits: z.record(limitName, limitChange.omit({ reason: true })).optional(),
  })
  .refine(
    ({ channels = {}, limits = {} }) => Object.keys(channels).length + Object.keys(limits).length > 0,
    "Give a channel or a limit to change",
  );
export type IfChanged = z.infer<typeof changesSchema>;

/**
 * Whose time would change with another configuration. The changes are made to a copy of the configuration, in a transaction
 * that is rolled back, so that the database checks them, and nothing real is locked.
 */
export async function comparePlans(
  { sql, clock }: Pick<PlanDeps, "sql" | "clock">,
  workspaceId: string,
  wanted: PlanRange,
  changes: IfChanged,
): Promise<Comparison> {
  const { from, to, now } = rangeOf(clock.now(), wanted);
  const zone = await zoneOf(sql, workspaceId);
  const question = { workspaceId, channelId: wanted.channel_id, to, now };
  const { before, after } = await inOneChange(
    sql,
    async (tx) => {
      await endInTime(tx);
      const before = await plannedDeliveries(tx, question);
      const copyId = await changedCopy(tx, workspaceId, changes, now);
      return { before, after: await plannedDeliveries(tx, question, copyId) };
    },
    { dryRun: true },
  );
  const ends = new Map(after.deliveries.map((each) => [each.id, each]));
  const compared = before.deliveries.map((was) => ({ was, becomes: ends.get(was.id) ?? was }));
  const items = compared.flatMap(({ was, becomes }) => moved(was, becomes));
  const count = (change: Moved["change"]) => items.filter((item) => item.change === change).length;
  const [earlier, later, never, again] = directions.map(count);
  return {
    ...{ at: now, from, to, zone, items },
    truncated: before.truncated,
    counts: {
      ...{ earlier: earlier ?? 0, later: later ?? 0, never: never ?? 0, again: again ?? 0 },
      same: compared.length - items.length,
    },
  };
}

async function changedCopy(
  tx: Transaction,
  workspaceId: string,
  { channels = {}, limits = {} }: IfChanged,
  now: Date,
): Promise<string> {
  const [row] = await tx<[{ id: string }]>`select delivery.copy_for_plan(${workspaceId}, ${now}) as id`;
  for (const [channelId, { enabled, ...fields }] of Object.entries(channels)) {
    const [found] = await tx`
      select from delivery.channels where workspace_id = ${row.id} and channel_id = ${channelId}`;
    if (!found) throw problem("not_found", { detail: `There is no channel ${channelId}.` });
    await setFields(tx, row.id, channelId, fields, now);
    if (enabled !== undefined)
      await tx`
        update delivery.channels
        set enabled = ${enabled}, paused_until = case when ${enabled} then null else paused_until end
        where workspace_id = ${row.id} and channel_id = ${channelId}`;
  }
  for (const [name, { rate_rps }] of Object.entries(limits)) {
    const slash = name.indexOf("/");
    await tx`
      insert into delivery.platform_limits (workspace_id, platform, rate_group, rate_rps)
      values (${row.id}, ${name.slice(0, slash)}, ${name.slice(slash + 1)}, ${rate_rps})
      on conflict (workspace_id, platform, rate_group) do update set rate_rps = excluded.rate_rps`;
  }
  return row.id;
}

/** Less is not worth telling. */
const noticeableMs = 1_000;

function moved(was: PlannedDelivery, becomes: PlannedDelivery): Moved[] {
  const change = directionOf(timeOf(was), timeOf(becomes));
  if (!change) return [];
  const { id, message_id, channel, snippet, status, attempt } = was;
  const fate = ({ fate, at, local, reason }: PlannedDelivery) => ({ fate, at, local, reason });
  return [
    {
      ...{ id, message_id, channel, snippet, status, attempt, change },
      ...{ zone: becomes.zone, before: fate(was), after: fate(becomes) },
    },
  ];
}

/** Undefined if it does not go out. */
function timeOf({ fate, at }: PlannedDelivery): number | undefined {
  if (fate === "later") return Number.POSITIVE_INFINITY;
  return fate === "sent" && at ? at.getTime() : undefined;
}

function directionOf(was: number | undefined, becomes: number | undefined): Moved["change"] | undefined {
  if (was === becomes) return undefined;
  if (becomes === undefined) return "never";
  if (was === undefined) return "again";
  if (Math.abs(becomes - was) < noticeableMs) return undefined;
  return becomes < was ? "earlier" : "later";
}
