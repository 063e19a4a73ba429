import * as z from "zod/mini";

export const eventTypes = [
  "delivery.sent",
  "delivery.retrying",
  "delivery.failed",
  "delivery.dead",
  "delivery.cancelled",
  "delivery.corrected",
  "delivery.withdrawn",
  "delivery.correction_failed",
  "channel.paused",
  "channel.disabled",
  "channel.enabled",
  "webhook.disabled",
] as const;
export type EventType = (typeof eventTypes)[number];

export const webhook = z.object({
  webhook_id: z.string(),
  url: z.string(),
  description: z.nullable(z.string()),
  types: z.nullable(z.array(z.string())),
  channel_ids: z.nullable(z.array(z.string())),
  enabled: z.boolean(),
  disabled_reason: z.nullable(z.enum(["gone", "failing"])),
  failing_since: z.nullable(z.string()),
  previous_ends_at: z.nullable(z.string()),
  waiting: z.number(),
  failed: z.number(),
  created_at: z.string(),
});
export type Webhook = z.infer<typeof webhook>;

export const withSecret = z.extend(webhook, { secret: z.string() });
export type WithSecret = z.infer<typeof withSecret>;

export const messageStatuses = ["waiting", "sent", "failed"] as const;

export const message = z.object({
  event_id: z.string(),
  type: z.string(),
  status: z.enum(messageStatuses),
  attempts: z.number(),
  next_attempt_at: z.nullable(z.string()),
  response_status: z.nullable(z.number()),
  error: z.nullable(z.string()),
  created_at: z.string(),
  ended_at: z.nullable(z.string()),
});
export type Message = z.infer<typeof message>;

export const messageInFull = z.extend(message, {
  payload: z.unknown(),
  log: z.array(
    z.object({
      number: z.number(),
      started_at: z.string(),
      duration_ms: z.nullable(z.number()),
      response_status: z.nullable(z.number()),
      response_body: z.nullable(z.string()),
      error: z.nullable(z.string()),
    }),
  ),
});
export type MessageInFull = z.infer<typeof messageInFull>;

export const replayed = z.object({ replayed: z.number() });

export const tested = z.object({
  delivered: z.boolean(),
  response_status: z.nullable(z.number()),
  error: z.nullable(z.string()),
});
export type Tested = z.infer<typeof tested>;
