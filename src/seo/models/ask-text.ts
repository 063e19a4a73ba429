import type { CallMeta, LlmError } from "../../llm/index.ts";
import { type Asking, type ModelDeps, note } from "./ask-model.ts";

export type AskedText =
  | {
      readonly ok: true;
      readonly text: string;
      /** It ends where the limit of tokens was reached. */
      readonly truncated: boolean;
      readonly meta: CallMeta;
    }
  | { readonly ok: false; readonly error: LlmError | "refused" };

/** Asks for plain text by the task's policy and prompt. Every failure is a value; a model's refusal is one too. */
export async function askText(
  { gateway, ledger }: ModelDeps,
  { run, step, operation }: Asking,
  { key }: { readonly key: string },
  data: Readonly<Record<string, unknown>>,
): Promise<AskedText> {
  const answered = await gateway.text({
    ...{ workspaceId: run.workspaceId, userId: String(run.userId), signal: run.signal },
    ...{ policy: key, prompt: { name: key, data } },
  });
  await note({ ledger }, { run, step, operation }, answered.meta);
  if (answered.ok && !answered.refused)
    return { ok: true, text: answered.text, truncated: answered.truncated, meta: answered.meta };
  const error = answered.ok ? ("refused" as const) : answered.error;
  step.note("model_failed", { task: key, code: typeof error === "string" ? error : error.code });
  return { ok: false, error };
}
