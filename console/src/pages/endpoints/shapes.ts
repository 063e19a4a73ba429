import * as z from "zod/mini";

export const endpoint = z.object({
  endpoint_id: z.string(),
  kind: z.enum(["webhook_push", "bot_webhook", "pull_source"]),
  name: z.nullable(z.string()),
  description: z.nullable(z.string()),
  enabled: z.boolean(),
  mode: z.enum(["secret", "signature", "either"]),
  address: z.string(),
  has_signing_secret: z.boolean(),
  replaced_by: z.nullable(z.string()),
  ends_at: z.nullable(z.string()),
  last_used_at: z.nullable(z.string()),
  source_id: z.nullable(z.string()),
  ingress_rps: z.number(),
  max_payload_bytes: z.number(),
  hash_drop_window_sec: z.number(),
  keep_bodies: z.boolean(),
  networks: z.array(z.string()),
  created_at: z.string(),
});
export type Endpoint = z.infer<typeof endpoint>;

/** The answer to making and rotating one; the only place that has its secrets. */
export const opened = z.extend(endpoint, {
  secret: z.nullable(z.string()),
  signing_secret: z.nullable(z.string()),
});
export type Opened = z.infer<typeof opened>;

export const run = z.object({
  run_id: z.string(),
  started_at: z.string(),
  finished_at: z.nullable(z.string()),
  trace_id: z.nullable(z.string()),
  accepted: z.number(),
  dropped: z.object({
    repeated: z.number(),
    too_large: z.number(),
    too_fast: z.number(),
    malformed: z.number(),
  }),
  queued: z.number(),
  deduped: z.number(),
  refused: z.number(),
});
export type Run = z.infer<typeof run>;
