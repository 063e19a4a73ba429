import { problem } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import { type Sql, within } from "../../kernel/db/index.ts";
import type { Planned, PlanSource } from "../../workspaces/index.ts";
import { endInTime } from "./in-turn.ts";
import { localTime } from "./local-time.ts";
import { mostPlanned, type Plan, type PlanEntry, type PlannedDelivery, planDays } from "./plan-shape.ts";
import { heldDeliveries, mostStanding, plannedDeliveries } from "./planned-deliveries.ts";

export interface PlanDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  /** What products publish by themselves. */
  readonly sources: readonly PlanSource[];
}

export interface PlanRange {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly channel_id?: string | undefined;
}

const dayMs = 86_400_000;

/** What goes out where and when, if every send succeeds and nothing new comes in. */
export async function makePlan(deps: PlanDeps, workspaceId: string, wanted: PlanRange): Promise<Plan> {
  const { sql, sources } = deps;
  const { from, to, now } = rangeOf(deps.clock.now(), wanted);
  const channelId = wanted.channel_id;
  const question = { workspaceId, channelId, from, to, now, limit: mostPlanned };
  const [{ deliveries, truncated }, { held, count }, zone, ...planned] = await Promise.all([
    sql.begin("read only", async (raw) => {
      const tx = within(raw);
      await endInTime(tx);
      return plannedDeliveries(tx, question);
    }),
    heldDeliveries(sql, workspaceId, channelId),
    zoneOf(sql, workspaceId),
    ...sources.map((source) => source(sql, question)),
  ]);
  const stopped = deliveries.filter(({ fate }) => fate === "stopped");
  const items = [...deliveries.flatMap(entryOf), ...planned.flat().map(withLocal)]
    .filter(({ at }) => at >= from && at <= to)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return {
    ...{ at: now, from, to, zone, items, held },
    truncated: truncated || planned.some((some) => some.length >= mostPlanned),
    stopped: stopped.slice(0, mostStanding),
    counts: {
      items: items.length,
      later: deliveries.filter(({ fate }) => fate === "later").length,
      stopped: stopped.length,
      held: count,
    },
  };
}

/** The range that was asked for, or the usual one; throws for one that cannot be planned. */
export function rangeOf(now: Date, { from = now, to }: PlanRange): { from: Date; to: Date; now: Date } {
  const end = to ?? new Date(from.getTime() + planDays.usual * dayMs);
  const refuse = (pointer: string, detail: string) =>
    problem("invalid_request", {
      detail: `${pointer.slice(1)}: ${detail}`,
      errors: [{ pointer, detail }],
    });
  if (end <= from) throw refuse("/to", "Give a time after `from`.");
  if (end <= now) throw refuse("/to", "Give a time in the future: a plan does not show what was sent.");
  if (end.getTime() - from.getTime() > planDays.most * dayMs)
    throw refuse("/to", `A plan covers ${planDays.most} days at most; give an earlier time.`);
  if (end.getTime() - now.getTime() > 366 * dayMs)
    throw refuse("/to", "A plan reaches a year ahead at most; give an earlier time.");
  return { from, to: end, now };
}

export async function zoneOf(sql: Sql, workspaceId: string): Promise<string> {
  const [row] = await sql<[{ timezone: string }]>`
    select timezone from workspaces.workspaces where workspace_id = ${workspaceId}`;
  return row.timezone;
}

const notes = {
  dropped: "It will be too old for its channel, and is dropped",
  held: "It will be too old for its channel, and is held for a person",
} as const;

function entryOf(planned: PlannedDelivery): PlanEntry[] {
  const { id, at, local, zone, channel, snippet, message_id, status, attempt, fate, reason, due_at } =
    planned;
  if (!at || !local) return [];
  return [
    {
      ...{ kind: "delivery", id, at, local, zone },
      channel: { id: channel.id, title: channel.title ?? channel.target, platform: channel.platform },
      title: snippet,
      what: attempt > 0 ? "post, tried before" : "post",
      note: fate === "dropped" || fate === "held" ? notes[fate] : null,
      delivery: { message_id, status, attempt, fate, reason, due_at },
    },
  ];
}

function withLocal(planned: Planned): PlanEntry {
  return { ...planned, local: localTime(planned.at, planned.zone), delivery: null };
}
