import { z } from "zod";

const name = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,49}$/, "Up to 50 small Latin letters, digits and _; the first is a letter");
export const packageCode = name;
/** `api_…` are reserved for provider calls, which people are not charged for. */
export const operationName = name.refine((text) => !text.startsWith("api_"), "api_ is for providers' calls");

const tokens = z.int().min(1).max(100_000_000);
const rub = z.number().positive().max(10_000_000).multipleOf(0.01);

export const packageFields = {
  tokens: tokens.describe("All tokens of the package, the gift included"),
  bonus: z.int().min(0).describe("How many of them are a gift"),
  price_rub: rub,
  price_stars: z.int().min(1).max(100_000),
  subscription_days: z
    .int()
    .min(1)
    .max(366)
    .nullable()
    .describe("How long a paid period lasts; null when it is sold once only. Telegram knows 30"),
  enabled: z.boolean().describe("Whether it is offered"),
};
export const packageSchema = z.object({ code: packageCode, ...packageFields }).meta({ id: "BillingPackage" });
export type Package = z.infer<typeof packageSchema>;

export const packageBody = z.strictObject(packageFields);

export const units = ["piece", "hundred_words"] as const;
export const priceFields = {
  tokens: z.int().min(0).max(1_000_000),
  unit: z.enum(units).describe("What so many tokens are for; a begun hundred words is a whole one"),
};
export const priceSchema = z
  .object({ operation: operationName, ...priceFields })
  .meta({ id: "BillingPrice" });
export type Price = z.infer<typeof priceSchema>;

export const settingsFields = {
  welcome_tokens: z.int().min(0).max(1_000_000).describe("Given once to everybody new"),
  referral_percent: z
    .number()
    .min(0)
    .max(100)
    .describe("Of what somebody pays, in tokens, for whoever brought them"),
  token_rub: z
    .number()
    .min(0)
    .max(10_000)
    .describe("What a token is worth in roubles, for the margin in reports"),
};
export const settingsSchema = z.object(settingsFields).meta({ id: "BillingSettings" });
export type Settings = z.infer<typeof settingsSchema>;
