import { z } from "zod";

/**
 * Fields that a policy may add to a request. All others are refused, because their cost would not be counted: `n` and `best_of`
 * multiply answers, `models`, `route` and `preset` choose other models, `plugins`, `tools` and `service_tier` cost extra,
 * `usage` and `stream_options` hide the usage. The table llm_policies has the same list as a constraint.
 */
export const allowedOptions = [
  "chat_template_kwargs",
  "frequency_penalty",
  "include_reasoning",
  "logit_bias",
  "min_p",
  "presence_penalty",
  "provider",
  "reasoning",
  "reasoning_effort",
  "repetition_penalty",
  "seed",
  "stop",
  "top_a",
  "top_k",
  "top_p",
  "transforms",
  "user",
  "verbosity",
] as const;

const allowed: readonly string[] = allowedOptions;

export const options = z
  .record(z.string(), z.unknown())
  .superRefine((given, context) => {
    for (const field of Object.keys(given).filter((each) => !allowed.includes(each)))
      context.addIssue({ code: "custom", path: [field], message: `Not one of: ${allowed.join(", ")}` });
  })
  .describe(
    `Fields of the request that only this provider knows, such as OpenRouter's \`provider\`: ${allowed.join(", ")}`,
  );
