import type { SubjectTexts } from "../subject/subject.ts";
import { Refusal } from "../v1/refusal.ts";
import type { QuotaRefusal } from "./begin-request.ts";
import type { Question } from "./question.ts";
import { limitsOf, type Quota, researchOf } from "./quota.ts";
import { upsellOf } from "./upsell.ts";

/** Why a question was refused, what is left, and an offer of Pro. Nothing is charged. */
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
    cooldown: ["cooldown", "Wait a little between questions.", quota.cooldown_until ?? now],
    daily_limit: ["daily_limit_exceeded", "The questions of today are used up.", quota.reset_at],
    research_limit: [
      "research_limit_exceeded",
      "The research of this month is used up.",
      quota.research_reset_at,
    ],
    photo_limit: ["vision_limit_exceeded", "The photos of this month are used up.", quota.photos_reset_at],
  } as const;
  const [reason, message, until] = waits[why];
  const isOffer = quota.plan === "free" && why === "daily_limit";
  return new Refusal("rate_limited", reason, message, {
    retryAfterSec: secondsTo(until, now),
    more: {
      cooldown_sec: limits.cooldown_sec,
      // The reset time of the exhausted quota; a cooldown exhausts none.
      limits: why === "cooldown" ? limits : { ...limits, reset_at: until.toISOString() },
      ...(why === "research_limit" && { research: researchOf(quota) }),
      ...(isOffer && { upsell: upsellOf("limit_reached", texts) }),
    },
  });
}

function secondsTo(moment: Date, now: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000));
}
