import { randomUUID } from "node:crypto";
import { setInterval as ticks } from "node:timers/promises";
import { createLedger } from "../../billing/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { messageOf } from "../../kernel/errors/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { Said } from "../said.ts";
import type { TellOfRun } from "./create-runs.ts";
import { internalCode, internalFailure, RunFailure, RunStopped, RunTaken } from "./run-failure.ts";
import type { AnyRunKind, WorkEnd } from "./run-kind.ts";
import type { RunRow, RunStatus } from "./run-row.ts";
import { createRunScope } from "./run-scope.ts";
import { takenOr } from "./taken.ts";

export interface PerformDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  /** For how long a process has a run without renewing it. */
  readonly leaseMs: number;
  readonly kinds: ReadonlyMap<string, AnyRunKind>;
  readonly told?: TellOfRun | undefined;
}

/** How often a run is tried again after an error that is nobody's decision. */
const mostAttempts = 5;

/**
 * Works on a run until it ends, waits for a person, or must be left. Returns without an effect if another process has it or it
 * needs no work. Throws if the job should be tried again.
 */
export async function performRun(
  deps: PerformDeps,
  { workspaceId, runId }: { workspaceId: string; runId: string },
  stop: AbortSignal,
): Promise<void> {
  const token = randomUUID();
  const run = await take(deps, workspaceId, runId, token);
  if (!run) return;
  const left = new AbortController();
  const signal = AbortSignal.any([stop, left.signal]);
  const kept = keep(deps, run, token, left);
  try {
    await conclude(deps, run, token, await outcomeOf(deps, run, token, signal));
  } catch (error) {
    if (error instanceof RunTaken) return;
    // The process must stop, or something unexpected happened: the run goes on in another job.
    await giveUp(deps, run, token, { counts: !stop.aborted });
    throw error;
  } finally {
    left.abort();
    await kept;
  }
}

type Outcome =
  | { readonly kind: "ended"; readonly end: WorkEnd<unknown> }
  | { readonly kind: "cancelled" }
  | { readonly kind: "failed"; readonly code: string; readonly said: Said };

async function outcomeOf(
  deps: PerformDeps,
  run: RunRow,
  token: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const { kinds, log } = deps;
  const kind = kinds.get(run.kind);
  const scope = createRunScope(deps, run, token, signal);
  try {
    if (!kind) throw new Error(`nobody knows how to do ${run.kind}`);
    const end = await kind.perform(scope, run.input);
    return { kind: "ended", end };
  } catch (error) {
    if (error instanceof RunStopped) return { kind: "cancelled" };
    // Whatever a run says that was cut off is the stop's doing.
    if (error instanceof RunTaken || signal.aborted) throw error;
    if (error instanceof RunFailure) return { kind: "failed", code: error.code, said: error.said };
    if (run.attempts < mostAttempts) throw error;
    log.error(
      { run: run.id, kind: run.kind, workspace_id: run.workspace_id, err: error },
      "a run failed for good",
    );
    if (run.round > 0 && kind?.keepBefore) return { kind: "ended", end: await kind.keepBefore(scope) };
    return { kind: "failed", code: internalCode, said: internalFailure };
  }
}

/** The end of the work, its tokens and what belongs to it are one transaction. */
async function conclude(deps: PerformDeps, run: RunRow, token: string, outcome: Outcome): Promise<void> {
  const { sql, clock } = deps;
  await takenOr(() =>
    sql.begin(async (tx) => {
      const ledger = createLedger(tx, clock);
      const [status, result, error]: readonly [RunStatus, unknown, unknown] =
        outcome.kind === "ended"
          ? [outcome.end.status, outcome.end.result, null]
          : outcome.kind === "cancelled"
            ? ["cancelled", null, null]
            : ["failed", null, { code: outcome.code, message: outcome.said }];
      await tx`
        select seo.leave_run(${run.workspace_id}, ${run.id}, ${token}, ${status}, ${json(result)}::text::jsonb,
          ${json(error)}::text::jsonb, ${clock.now()})`;
      if (status === "done") await ledger.settle(run.workspace_id, run.id, "done");
      if (status === "cancelled") await ledger.giveBack(run.workspace_id, run.id, "cancelled");
      if (outcome.kind === "failed") await ledger.giveBack(run.workspace_id, run.id, outcome.code);
      if (outcome.kind === "ended") await outcome.end.also?.(tx);
      const key = { workspaceId: run.workspace_id, userId: run.user_id, runId: run.id };
      await deps.told?.(tx, { ...key, status });
    }),
  );
}

async function take(
  { sql, clock, leaseMs }: PerformDeps,
  workspaceId: string,
  runId: string,
  token: string,
): Promise<RunRow | undefined> {
  const [run] = await sql<RunRow[]>`
    select * from seo.take_run(${workspaceId}, ${runId}, ${token}, ${lease(leaseMs)}::interval, ${clock.now()})`;
  return run;
}

/** Renews the lease until `left` fires; fires it if another process has the run. */
async function keep(
  { sql, clock, leaseMs, log }: PerformDeps,
  run: RunRow,
  token: string,
  left: AbortController,
): Promise<void> {
  try {
    for await (const _ of ticks(leaseMs / 3, undefined, { signal: left.signal, ref: false })) {
      try {
        await takenOr(
          () => sql`
            select seo.keep_run(${run.workspace_id}, ${run.id}, ${token}, ${lease(leaseMs)}::interval, ${clock.now()})`,
        );
      } catch (error) {
        if (error instanceof RunTaken) return left.abort();
        log.warn({ run: run.id, reason: messageOf(error) }, "a run's lease could not be renewed");
      }
    }
  } catch {
    // Aborted: the work has ended.
  }
}

async function giveUp(
  { sql, log }: PerformDeps,
  run: RunRow,
  token: string,
  { counts }: { counts: boolean },
): Promise<void> {
  try {
    await sql`select seo.give_up_run(${run.workspace_id}, ${run.id}, ${token}, ${counts})`;
  } catch (error) {
    log.warn({ run: run.id, reason: messageOf(error) }, "a run could not be given back; its lease will end");
  }
}

const lease = (milliseconds: number) => `${milliseconds} milliseconds`;

const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value));
