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
  "response_healing",
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

const price = z.number().min(0).max(10_000);
const hosts = z.array(z.string().min(1).max(100)).min(1).max(50);

/** OpenRouter's choice among the hosts of a model. Its fields are named here so that a typo is refused, not ignored. */
const routing = z.strictObject({
  order: hosts.optional(),
  only: hosts.optional(),
  ignore: hosts.optional(),
  allow_fallbacks: z.boolean().optional(),
  require_parameters: z.boolean().optional(),
  data_collection: z.enum(["allow", "deny"]).optional(),
  zdr: z.boolean().optional(),
  quantizations: hosts.optional(),
  sort: z.enum(["price", "throughput", "latency"]).optional(),
  max_price: z
    .strictObject({
      prompt: price.optional(),
      completion: price.optional(),
      image: price.optional(),
      request: price.optional(),
    })
    .optional(),
  preferred_min_throughput: z.union([z.number(), z.record(z.string(), z.number())]).optional(),
  preferred_max_latency: z.union([z.number(), z.record(z.string(), z.number())]).optional(),
});

const typed = { provider: routing, response_healing: z.boolean() };

export const options = z
  .record(z.string(), z.unknown())
  .superRefine((given, context) => {
    for (const field of Object.keys(given).filter((each) => !allowed.includes(each)))
      context.addIssue({ code: "custom", path: [field], message: `Not one of: ${allowed.join(", ")}` });
    for (const [field, shape] of Object.entries(typed)) {
      const read = given[field] === undefined ? undefined : shape.safeParse(given[field]);
      for (const { path, message } of read?.error?.issues ?? [])
        context.addIssue({ code: "custom", path: [field, ...path], message });
    }
  })
  .describe(
    `Fields of the request that only this provider knows, such as OpenRouter's \`provider\`: ${allowed.join(", ")}. Changing them needs the scope admin`,
  );
