import { messageOf } from "../../kernel/errors/index.ts";
import type { PerformDeps } from "./perform-run.ts";
import { RunStopped, RunTaken } from "./run-failure.ts";
import type { ProviderCall, RunScope, StepScope, StepSpec } from "./run-kind.ts";
import type { RunRow } from "./run-row.ts";
import { takenOr } from "./taken.ts";

interface Note {
  readonly what: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** A run for the code that does its work. Every write names the token, so that a process that lost the run writes nothing. */
export function createRunScope(
  { sql, clock }: Pick<PerformDeps, "sql" | "clock">,
  run: RunRow,
  token: string,
  signal: AbortSignal,
): RunScope {
  const { workspace_id: workspaceId, id: runId } = run;

  return {
    ...{ workspaceId, runId, signal },
    ...{ userId: run.user_id, round: run.round, origin: run.origin, createdAt: run.created_at },

    async step<T>(
      name: string,
      { result: schema, stage, shared = false }: StepSpec<T>,
      work: (step: StepScope) => Promise<T>,
    ): Promise<T> {
      signal.throwIfAborted();
      const [begun] = await takenOr(
        () => sql<[{ done: boolean; result: unknown; cancelled: boolean }]>`
          select * from seo.begin_step(${workspaceId}, ${runId}, ${token}, ${name}, ${shared}, ${stage ?? null}, ${clock.now()})`,
      );
      if (begun.done) return schema.parse(begun.result);
      if (begun.cancelled) throw new RunStopped();

      const notes: Note[] = [];
      const calls: ProviderCall[] = [];
      const scope: StepScope = {
        signal,
        note: (what, facts) => void notes.push({ what, ...(facts && { facts }) }),
        call: (call) => void calls.push(call),
      };
      const end = (outcome: { result: unknown } | { error: string }) =>
        takenOr(
          () => sql`
            select seo.end_step(${workspaceId}, ${runId}, ${token}, ${name},
              ${JSON.stringify({ ...outcome, notes, calls, cost_usd: costOf(calls) })}::text::jsonb, ${clock.now()})`,
        );

      let done: T;
      try {
        done = schema.parse(await work(scope));
        // A call that was cut off by the stop may have been taken for a provider that fails: what was made of that is not kept.
        signal.throwIfAborted();
      } catch (error) {
        // Its cost and what it noticed are kept even so; a step of an aborted run simply runs again.
        if (!signal.aborted && !(error instanceof RunTaken)) await end({ error: messageOf(error) });
        throw error;
      }
      await end({ result: done ?? null });
      return done;
    },
  };
}

const costOf = (calls: readonly ProviderCall[]) => calls.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0);
