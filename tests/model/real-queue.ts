import { z } from "zod";
import { aConnection } from "../../src/delivery/addressed/testing/addressed-queue.ts";
import { aChannel, aWorkspace, enqueue } from "../../src/delivery/testing/builders.ts";
import type { Sql } from "../../src/kernel/db/index.ts";
import type { Deed } from "./operation.ts";
import { askedToWaitMs, type OutcomeKind, type Queue } from "./queue-model.ts";

/** The real functions, with the model's interface. */
export interface RealQueue {
  readonly workspaceId: string;
  post(text: string, now: number, times: number): Promise<void>;
  /** The delivery that each of several who publish the same step is answered with; null when it is refused. */
  publish(
    channel: string,
    step: string,
    waitUntil: number | null,
    now: number,
    times: number,
  ): Promise<(string | null)[]>;
  /** How many each of several who look calls off. */
  stopWaiting(now: number, times: number): Promise<number[]>;
  renew(channel: string, now: number): Promise<boolean>;
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
  /** What becomes of the delivery for each of several who order the same correction at once. */
  correct(kind: "edit" | "remove", id: string, now: number, times: number): Promise<string[]>;
  startCorrections(now: number, times: number): Promise<{ id: string; token: string }[][]>;
  settleCorrections(
    outcomes: readonly { id: string; token: string; kind: OutcomeKind }[],
    now: number,
    times: number,
  ): Promise<{ id: string; applied: boolean }[][]>;
  takeCorrectionTurn(id: string, token: string, now: number): Promise<boolean>;
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

/** One unlimited channel, one that sends two at once, and one with a rate; then two connections. */
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
      waitUntil: ms,
      told: z.array(z.string()).nullable(),
      withdrawn: z.boolean(),
    }),
  ),
  corrections: z.array(
    z.object({
      id: z.string(),
      delivery: z.string(),
      channel: z.string(),
      number: z.number(),
      kind: z.enum(["edit", "remove"]),
      status: z.enum(["queued", "sending", "retry", "done", "failed_permanent", "dead", "superseded"]),
      attempt: z.number(),
      dueAt: z.number(),
      sendingStartedAt: ms,
    }),
  ),
  channels: z.array(
    z.object({
      id: z.string(),
      rps: z.number().nullable(),
      maxParallel: z.number(),
      isConnection: z.boolean(),
      hasFailed: z.boolean(),
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
  for (const user of ["1", "2"]) await aConnection(sql, workspaceId, { user });
  const owners = new Map(
    (
      await sql<{ id: string; user: string }[]>`
        select channel_id as id, owner_user as user from delivery.channels
        where workspace_id = ${workspaceId} and addressed_only`
    ).map(({ id, user }) => [id, user]),
  );
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
    async publish(channel, step, waitUntil, now, times) {
      const promise = {
        ...{ product: "press", user: owners.get(channel), run: "run", step, task: "press.heard" },
        ...(waitUntil !== null && { wait_until: at(waitUntil) }),
      };
      const post = { payload: { text: "Адресный пост" }, channel_ids: [channel] };
      const answers = await together(times, () =>
        sql<{ answer: { deliveries: { delivery_id: string }[] } }[]>`
          select delivery.enqueue_addressed(
            ${workspaceId}, ${JSON.stringify(promise)}::text::jsonb, ${JSON.stringify(post)}::text::jsonb,
            p_now => ${at(now)}) as answer`.catch((error: Error) => {
          if (error.message.startsWith("/channel_ids/0")) return [];
          throw error;
        }),
      );
      return answers.map(([row]) => row?.answer.deliveries[0]?.delivery_id ?? null);
    },
    async stopWaiting(now, times) {
      const counts = await together(
        times,
        () => sql<[{ count: number }]>`select delivery.stop_waiting(${at(now)}) as count`,
      );
      return counts.map(([{ count }]) => count);
    },
    async renew(channel, now) {
      const [row] = await sql<[{ had: boolean }]>`
        select delivery.connection_works(${workspaceId}, ${channel}, 'test', ${at(now)}) as had`;
      return row.had;
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
          select t.workspace_id, t.delivery_id as id
          from delivery.take_back_corrections(null, array['model'], ${`${leastWaitMs} milliseconds`}::interval, ${at(now)}) as c
          cross join lateral delivery.take_back(
            null, null, array['model'], ${`${leastWaitMs} milliseconds`}::interval, ${at(now)}) as t
          where c >= 0`,
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
    async correct(kind, id, now, times) {
      const items = [{ delivery_id: id, ...(kind === "edit" && { text: "Стало", meta: {} }) }];
      const answers = await together(
        times,
        () => sql<{ action: string }[]>`
          select action from delivery.enqueue_corrections(
            ${workspaceId}, ${kind}, '{}', ${JSON.stringify(items)}::text::jsonb, 'модель', 'проверка', ${at(now)})`,
      );
      return answers.map(([row]) => row?.action ?? "nothing");
    },
    startCorrections: (now, times) =>
      together(
        times,
        () => sql<{ id: string; token: string }[]>`
          select correction_id as id, claim_token as token
          from delivery.start_corrections(${workspaceId}, 'model', 100, ${at(now)})`,
      ),
    settleCorrections: (outcomes, now, times) => {
      const given = outcomes.map(({ id, token, kind }) => ({
        ...{ correction_id: id, token, message_ids: [] },
        ...outcomeOf(kind),
      }));
      return together(
        times,
        () => sql<{ id: string; applied: boolean }[]>`
          select correction_id as id, applied
          from delivery.settle_corrections(${workspaceId}, ${JSON.stringify(given)}::text::jsonb, ${at(now)})`,
      );
    },
    async takeCorrectionTurn(id, token, now) {
      const [turn] = await sql<{ granted: boolean }[]>`
        select granted from delivery.take_correction_turn(${workspaceId}, ${id}, ${token}, ${at(now)})`;
      return turn?.granted ?? false;
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
                'asked', last_error ? 'retry_after_ms') end,
              'waitUntil', (select ${msOf(sql, "wait_until")} from delivery.addressed_deliveries a
                            where a.workspace_id = d.workspace_id and a.delivery_id = d.delivery_id),
              'withdrawn', d.withdrawn_at is not null,
              'told', case when d.addressed then (
                select coalesce(jsonb_agg(
                  concat_ws(' ', j.payload #>> '{end,outcome}', j.payload #>> '{end,error,code}') order by j.id), '[]')
                from graphile_worker._private_jobs j where j.payload #>> '{end,delivery_id}' = d.delivery_id::text) end)), '[]')
           from delivery.deliveries d where workspace_id = ${workspaceId}) as deliveries,
          (select coalesce(jsonb_agg(jsonb_build_object(
              'id', correction_id, 'delivery', delivery_id, 'channel', channel_id, 'number', number, 'kind', kind,
              'status', status, 'attempt', attempt, 'dueAt', ${msOf(sql, "due_at")},
              'sendingStartedAt', ${msOf(sql, "sending_started_at")}) order by delivery_id, number), '[]')
           from delivery.corrections where workspace_id = ${workspaceId}) as corrections,
          (select jsonb_agg(jsonb_build_object(
              'id', channel_id, 'rps', rate_rps, 'maxParallel', max_parallel, 'enabled', enabled,
              'isConnection', addressed_only, 'hasFailed', connection_state = 'error',
              'pausedUntil', ${msOf(sql, "paused_until")}, 'errorStreak', error_streak,
              'nextAllowedAt', ${msOf(sql, "next_allowed_at")}, 'lastStartedAt', ${msOf(sql, "last_started_at")})
              order by created_at, channel_id)
           from delivery.channels where workspace_id = ${workspaceId}) as channels,
          (select max(${msOf(sql, "cooldown_until")}) from delivery.platform_limits
           where workspace_id = ${workspaceId}) as "cooldownUntil"`;
      const read = rows.parse(row);
      return {
        deliveries: new Map(read.deliveries.map((delivery) => [delivery.id, delivery])),
        corrections: read.corrections,
        channels: new Map(read.channels.map((channel) => [channel.id, channel])),
        cooldownUntil: read.cooldownUntil,
      };
    },
    async forget() {
      await sql`delete from graphile_worker._private_jobs where payload #>> '{end,workspace_id}' = ${workspaceId}`;
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
