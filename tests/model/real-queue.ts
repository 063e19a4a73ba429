import { z } from "zod";
import { aChannel, aWorkspace, enqueue } from "../../src/delivery/testing/builders.ts";
import type { Sql } from "../../src/kernel/db/index.ts";
import type { Deed } from "./operation.ts";
import { askedToWaitMs, type OutcomeKind, type Queue } from "./queue-model.ts";

/** The real functions, each in the words of the model. */
export interface RealQueue {
  readonly workspaceId: string;
  post(text: string, now: number, times: number): Promise<void>;
  claim(now: number, limit: number, times: number): Promise<{ id: string; notBefore: number }[][]>;
  start(now: number, times: number): Promise<{ id: string; token: string }[][]>;
  settle(
    outcomes: readonly { id: string; token: string; kind: OutcomeKind }[],
    now: number,
    times: number,
  ): Promise<{ id: string; applied: boolean }[][]>;
  recover(leaseMs: number, now: number, times: number): Promise<string[][]>;
  /** Takes over everything: the one process there is has died. */
  gone(leastWaitMs: number, now: number, times: number): Promise<string[][]>;
  takeTurn(id: string, token: string, now: number): Promise<boolean>;
  operate(what: Deed, id: string, now: number, times: number): Promise<boolean[]>;
  releaseStuck(olderThanMs: number, now: number): Promise<string[]>;
  switchChannel(id: string, how: "enable" | "disable" | "pause", now: number): Promise<void>;
  /** Everything the model knows, as the tables have it. */
  read(): Promise<Queue>;
  forget(): Promise<void>;
}

interface Recovered {
  readonly workspace_id: string;
  readonly id: string;
}

/** One unlimited channel, one that sends two at once, and one with a rate. */
const channels = [
  { rate_rps: null, max_parallel: 1 },
  { rate_rps: null, max_parallel: 2 },
  { rate_rps: 2, max_parallel: 1 },
] as const;

const ms = z.number().nullable();
const rows = z.object({
  deliveries: z.array(
    z.object({
      id: z.string(),
      channel: z.string(),
      status: z.enum(["queued", "claimed", "sending", "sent", "retry", "failed_permanent", "dead"]),
      attempt: z.number(),
      requeues: z.number(),
      held: z.boolean(),
      notBefore: z.number(),
      placeInQueue: z.number(),
      nextRetryAt: ms,
      claimedAt: ms,
      sendingStartedAt: ms,
      error: z.object({ code: z.string(), scope: z.string(), asked: z.boolean() }).nullable(),
    }),
  ),
  channels: z.array(
    z.object({
      id: z.string(),
      rps: z.number().nullable(),
      maxParallel: z.number(),
      enabled: z.boolean(),
      pausedUntil: ms,
      errorStreak: z.number(),
      nextAllowedAt: ms,
      lastStartedAt: ms,
    }),
  ),
  cooldownUntil: ms,
});

export async function realQueue(sql: Sql): Promise<RealQueue> {
  const workspaceId = await aWorkspace(sql);
  for (const channel of channels) await aChannel(sql, workspaceId, channel);
  const at = (now: number) => new Date(now);
  // Leases are taken back in every workspace at once.
  const ours = (rows: readonly Recovered[]) =>
    rows.filter((row) => row.workspace_id === workspaceId).map(({ id }) => id);
  // The pool gives every query of one tick a connection of its own.
  const together = <T>(times: number, ask: () => PromiseLike<T>) =>
    Promise.all(Array.from({ length: times }, () => ask()));

  return {
    workspaceId,
    async post(text, now, times) {
      await together(times, () => enqueue(sql, workspaceId, text, { now: at(now) }));
    },
    claim: (now, limit, times) =>
      together(
        times,
        () => sql<{ id: string; notBefore: number }[]>`
          select delivery_id as id, ${msOf(sql, "not_before")} as "notBefore"
          from delivery.claim_deliveries(${workspaceId}, 'model', ${limit}, ${at(now)})`,
      ),
    start: (now, times) =>
      together(
        times,
        () => sql<{ id: string; token: string }[]>`
          select delivery_id as id, claim_token as token
          from delivery.start_sending(${workspaceId}, 'model', 100, ${at(now)})`,
      ),
    settle: (outcomes, now, times) => {
      const given = outcomes.map(({ id, token, kind }) => ({ delivery_id: id, token, ...outcomeOf(kind) }));
      return together(
        times,
        () => sql<{ id: string; applied: boolean }[]>`
          select delivery_id as id, applied
          from delivery.settle_deliveries(${workspaceId}, ${JSON.stringify(given)}::text::jsonb, ${at(now)})`,
      );
    },
    recover: async (leaseMs, now, times) => {
      const lease = `${leaseMs} milliseconds`;
      const recovered = await together(
        times,
        () => sql<Recovered[]>`
          select workspace_id, delivery_id as id
          from delivery.recover_leases(${lease}::interval, ${lease}::interval, ${at(now)})`,
      );
      return recovered.map(ours);
    },
    gone: async (leastWaitMs, now, times) => {
      const recovered = await together(
        times,
        () => sql<Recovered[]>`
          select workspace_id, delivery_id as id
          from delivery.take_back(null, null, array['model'], ${`${leastWaitMs} milliseconds`}::interval, ${at(now)})`,
      );
      return recovered.map(ours);
    },
    async takeTurn(id, token, now) {
      const [turn] = await sql<{ granted: boolean }[]>`
        select granted from delivery.take_turn(${workspaceId}, ${id}, ${token}, ${at(now)})`;
      return turn?.granted ?? false;
    },
    async operate(what, id, now, times) {
      const answers = await together(
        times,
        () => sql<{ refusal: string | null }[]>`
          select refusal from ${sql(`delivery.${what}`)}(${workspaceId}, array[${id}::uuid], 'модель', 'проверка', ${at(now)})`,
      );
      return answers.map(([row]) => row?.refusal === null);
    },
    async releaseStuck(olderThanMs, now) {
      const released = await sql<{ id: string }[]>`
        select delivery_id as id from delivery.release_stuck(
          ${workspaceId}, ${`${olderThanMs} milliseconds`}::interval, 'модель', 'проверка', ${at(now)})`;
      return released.map(({ id }) => id);
    },
    async switchChannel(id, how, now) {
      if (how === "pause")
        await sql`select delivery.pause_channel(${workspaceId}, ${id}, ${at(now + 60_000)}, 'модель', 'проверка', ${at(now)})`;
      else
        await sql`select ${sql(`delivery.${how}_channel`)}(${workspaceId}, ${id}, 'модель', 'проверка', ${at(now)})`;
    },
    async read() {
      const [row] = await sql`
        select
          (select coalesce(jsonb_agg(jsonb_build_object(
              'id', delivery_id, 'channel', channel_id, 'status', status, 'attempt', attempt, 'requeues', requeues,
              'held', held_at is not null, 'placeInQueue', (extract(epoch from coalesce(scheduled_for, created_at)) * 1000)::float8,
              'notBefore', ${msOf(sql, "not_before")},
              'nextRetryAt', ${msOf(sql, "next_retry_at")}, 'claimedAt', ${msOf(sql, "claimed_at")},
              'sendingStartedAt', ${msOf(sql, "sending_started_at")},
              'error', case when last_error is not null then jsonb_build_object(
                'code', last_error ->> 'code', 'scope', last_error ->> 'scope',
                'asked', last_error ? 'retry_after_ms') end)), '[]')
           from delivery.deliveries where workspace_id = ${workspaceId}) as deliveries,
          (select jsonb_agg(jsonb_build_object(
              'id', channel_id, 'rps', rate_rps, 'maxParallel', max_parallel, 'enabled', enabled,
              'pausedUntil', ${msOf(sql, "paused_until")}, 'errorStreak', error_streak,
              'nextAllowedAt', ${msOf(sql, "next_allowed_at")}, 'lastStartedAt', ${msOf(sql, "last_started_at")})
              order by created_at, channel_id)
           from delivery.channels where workspace_id = ${workspaceId}) as channels,
          (select max(${msOf(sql, "cooldown_until")}) from delivery.platform_limits
           where workspace_id = ${workspaceId}) as "cooldownUntil"`;
      const read = rows.parse(row);
      return {
        deliveries: new Map(read.deliveries.map((delivery) => [delivery.id, delivery])),
        channels: new Map(read.channels.map((channel) => [channel.id, channel])),
        cooldownUntil: read.cooldownUntil,
      };
    },
    async forget() {
      await sql`delete from workspaces.workspaces where workspace_id = ${workspaceId}`;
    },
  };
}

/** Milliseconds with their microseconds, which a JavaScript date would lose. */
const msOf = (sql: Sql, column: string) => sql`(extract(epoch from ${sql(column)}) * 1000)::float8`;

function outcomeOf(kind: OutcomeKind): object {
  if (kind === "sent") return { kind, provider_message_id: "1", meta: {} };
  const error = (category: string, scope: string, more = {}) => ({
    category,
    scope,
    code: "test",
    message: "нет",
    ...more,
  });
  switch (kind) {
    case "unknown":
      return { kind, error: error("TRANSIENT", "delivery") };
    case "transient":
      return { kind: "failed", error: error("TRANSIENT", "delivery") };
    case "asked_to_wait":
      return { kind: "failed", error: error("TRANSIENT", "platform", { retry_after_ms: askedToWaitMs }) };
    case "refused":
      return { kind: "failed", error: error("PERMANENT", "delivery") };
    case "channel_refused":
      return { kind: "failed", error: error("PERMANENT", "channel") };
    case "platform_refused":
      return { kind: "failed", error: error("PERMANENT", "platform") };
  }
}
