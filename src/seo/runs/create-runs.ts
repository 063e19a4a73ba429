import { z } from "zod";
import { createLedger } from "../../billing/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import { type Sql, type Transaction, within } from "../../kernel/db/index.ts";
import { defineTask, type RunnableTask } from "../../kernel/jobs/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import { type Rules, usualRules } from "../rules.ts";
import type { Said } from "../said.ts";
import { type Begun, beginRun, type Order } from "./begin-run.ts";
import { type Charge, holdingTokens, type Short } from "./hold-tokens.ts";
import { type Counted, limits } from "./limits.ts";
import { performRun } from "./perform-run.ts";
import { enqueueRun, type RunDeps, type RunJob } from "./run-deps.ts";
import type { AnyRunKind, RunKind } from "./run-kind.ts";
import type { RunStatus } from "./run-row.ts";
import { tooManyWorks } from "./too-many-works.ts";

export interface RunsSettings {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly kinds: readonly AnyRunKind[];
  readonly leaseMs?: number;
  /** The document's unless given. */
  readonly rules?: Rules | undefined;
  /** Told of every change that a person waits for, in the transaction that makes it. */
  readonly told?: TellOfRun | undefined;
}

export type TellOfRun = (tx: Transaction, run: RunKey & { readonly status: RunStatus }) => Promise<void>;

/** Names a run of a person. */
export interface RunKey {
  readonly workspaceId: string;
  readonly userId: number;
  readonly runId: string;
}

/** A decision about a text that is being reviewed: `false` if it is not, because somebody was faster. */
export type Decided = Promise<boolean>;

/** The work of SEO Master: begun, done in the background, decided on, ended. */
export interface Runs {
  begin<Input>(kind: RunKind<Input, unknown>, order: Order<Input>): Promise<Begun>;
  /** Stops a run and returns its tokens: at once, or before its next step (`running`). Undefined if there is no such run. */
  cancel(key: RunKey, also?: Also): Promise<RunStatus | undefined>;
  /**
   * Begins the next round of a reviewed run, for these tokens or for none. It counts for the limits of the hour like new work:
   * throws `too_many_works` above them.
   */
  regenerate(key: RunKey, charges: readonly Charge[], also?: Also): Promise<Regenerated>;
  /** Has a text reviewed again that could not be published, for these tokens: what was held for it has been returned. */
  reopen(key: RunKey, charges: readonly Charge[], also?: Also): Promise<Regenerated>;
  /** Moves a reviewed run on to its publication; `also` publishes, in the same transaction. */
  publish(key: RunKey, connectionId: number | undefined, also: Also): Decided;
  /** Ends a reviewed run whose text was taken without a delivery; its tokens are settled. */
  take(key: Omit<RunKey, "userId">, reason: string, also?: Also): Decided;
  /** Ends a reviewed run that nobody decided on; its tokens are returned. */
  expire(key: Omit<RunKey, "userId">, also?: Also): Decided;
  /** Ends a reviewed run that nobody decided on and that is not refunded; its tokens are settled. */
  lose(key: Omit<RunKey, "userId">, also?: Also): Decided;
  /** Ends a run whose delivery has ended. */
  published(key: Omit<RunKey, "userId">, end: PublicationEnd, also?: Also): Decided;
  /** Enqueues runs again whose process is gone. Returns their number. */
  recover(): Promise<number>;
  readonly task: RunnableTask;
  readonly rules: Rules;
  /** The same runs; whatever is begun or decided belongs to the transaction. */
  within(tx: Transaction): Runs;
}

export type Also = (tx: Transaction) => Promise<void>;
export type Regenerated =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: "not_reviewed" }
  | Short;

export type PublicationEnd =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | {
      readonly ok: false;
      readonly code: string;
      readonly said: Said;
    };

const usualLeaseMs = 30_000;

export function createRuns(settings: RunsSettings): Runs {
  const { sql, clock, log, kinds, leaseMs = usualLeaseMs, rules = usualRules, told } = settings;
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]));
  const task = defineTask<RunJob>({
    name: "seo.run",
    schema: z.object({ workspace_id: z.uuid(), run_id: z.uuid() }),
    run: ({ workspace_id: workspaceId, run_id: runId }, context) =>
      performRun(
        { sql, clock, leaseMs, kinds: byName, log: context.log, told },
        { workspaceId, runId },
        context.signal,
      ),
  });
  const deps: RunDeps = { sql, clock, task };

  /** Makes a decision, and what follows from it, in one transaction. */
  const decide = (
    { workspaceId, runId }: Omit<RunKey, "userId">,
    statement: (tx: Transaction) => Promise<boolean>,
    then: Also,
    also?: Also,
  ) =>
    sql.begin(async (tx) => {
      if (!(await statement(tx))) return false;
      await then(tx);
      await also?.(tx);
      await tell(tx, workspaceId, runId);
      return true;
    });
  const tell = async (tx: Transaction, workspaceId: string, runId: string) => {
    if (!told) return;
    const [run] = await tx<{ user_id: number; status: RunStatus }[]>`
      select user_id, status from seo.runs where workspace_id = ${workspaceId} and id = ${runId}`;
    if (run) await told(tx, { workspaceId, runId, userId: run.user_id, status: run.status });
  };
  const settled = (run: string, workspaceId: string, reason: string) => async (tx: Transaction) =>
    void (await createLedger(tx, clock).settle(workspaceId, run, reason));
  const returned = (run: string, workspaceId: string, reason: string) => async (tx: Transaction) =>
    void (await createLedger(tx, clock).giveBack(workspaceId, run, reason));

  return {
    task,
    rules,
    within: (tx) => createRuns({ ...settings, sql: within(tx) }),
    begin: (kind, order) => beginRun(deps, kind, order),

    cancel: ({ workspaceId, userId, runId }, also) =>
      sql.begin(async (tx) => {
        const [{ status }] = await tx<[{ status: RunStatus | null }]>`
          select seo.cancel_run(${workspaceId}, ${userId}, ${runId}, ${clock.now()}) as status`;
        if (status === "cancelled") {
          await returned(runId, workspaceId, "cancelled")(tx);
          await also?.(tx);
          await tell(tx, workspaceId, runId);
        }
        return status ?? undefined;
      }),

    regenerate: ({ workspaceId, userId, runId }, charges, also) =>
      holdingTokens(deps, { workspaceId, userId, charges }, async (tx, hold): Promise<Regenerated> => {
        const [begun] = await tx<[RegeneratedRow]>`
          select * from seo.regenerate_run(${workspaceId}, ${userId}, ${runId}, ${JSON.stringify(limits)}::text::jsonb, ${clock.now()})`;
        if (begun.outcome === "limited") throw tooManyWorks(begun.limited, begun.again_at, clock.now());
        if (begun.outcome === "not_reviewed") return { ok: false, reason: "not_reviewed" };
        await hold(runId);
        await also?.(tx);
        await enqueueRun(deps, tx, workspaceId, runId);
        return { ok: true };
      }),

    reopen: ({ workspaceId, userId, runId }, charges, also) =>
      holdingTokens(deps, { workspaceId, userId, charges }, async (tx, hold): Promise<Regenerated> => {
        const reopened = yes(
          await tx<Yes[]>`select seo.reopen_run(${workspaceId}, ${userId}, ${runId}, ${clock.now()}) as yes`,
        );
        if (!reopened) return { ok: false, reason: "not_reviewed" };
        await hold(runId);
        await also?.(tx);
        return { ok: true };
      }),

    publish: ({ workspaceId, userId, runId }, connectionId, also) =>
      decide(
        { workspaceId, runId },
        async (tx) =>
          yes(
            await tx<Yes[]>`
              select seo.publish_run(${workspaceId}, ${userId}, ${runId}, ${connectionId ?? null}, ${clock.now()}) as yes`,
          ),
        also,
      ),

    take: ({ workspaceId, runId }, reason, also) =>
      decide(
        { workspaceId, runId },
        async (tx) =>
          yes(
            await tx<Yes[]>`select seo.end_review(${workspaceId}, ${runId}, 'done', ${clock.now()}) as yes`,
          ),
        settled(runId, workspaceId, reason),
        also,
      ),

    expire: ({ workspaceId, runId }, also) =>
      decide(
        { workspaceId, runId },
        async (tx) =>
          yes(
            await tx<
              Yes[]
            >`select seo.end_review(${workspaceId}, ${runId}, 'expired', ${clock.now()}) as yes`,
          ),
        returned(runId, workspaceId, "expired"),
        also,
      ),

    lose: ({ workspaceId, runId }, also) =>
      decide(
        { workspaceId, runId },
        async (tx) =>
          yes(
            await tx<
              Yes[]
            >`select seo.end_review(${workspaceId}, ${runId}, 'expired', ${clock.now()}) as yes`,
          ),
        settled(runId, workspaceId, "expired"),
        also,
      ),

    published: ({ workspaceId, runId }, end, also) =>
      decide(
        { workspaceId, runId },
        async (tx) => {
          const [result, error] = end.ok ? [end.result, null] : [null, { code: end.code, message: end.said }];
          return yes(
            await tx<Yes[]>`
              select seo.end_publication(${workspaceId}, ${runId}, ${json(result)}::text::jsonb, ${json(error)}::text::jsonb,
                ${clock.now()}) as yes`,
          );
        },
        end.ok ? settled(runId, workspaceId, "published") : returned(runId, workspaceId, end.code),
        also,
      ),

    async recover() {
      const abandoned = await sql<{ workspace_id: string; run_id: string }[]>`
        select * from seo.abandoned_runs(${clock.now()})`;
      for (const { workspace_id, run_id } of abandoned) await enqueueRun(deps, sql, workspace_id, run_id);
      if (abandoned.length > 0) log.warn({ count: abandoned.length }, "runs whose process is gone go on");
      return abandoned.length;
    },
  };
}

type RegeneratedRow =
  | { readonly outcome: "begun" | "not_reviewed" }
  | { readonly outcome: "limited"; readonly limited: Counted; readonly again_at: Date };

type Yes = { readonly yes: boolean };
const yes = ([row]: readonly Yes[]) => row?.yes === true;
const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
