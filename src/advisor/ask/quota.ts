import { z } from "zod";

/** The result of `advisor.quota_of`. */
export const quotaShape = z.object({
  plan: z.enum(["free", "pro"]),
  remaining: z.int(),
  cooldown_until: z.coerce.date().nullable(),
  reset_at: z.coerce.date(),
  research_used: z.int(),
  research_limit: z.int(),
  research_reset_at: z.coerce.date(),
  photos_used: z.int(),
  photo_limit: z.int(),
  photos_reset_at: z.coerce.date(),
});
export type Quota = z.output<typeof quotaShape>;

/** The specified names, then those of older clients. */
export function limitsOf(quota: Quota, now: Date) {
  return {
    remaining_in_window: quota.remaining,
    cooldown_sec: cooldownOf(quota, now),
    reset_at: quota.reset_at.toISOString(),
    plan: quota.plan,
    remaining_today: quota.remaining,
    vision_images_used: quota.photos_used,
    vision_images_limit: quota.photo_limit,
    vision_images_remaining: Math.max(quota.photo_limit - quota.photos_used, 0),
    vision_images_reset_at: quota.photos_reset_at.toISOString(),
  };
}

export function cooldownOf({ cooldown_until: until }: Quota, now: Date): number {
  return until ? Math.max(0, Math.ceil((until.getTime() - now.getTime()) / 1000)) : 0;
}

export function researchOf(quota: Quota) {
  return {
    available: quota.plan === "pro" && quota.research_used < quota.research_limit,
    used_this_period: quota.research_used,
    limit: quota.plan === "pro" ? quota.research_limit : 0,
    reset_at: quota.research_reset_at.toISOString(),
  };
}

export const limitsShape = z.object({
  remaining_in_window: z.int().describe("Questions left today (UTC); -1 means no limit"),
  cooldown_sec: z.int().describe("How long to wait before the next question"),
  reset_at: z.string(),
  plan: z.enum(["free", "pro"]),
  remaining_today: z.int(),
  vision_images_used: z.int(),
  vision_images_limit: z.int(),
  vision_images_remaining: z.int(),
  vision_images_reset_at: z.string(),
});

export const researchShape = z.object({
  available: z.boolean(),
  used_this_period: z.int(),
  limit: z.int(),
  reset_at: z.string(),
});
