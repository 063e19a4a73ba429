/** The server's answers about channels, as far as the pages show them. */
import * as z from "zod/mini";

const object = z.record(z.string(), z.unknown());

export const channel = z.object({
  channel_id: z.string(),
  platform: z.string(),
  target_id: z.string(),
  target_name: z.nullable(z.string()),
  allow_duplicate: z.boolean(),
  title: z.nullable(z.string()),
  state: z.enum(["active", "paused", "disabled"]),
  paused_until: z.nullable(z.string()),
  owner: z.nullable(z.object({ product: z.string(), user: z.string() })),
  auth_ref: z.string(),
  has_credential: z.boolean(),
  rate_group: z.string(),
  send_mode: z.string(),
  rate_rps: z.nullable(z.number()),
  max_parallel: z.number(),
  timezone: z.nullable(z.string()),
  window_mode: z.string(),
  posting_window: z.nullable(object),
  dedup_ttl_hours: z.nullable(z.number()),
  unknown_policy: z.string(),
  max_age_seconds: z.nullable(z.number()),
  on_stale: z.string(),
  catchup: z.string(),
  silence_after_seconds: z.nullable(z.number()),
  pause_on_permanent_seconds: z.nullable(z.number()),
  disable_after_permanent_streak: z.nullable(z.number()),
  template_ref: z.nullable(z.string()),
  settings: object,
  tags: z.array(z.string()),
  route_filter: z.nullable(z.record(z.string(), z.array(z.string()))),
});
export type Channel = z.infer<typeof channel>;

export const busyChannel = z.extend(channel, {
  activity: z.optional(
    z.object({
      waiting: z.number(),
      held: z.number(),
      next_due_at: z.nullable(z.string()),
      block: z.nullable(z.string()),
      last_sent_at: z.nullable(z.string()),
      stop: z.nullable(
        z.object({
          by: z.nullable(z.string()),
          operator: z.nullable(z.string()),
          reason: z.nullable(z.string()),
          help: z.string(),
        }),
      ),
    }),
  ),
});
export type BusyChannel = z.infer<typeof busyChannel>;

export const channelPage = z.object({ items: z.array(channel), next: z.nullable(z.string()) });

const words = z.object({ text: z.string(), advice: z.optional(z.string()) });
export const channelTest = z.object({
  ok: z.boolean(),
  steps: z.array(
    z.object({
      step: z.string(),
      finding: z.string(),
      en: words,
      ru: words,
      said: z.optional(z.string()),
    }),
  ),
});
export type ChannelTest = z.infer<typeof channelTest>;

export const operationReport = z.object({
  dry_run: z.boolean(),
  channels: z.array(
    z.object({ channel_id: z.string(), state: z.string(), changes: z.record(z.string(), z.unknown()) }),
  ),
});

export const credential = z.object({
  platform: z.string(),
  auth_ref: z.string(),
  kept_in: z.string(),
  channels: z.number(),
  rotated_at: z.nullable(z.string()),
  updated_at: z.string(),
});
export type Credential = z.infer<typeof credential>;
export const credentialPage = z.object({ items: z.array(credential), next: z.nullable(z.string()) });

export const place = z.object({ target_id: z.string(), title: z.string(), members: z.nullable(z.number()) });
export const places = z.object({ items: z.array(place) });

export const consentLink = z.object({ url: z.string(), expires_at: z.string() });

export const delivery = z.object({
  id: z.string(),
  message_id: z.string(),
  status: z.string(),
  due_at: z.nullable(z.string()),
  held: z.nullable(z.string()),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  snippet: z.string(),
  sent_at: z.nullable(z.string()),
  updated_at: z.string(),
});
export type Delivery = z.infer<typeof delivery>;

export const template = z.object({ template_id: z.string(), active: z.boolean() });
export const templatePage = z.object({ items: z.array(template), next: z.nullable(z.string()) });

export const platforms = ["telegram", "max", "wordpress", "vk", "pinterest"] as const;
export type PlatformName = (typeof platforms)[number];
