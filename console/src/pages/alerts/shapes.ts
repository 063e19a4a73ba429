import * as z from "zod/mini";

export const targetKinds = ["telegram", "webhook", "email"] as const;
export type TargetKind = (typeof targetKinds)[number];

export const target = z.object({
  target_id: z.string(),
  kind: z.enum(targetKinds),
  config: z.object({
    chat_id: z.optional(z.string()),
    thread_id: z.optional(z.number()),
    url: z.optional(z.string()),
    secret_as: z.optional(z.enum(["signature", "authorization"])),
    to: z.optional(z.array(z.string())),
    from: z.optional(z.string()),
  }),
  has_secret: z.boolean(),
  language: z.enum(["ru", "en"]),
  enabled: z.boolean(),
  sent_count: z.number(),
  failed_count: z.number(),
  last_error: z.nullable(z.string()),
});
export type Target = z.infer<typeof target>;

export const tested = z.object({
  delivered: z.boolean(),
  response_status: z.nullable(z.number()),
  error: z.nullable(z.string()),
});

export const alert = z.object({
  alert_id: z.string(),
  created_at: z.string(),
  findings: z.array(
    z.object({
      reason: z.string(),
      count: z.number(),
      examples: z.array(
        z.object({
          count: z.number(),
          channel: z.optional(z.string()),
          source_id: z.optional(z.string()),
          account: z.optional(z.string()),
          code: z.optional(z.string()),
          message: z.optional(z.string()),
        }),
      ),
    }),
  ),
  letters: z.array(
    z.object({
      target_id: z.string(),
      kind: z.enum(targetKinds),
      status: z.enum(["pending", "sent", "given_up"]),
      attempts: z.number(),
      last_error: z.nullable(z.string()),
    }),
  ),
});
export type Alert = z.infer<typeof alert>;

export const monitorSettings = z.object({
  failed_permanent_threshold: z.number(),
  paused_channels_threshold: z.number(),
  alert_cooldown_seconds: z.number(),
});
export type MonitorSettings = z.infer<typeof monitorSettings>;
