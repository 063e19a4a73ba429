import { z } from "zod";
import { lineOfText } from "../../http/index.ts";
import { parsedUrl } from "../../kernel/url/index.ts";
import { idOf, reason, somethingOf } from "../../workspaces/index.ts";
import { idColumns } from "../id-columns.ts";
import { overlapSeconds, signingSecret } from "../signatures/signing-secret.ts";
import { webhookEvent, webhookTypeNames } from "./webhook-event.ts";

/** A webhook as operators see it: without its secret, and without the path of its address, which often is one. */
export const webhookSchema = z
  .object({
    webhook_id: z.uuid(),
    url: z.string(),
    description: z.string().nullable(),
    types: z.array(z.string()).nullable().describe("null: all of them"),
    channel_ids: z.array(z.uuid()).nullable().describe("null: every channel, and events of none"),
    enabled: z.boolean(),
    disabled_reason: z
      .enum(["gone", "failing"])
      .nullable()
      .describe("Why it was disabled by itself: the receiver answered 410, or failed for 5 days"),
    failing_since: z.date().nullable().describe("Since when every attempt fails; null after a success"),
    previous_ends_at: z.date().nullable().describe("Until when messages are signed with the old secret, too"),
    waiting: z.int().describe("Messages that are still to be sent"),
    failed: z.int().describe("Messages that did not arrive and can be replayed"),
    created_at: z.date(),
    updated_at: z.date(),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof webhookSchema>;

export const webhookWithSecret = webhookSchema.extend({
  secret: z.string().describe("Shown here and nowhere else"),
});
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>;

const url = z
  .url({ protocol: /^https?$/, error: "An http or https address is needed" })
  .max(2048)
  .refine((text) => !parsedUrl(text)?.username && !parsedUrl(text)?.password, {
    error: "A name or password does not belong into the address; the signature says who sends",
  });

const fields = {
  url: url.describe("https in production; public addresses only"),
  description: lineOfText({ min: 0, max: 1000 }).nullable(),
  types: z.array(z.enum(webhookTypeNames)).min(1).max(50).nullable().describe("Which events; null: all"),
  channel_ids: z
    .array(idOf(idColumns.channel))
    .min(1)
    .max(500)
    .nullable()
    .describe("Only events of these channels; null: of all"),
  enabled: z.boolean(),
};

export const newWebhook = z
  .strictObject(fields)
  .partial()
  .extend({ url: fields.url, secret: signingSecret.optional(), reason: reason.optional() });
export type NewWebhook = Omit<z.infer<typeof newWebhook>, "reason">;

export const webhookChanges = somethingOf(
  z.strictObject(fields).partial().extend({ reason: reason.optional() }),
);
export type WebhookChanges = Omit<z.infer<typeof webhookChanges>, "reason">;

export const webhookRotation = z.strictObject({
  secret: signingSecret.optional(),
  overlap_seconds: overlapSeconds,
  reason,
});
export type WebhookRotation = Omit<z.infer<typeof webhookRotation>, "reason">;

export const messageStatuses = ["waiting", "sent", "failed"] as const;

/** One message of a webhook's log. */
export const webhookMessageSchema = z
  .object({
    event_id: z.uuid(),
    type: z.string(),
    channel_id: z.uuid().nullable(),
    status: z.enum(messageStatuses),
    attempts: z.int(),
    next_attempt_at: z.date().nullable(),
    response_status: z.int().nullable().describe("Of the last attempt"),
    error: z.string().nullable().describe("Of the last attempt"),
    created_at: z.date(),
    ended_at: z.date().nullable(),
  })
  .meta({ id: "WebhookMessage" });
export type WebhookMessage = z.infer<typeof webhookMessageSchema>;

const attemptSchema = z.object({
  number: z.int(),
  started_at: z.string(),
  duration_ms: z.int().nullable(),
  response_status: z.int().nullable(),
  response_body: z.string().nullable().describe("The beginning of the answer, without secrets"),
  error: z.string().nullable(),
});

export const webhookMessageInFull = webhookMessageSchema.extend({
  payload: webhookEvent,
  log: z.array(attemptSchema).describe("Every attempt, oldest first"),
});
export type WebhookMessageInFull = z.infer<typeof webhookMessageInFull>;

export const replayRequest = z
  .strictObject({
    event_id: z.uuid().optional().describe("One message, whatever became of it"),
    failed_since: z.iso
      .datetime({ offset: true })
      .optional()
      .describe("All that failed and happened since this time"),
    reason: reason.optional(),
  })
  .refine(({ event_id, failed_since }) => (event_id === undefined) !== (failed_since === undefined), {
    error: "Give one of event_id and failed_since",
  });

export const replayed = z.object({ replayed: z.int() });

export const webhookTestResult = z.object({
  event_id: z.uuid(),
  delivered: z.boolean(),
  response_status: z.int().nullable(),
  error: z.string().nullable(),
});
