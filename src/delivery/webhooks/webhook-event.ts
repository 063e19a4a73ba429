import { z } from "zod";

/** The events that webhooks are told of; `delivery.webhook_types` says which actions of the audit trail they are. */
export const webhookTypes = {
  "delivery.sent": "the platform took the post",
  "delivery.retrying": "an attempt failed in a way that may pass; another follows",
  "delivery.failed": "the platform refused the post for good, or it does not fit the channel",
  "delivery.dead": "the attempts are used up",
  "delivery.cancelled": "it was called off before it was sent, or became too old",
  "delivery.corrected": "readers see the post in new words",
  "delivery.withdrawn": "the post was taken back",
  "delivery.correction_failed": "a post could not be changed or taken back",
  "channel.paused": "the channel refused posts and rests until `paused_until`",
  "channel.disabled": "the channel was switched off, by itself or by a person",
  "channel.enabled": "the channel is switched on again",
  "webhook.disabled": "another webhook was switched off because its receiver does not answer",
} as const;
export type WebhookType = keyof typeof webhookTypes;
export const webhookTypeNames = Object.keys(webhookTypes) as [WebhookType, ...WebhookType[]];

/** Sent on request only, to a webhook of any types. */
export const testType = "webhook.test";

/** The body of every webhook. Fields may be added; those that are here keep their meaning. */
export const webhookEvent = z
  .object({
    type: z.enum([...webhookTypeNames, testType]),
    timestamp: z.iso.datetime().describe("When it happened"),
    data: z.object({
      event_id: z.uuid().describe("Also the header `webhook-id`: the same in every attempt and replay"),
      workspace_id: z.uuid(),
      delivery: z
        .object({
          delivery_id: z.uuid(),
          message_id: z.uuid(),
          status: z.string(),
          attempt: z.int(),
          provider_message_id: z.string().nullable(),
          url: z.string().nullable().describe("The public address of the post, where the platform has one"),
          source_ref: z.string().nullable().describe("The sender's own id of the post"),
          trace_id: z.string().nullable(),
        })
        .nullable()
        .describe("Of the types `delivery.*`"),
      channel: z
        .object({
          channel_id: z.uuid(),
          platform: z.string(),
          target_id: z.string(),
          title: z.string().nullable(),
          enabled: z.boolean(),
          paused_until: z.string().nullable(),
        })
        .nullable(),
      webhook_id: z.uuid().nullable().describe("Of `webhook.disabled`"),
      error: z
        .object({
          code: z.string().nullable(),
          category: z.string().nullable(),
          message: z.string().nullable(),
        })
        .nullable(),
    }),
  })
  .meta({ id: "WebhookEvent" });
