/** The fields of the service's answers that the bot uses. */
import { z } from "zod";

const plan = z.enum(["free", "pro"]);
const limits = z.object({
  plan,
  /** -1 means that there is no limit. */
  remaining_in_window: z.number(),
  vision_images_remaining: z.number().optional(),
});

export const adviceShape = z.object({
  answer_text: z.string(),
  safety_level: z.enum(["low", "medium", "high"]),
  recommended_actions: z.array(z.string()),
  should_go_to_vet: z.boolean(),
  followup_question: z.string().nullable(),
  limits,
  upsell: z.object({ show: z.boolean() }),
  research: z.object({ available: z.boolean().optional() }).nullable(),
});
export type Advice = z.infer<typeof adviceShape>;

export const meShape = z.object({
  plan,
  limits: limits.extend({ reset_at: z.string() }),
  pets: z.array(z.object({ id: z.string(), type: z.string(), name: z.string().nullable() })),
  consents: z.object({ terms_accepted: z.boolean(), data_policy_accepted: z.boolean() }),
  research: z.object({ used_this_period: z.number(), limit: z.number() }),
});
export type Me = z.infer<typeof meShape>;

export const paidShape = z.object({ plan, plan_until: z.string().nullable() });
export type Paid = z.infer<typeof paidShape>;

export const historyShape = z.object({
  items: z.array(
    z.object({ id: z.string(), created_at: z.string(), topic: z.string(), summary: z.string() }),
  ),
});
export type History = z.infer<typeof historyShape>["items"];

export const profileShape = z.record(z.string(), z.unknown());
export type Profile = z.infer<typeof profileShape>;

export const activeShape = z.object({
  pet: z.object({ id: z.string(), profile: profileShape }).nullable(),
});

export const mediaShape = z.object({ media_id: z.string(), upload_url: z.string() });
export const anything = z.unknown();
