import { z } from "zod";
import { lineOfText } from "../http/index.ts";
import { llmErrors } from "./failures.ts";
import type { Gateway } from "./gateway.ts";

export const trialBody = z.strictObject({
  text: z.string().min(1).max(2_000).default("Ответь одним предложением: всё ли работает?"),
  user_id: lineOfText({ min: 1, max: 200 })
    .optional()
    .describe("On whose behalf, to see this person's caps at work"),
});

const codes = Object.keys(llmErrors).filter((code): code is keyof typeof llmErrors => code in llmErrors);

export const trialResult = z
  .object({
    ok: z.boolean(),
    text: z.string().nullable(),
    error: z
      .object({
        code: z.enum(codes),
        message: z.string(),
        retry_after_ms: z.int().nullable(),
      })
      .nullable(),
    provider: z.string().nullable(),
    model: z.string().nullable(),
    requests: z.int(),
    fallback_used: z.boolean(),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    cost_usd: z.number().nullable(),
    latency_ms: z.int(),
  })
  .meta({ id: "LlmTryOut" });
export type TrialResult = z.infer<typeof trialResult>;

/** Asks a model with a policy, for an operator who wants to know whether it works. Costs as much as a call. */
export async function tryPolicy(
  gateway: Gateway,
  workspaceId: string,
  policy: string,
  { text, user_id }: z.output<typeof trialBody>,
): Promise<TrialResult> {
  const answered = await gateway.text({
    workspaceId,
    policy,
    prompt: { name: "try-out", data: { text } },
    ...(user_id !== undefined && { userId: user_id }),
  });
  const { provider, model, requests, fallbackUsed, usage, latencyMs } = answered.meta;
  return {
    ok: answered.ok,
    text: answered.ok ? answered.text : null,
    error: answered.ok
      ? null
      : {
          code: answered.error.code,
          message: answered.error.message,
          retry_after_ms:
            answered.error.retryAfterMs === undefined ? null : Math.ceil(answered.error.retryAfterMs),
        },
    provider: provider ?? null,
    model: model ?? null,
    requests,
    fallback_used: fallbackUsed,
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    cost_usd: usage.costUsd,
    latency_ms: latencyMs,
  };
}
