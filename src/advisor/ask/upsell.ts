import { z } from "zod";
import { limits } from "../advisor-limits.ts";
import type { Plan } from "../advisor-settings.ts";
import type { SubjectTexts } from "../subject/subject.ts";

export const upsellReasons = [
  "after_1st_answer",
  "after_2nd_answer",
  "media_attempt",
  "research_attempt",
  "memory_attempt",
  "limit_reached",
] as const;
export type UpsellReason = (typeof upsellReasons)[number];

export const upsellShape = z.object({
  show: z.boolean(),
  reason: z.enum(upsellReasons).nullable(),
  cta: z.string().nullable(),
  type: z.literal("pro").optional(),
  title: z.string().optional(),
  text: z.string().optional(),
});
export type Upsell = z.output<typeof upsellShape>;

export const noUpsell: Upsell = { show: false, reason: null, cta: null };

export function upsellOf(reason: UpsellReason, { upsell }: SubjectTexts): Upsell {
  return { show: true, reason, type: "pro", ...upsell };
}

/** At most one offer a day, only on Free. */
export function upsellAfter(
  { plan, answers, lastUpsellAt, now }: { plan: Plan; answers: number; lastUpsellAt: Date | null; now: Date },
  texts: SubjectTexts,
): Upsell {
  const isRecent = lastUpsellAt !== null && now.getTime() - lastUpsellAt.getTime() < limits.upsellEveryMs;
  if (plan !== "free" || isRecent || answers > 2) return noUpsell;
  return upsellOf(answers === 1 ? "after_1st_answer" : "after_2nd_answer", texts);
}
