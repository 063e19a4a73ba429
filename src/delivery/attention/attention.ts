import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { defaultLeases, type Leases } from "../deliveries/why.ts";
import { failureSchema, failuresSince } from "./failures.ts";
import { stoppedChannelSchema, stoppedChannels } from "./stopped-channels.ts";

const sourceSchema = z.object({
  source_id: z.string(),
  kind: z.string(),
  state: z.enum(["failing", "late"]).describe("`late`: its time has passed, and nobody asked it"),
  since: z.date().describe("The last success, or when it was due"),
  failures: z.int().describe("Runs that failed in a row"),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  next_run_at: z.date(),
});

export const attentionSchema = z.object({
  at: z.date(),
  since: z.date(),
  failures: z.array(failureSchema).describe("The first 20 causes; GET /failures has all"),
  channels: z.array(stoppedChannelSchema),
  sources: z.array(sourceSchema),
  stuck: z.object({
    count: z.int().describe("Deliveries that are claimed or being sent for longer than their lease"),
    since: z.date().nullable(),
    sample: z.array(z.string()).describe("Up to 3 of them"),
  }),
  held: z.object({
    count: z.int().describe("Deliveries that are kept back for a person to decide"),
    since: z.date().nullable(),
  }),
  truncated: z
    .array(z.enum(["failures", "channels", "sources"]))
    .describe("What there is more of than was looked at"),
});
export type Attention = z.infer<typeof attentionSchema>;

export interface AttentionQuery {
  readonly since: Date;
  readonly now: Date;
  readonly leases?: Leases | undefined;
}

const most = { failures: 20, channels: 100, sources: 100 } as const;

/** Everything that a person should look at, in one answer. */
export async function attention(
  sql: Sql,
  workspaceId: string,
  { since, now, leases = defaultLeases }: AttentionQuery,
): Promise<Attention> {
  const [{ groups, truncated }, channels, sources, stuck, held] = await Promise.all([
    failuresSince(sql, workspaceId, { since }),
    stoppedChannels(sql, workspaceId, now, most.channels + 1),
    troubledSources(sql, workspaceId, now),
    stuckDeliveries(sql, workspaceId, now, leases),
    heldDeliveries(sql, workspaceId),
  ]);
  return {
    at: now,
    since,
    failures: groups.slice(0, most.failures),
    channels: channels.slice(0, most.channels),
    sources: sources.slice(0, most.sources),
    stuck,
    held,
    truncated: [
      ...(truncated || groups.length > most.failures ? (["failures"] as const) : []),
      ...(channels.length > most.channels ? (["channels"] as const) : []),
      ...(sources.length > most.sources ? (["sources"] as const) : []),
    ],
  };
}

/** A source is late when five minutes have passed since its turn: a run that waits for a free place is no trouble. */
const lateAfterMs = 5 * 60_000;

async function troubledSources(sql: Sql, workspaceId: string, now: Date): Promise<Attention["sources"]> {
  const overdue = new Date(now.getTime() - lateAfterMs);
  return sql<Attention["sources"]>`
    select s.source_id, s.kind, case when s.failures > 0 then 'failing' else 'late' end as state,
      case when s.failures > 0 then coalesce(s.last_success_at, s.created_at) else s.next_run_at end as since,
      s.failures, case when s.failures > 0 then jsonb_build_object(
        'code', coalesce(s.last_error ->> 'code', 'unknown'), 'message', coalesce(s.last_error ->> 'message', '')) end as error,
      s.next_run_at
    from delivery.pull_sources s
    where s.workspace_id = ${workspaceId} and s.enabled
      and (s.failures > 0 or (s.next_run_at < ${overdue} and coalesce(s.leased_until, '-infinity') <= ${now}))
    order by s.source_id limit ${most.sources + 1}`;
}

/** Uses deliveries_due. The expressions are those of `delivery.take_back`: a claim with a later slot is not stuck. */
async function stuckDeliveries(
  sql: Sql,
  workspaceId: string,
  now: Date,
  { sendingSeconds, claimedSeconds }: Leases,
): Promise<Attention["stuck"]> {
  const [row] = await sql<[Attention["stuck"]]>`
    select count(*)::int as count, min(s.since) as since,
      coalesce((array_agg(s.delivery_id order by s.since))[1:3], '{}') as sample
    from (
      select d.delivery_id, coalesce(d.sending_started_at, d.claimed_at) as since from delivery.deliveries d
      where d.workspace_id = ${workspaceId} and d.status in ('claimed', 'sending')
        and (d.status = 'claimed' and d.not_before <= ${now}
              and d.claimed_at < ${now}::timestamptz - make_interval(secs => ${claimedSeconds})
          or d.status = 'sending' and d.sending_started_at < ${now}::timestamptz - make_interval(secs => ${sendingSeconds}))
    ) s`;
  return row;
}

/** Uses deliveries_held. */
async function heldDeliveries(sql: Sql, workspaceId: string): Promise<Attention["held"]> {
  const [row] = await sql<[Attention["held"]]>`
    select count(*)::int as count, min(d.held_at) as since from delivery.deliveries d
    where d.workspace_id = ${workspaceId} and d.held_at is not null`;
  return row;
}
