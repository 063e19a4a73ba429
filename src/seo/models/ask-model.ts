import type { z } from "zod";
import type { Ledger } from "../../billing/index.ts";
import type { CallMeta, Gateway, LlmError } from "../../llm/index.ts";
import type { RunScope, StepScope } from "../runs/run-kind.ts";

export interface ModelDeps {
  readonly gateway: Gateway;
  readonly ledger: Pick<Ledger, "noteCost">;
}

/** For whom and for what a model is asked. */
export interface Asking {
  readonly run: Pick<RunScope, "workspaceId" | "userId" | "runId" | "signal">;
  readonly step: Pick<StepScope, "call" | "note">;
  /** `text_generation`, `keyword_generation`, …: for reports of cost. */
  readonly operation: string;
}

/** A task of `seoTasks` whose answer has a shape. */
export interface ShapedTask<T> {
  readonly key: string;
  readonly schemaName: string;
  readonly schema: z.ZodType<T>;
}

export type Asked<T> =
  | { readonly ok: true; readonly answer: T; readonly meta: CallMeta }
  | { readonly ok: false; readonly error: LlmError };

/** Asks for an answer of the task's shape. Every failure is a value: the caller decides whether the work can go on without it. */
export async function askModel<T>(
  { gateway, ledger }: ModelDeps,
  { run, step, operation }: Asking,
  { key, schema, schemaName }: ShapedTask<T>,
  data: Readonly<Record<string, unknown>>,
): Promise<Asked<T>> {
  const answered = await gateway.object({
    ...{ workspaceId: run.workspaceId, userId: String(run.userId), signal: run.signal },
    ...{ policy: key, prompt: { name: key, data }, schema, schemaName },
  });
  await note({ ledger }, { run, step, operation }, answered.meta);
  if (answered.ok) return { ok: true, answer: answered.object, meta: answered.meta };
  step.note("model_failed", { task: key, code: answered.error.code });
  return { ok: false, error: answered.error };
}

/** Notes the call in the run and its cost in the books, once by its id. */
export async function note(
  { ledger }: Pick<ModelDeps, "ledger">,
  { run, step, operation }: Asking,
  { callId, provider, model, usage, latencyMs }: CallMeta,
): Promise<void> {
  if (callId === undefined || provider === undefined) return;
  const { promptTokens: inputTokens, completionTokens: outputTokens } = usage;
  const costUsd = usage.costUsd ?? 0;
  step.call({ ...{ provider, callId, model, inputTokens, outputTokens, costUsd }, ms: latencyMs });
  await ledger.noteCost({
    ...{ workspaceId: run.workspaceId, userId: run.userId, run: run.runId, operation },
    ...{ provider, callId, costUsd, model, inputTokens, outputTokens },
  });
}
