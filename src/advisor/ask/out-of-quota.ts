import { Refusal } from "../door/refusal.ts";
import type { SubjectTexts } from "../subject/subject.ts";
import type { QuotaRefusal } from "./begin.ts";
import type { Question } from "./question.ts";
import { cooldownOf, limitsOf, type Quota } from "./quota.ts";
import { upsellOf } from "./upsell.ts";

/** Why a question was not taken, with what is left and, for Free, what Pro would change. Nothing was charged. */
export function outOfQuota(
  why: QuotaRefusal,
  quota: Quota,
  { attachment }: Pick<Question, "attachment">,
  texts: SubjectTexts,
  now: Date,
): Refusal {
  const limits = limitsOf(quota, now);
  if (why === "plan_required") {
    const reason = attachment ? "media_attempt" : "research_attempt";
    return new Refusal(
      "plan_required",
      "pro_required",
      attachment ? "Photos and audio are part of Pro." : "Research is part of Pro.",
      {
        more: { limits, upsell: upsellOf(reason, texts) },
      },
    );
  }
  const waits = {
    cooldown: ["cooldown", "Wait a little between questions.", cooldownOf(quota, now)],
    daily_limit: [
      "daily_limit_exceeded",
      "The questions of today are used up.",
      secondsTo(quota.reset_at, now),
    ],
    research_limit: [
      "research_limit_exceeded",
      "The research of this month is used up.",
      secondsTo(quota.research_reset_at, now),
    ],
    photo_limit: [
      "vision_limit_exceeded",
      "The photos of this month are used up.",
      secondsTo(quota.photos_reset_at, now),
    ],
  } as const;
  const [reason, message, retryAfterSec] = waits[why];
  const isOffer = quota.plan === "free" && why === "daily_limit";
  return new Refusal("rate_limited", reason, message, {
    retryAfterSec,
    more: {
      cooldown_sec: limits.cooldown_sec,
      limits,
      ...(isOffer && { upsell: upsellOf("limit_reached", texts) }),
    },
  });
}

function secondsTo(moment: Date, now: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000));
}
