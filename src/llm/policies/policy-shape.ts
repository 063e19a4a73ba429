import { z } from "zod";
import { lineOfText } from "../../http/index.ts";
import { providerNames } from "../providers/settings.ts";
import { options } from "./options.ts";

/** Names of policies and prompts. */
export const chosenName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    "Up to 64 small Latin letters, digits, - and _; the first is a letter or a digit",
  );
export const provider = z.enum(providerNames);
const model = lineOfText({ min: 1, max: 200 });
export const reason = lineOfText({ min: 3, max: 500 }).describe("Why; it stands in the audit trail");

const fields = {
  provider,
  model: model.describe("As the provider names it"),
  fallbacks: z
    .array(z.strictObject({ provider, model }))
    .max(5)
    .describe("Asked in this order when the model cannot answer"),
  temperature: z.number().min(0).max(2).nullable().describe("Null for models that take none"),
  max_tokens: z.int().min(1).max(200_000),
  timeout_ms: z.int().min(100).max(600_000).describe("For one request"),
  options,
  enabled: z.boolean(),
};

export const policySchema = z
  .object({ key: chosenName, ...fields, updated_at: z.date() })
  .meta({ id: "LlmPolicy" });
export type PolicyView = z.infer<typeof policySchema>;

export const newPolicy = z.strictObject({
  key: chosenName,
  ...fields,
  fallbacks: fields.fallbacks.default([]),
  temperature: fields.temperature.default(null),
  options: fields.options.default({}),
  enabled: fields.enabled.default(true),
});

/** Given fields replace the old values. */
export const policyChange = z.strictObject({
  provider: fields.provider.optional(),
  model: fields.model.optional(),
  fallbacks: fields.fallbacks.optional(),
  temperature: fields.temperature.optional(),
  max_tokens: fields.max_tokens.optional(),
  timeout_ms: fields.timeout_ms.optional(),
  options: fields.options.optional(),
  enabled: fields.enabled.optional(),
  reason: reason.optional(),
});
export type PolicyChange = Omit<z.infer<typeof policyChange>, "reason">;

const usd = z.number().min(0).max(10_000).describe("Dollars for a million tokens");
const imageUsd = z.number().min(0).max(1_000).nullable().describe("Dollars for one picture");

export const priceSchema = z
  .object({
    provider,
    model,
    prompt_usd: z.number(),
    completion_usd: z.number(),
    image_usd: z.number().nullable(),
    updated_at: z.date(),
  })
  .meta({ id: "LlmPrice" });
export type PriceView = z.infer<typeof priceSchema>;

export const newPrice = z.strictObject({
  provider,
  model,
  prompt_usd: usd,
  completion_usd: usd,
  image_usd: imageUsd.optional(),
});
