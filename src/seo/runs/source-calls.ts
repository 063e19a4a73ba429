import type { Payer, Sourced, SourceName } from "../sources/result.ts";
import type { RunScope, StepScope } from "./run-kind.ts";

/** For whom a source is asked within a run. */
export const payerOf = (
  { workspaceId, userId, runId }: Pick<RunScope, "workspaceId" | "userId" | "runId">,
  operation: string,
): Payer => ({ workspaceId, userId, operation, run: runId });

/** Keeps in the step what a source answered and cost. */
export function noteSource(
  step: Pick<StepScope, "call" | "note">,
  provider: SourceName,
  answer: Sourced<unknown>,
): void {
  if (answer.ok) step.call({ provider, callId: answer.callId, costUsd: answer.costUsd });
  else step.note("source_missing", { source: provider, reason: answer.reason, detail: answer.detail });
}
