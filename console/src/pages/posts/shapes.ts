/** What the server says of posts and deliveries; only the parts that these pages show. */
import * as z from "zod/mini";

export const statuses = [
  "queued",
  "claimed",
  "sending",
  "retry",
  "sent",
  "deduped",
  "failed_permanent",
  "dead",
] as const;
export type Status = (typeof statuses)[number];

/** How far a delivery came, for people: `withdrawn` is sent, and taken back since. */
export type Stage = Status | "withdrawn" | "held";

const channel = z.object({
  id: z.string(),
  title: z.nullable(z.string()),
  platform: z.string(),
  target: z.string(),
});
export type ChannelName = z.infer<typeof channel>;

const fault = z.object({
  code: z.string(),
  message: z.string(),
  scope: z.optional(z.string()),
});
export type Fault = z.infer<typeof fault>;

const loss = z.object({ code: z.string(), message: z.string() });
export type Loss = z.infer<typeof loss>;

export const post = z.object({
  id: z.string(),
  snippet: z.string(),
  media: z.number(),
  tags: z.array(z.string()),
  source_ref: z.nullable(z.string()),
  seen_count: z.number(),
  created_at: z.string(),
  deliveries: z.record(z.string(), z.number()),
  came_by: z.object({ kind: z.nullable(z.string()), endpoint: z.nullable(z.string()) }),
  error: z.nullable(fault),
});
export type Post = z.infer<typeof post>;

const content = z.object({
  title: z.nullable(z.string()),
  text: z.string(),
  parse_mode: z.nullable(z.string()),
  dialect: z.nullable(z.string()),
  media: z.array(
    z.object({
      type: z.string(),
      url: z.nullable(z.string()),
      alt: z.nullable(z.string()),
      caption: z.nullable(z.string()),
    }),
  ),
  buttons: z.array(z.array(z.object({ text: z.string(), url: z.string() }))),
});
export type Content = z.infer<typeof content>;

export const postDetail = z.extend(post, { post: content, corrected: z.nullable(content) });
export type PostDetail = z.infer<typeof postDetail>;

export const delivery = z.object({
  id: z.string(),
  message_id: z.string(),
  channel,
  status: z.enum(statuses),
  attempt: z.number(),
  due_at: z.nullable(z.string()),
  held: z.nullable(z.string()),
  error: z.nullable(fault),
  snippet: z.string(),
  sent_at: z.nullable(z.string()),
  withdrawn_at: z.nullable(z.string()),
  created_at: z.string(),
});
export type Delivery = z.infer<typeof delivery>;

const why = z.object({
  reason: z.string(),
  since: z.nullable(z.string()),
  expected_at: z.nullable(z.string()),
  details: z.record(z.string(), z.unknown()),
});
export type Why = z.infer<typeof why>;

const explained = z.extend(delivery, {
  url: z.nullable(z.string()),
  losses: z.array(loss),
  simplified: z.array(loss),
  why,
});
export type Explained = z.infer<typeof explained>;

export const postWhy = z.object({
  items: z.array(explained),
  unrouted: z.nullable(z.object({ channels: z.number(), tags: z.array(z.string()) })),
});

export const correction = z.object({
  id: z.string(),
  delivery_id: z.string(),
  channel,
  kind: z.enum(["edit", "remove"]),
  status: z.string(),
  error: z.nullable(fault),
  snippet: z.nullable(z.string()),
  operator: z.string(),
  reason: z.string(),
  created_at: z.string(),
  ended_at: z.nullable(z.string()),
});
export type Correction = z.infer<typeof correction>;

const event = z.object({
  id: z.string(),
  ts: z.string(),
  action: z.string(),
  result: z.string(),
  attempt: z.number(),
  by: z.nullable(z.string()),
  error: z.nullable(fault),
  meta: z.record(z.string(), z.unknown()),
});
export type DeliveryEvent = z.infer<typeof event>;

export const deliveryDetail = z.extend(explained, {
  scheduled_for: z.nullable(z.string()),
  template_version: z.nullable(z.string()),
  corrections: z.array(correction),
  events: z.array(event),
});
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

export const channelChoice = z.object({
  channel_id: z.string(),
  title: z.nullable(z.string()),
  target_id: z.string(),
  target_name: z.nullable(z.string()),
  platform: z.string(),
  timezone: z.nullable(z.string()),
});
export type ChannelChoice = z.infer<typeof channelChoice>;
