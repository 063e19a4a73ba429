/** The server's answers about posts that are being written. */
import * as z from "zod/mini";
import { markView } from "../../../playground/types.ts";

export const draft = z.object({
  id: z.string(),
  version: z.number(),
  payload: z.record(z.string(), z.unknown()),
  tags: z.array(z.string()),
  channel_ids: z.nullable(z.array(z.string())),
  scheduled_for: z.nullable(z.string()),
});
export type Draft = z.infer<typeof draft>;

export const draftSummary = z.object({
  id: z.string(),
  title: z.string(),
  media: z.number(),
  channel_ids: z.nullable(z.array(z.string())),
  scheduled_for: z.nullable(z.string()),
  author: z.object({ name: z.string() }),
  updated_at: z.string(),
});
export type DraftSummary = z.infer<typeof draftSummary>;

export const recipients = z.object({
  timezone: z.string(),
  tags: z.array(z.string()),
  channels: z.array(
    z.object({
      id: z.string(),
      title: z.nullable(z.string()),
      platform: z.string(),
      target: z.string(),
      timezone: z.string(),
      limits: z.object({ text: z.number(), caption: z.nullable(z.number()) }),
      because: z.nullable(z.string()),
      because_tags: z.array(z.string()),
    }),
  ),
});
export type Recipients = z.infer<typeof recipients>;
export type Recipient = Recipients["channels"][number];

const told = z.object({ code: z.string(), message: z.string() });

export const rendering = z.object({
  ok: z.boolean(),
  template_version: z.nullable(z.string()),
  messages: z.array(
    z.object({
      title: z.optional(z.string()),
      text: z.string(),
      marks: z.array(markView),
      media: z.array(z.object({ kind: z.string(), url: z.optional(z.string()) })),
      buttons: z.array(z.array(z.object({ text: z.string(), url: z.string() }))),
    }),
  ),
  requests: z.array(z.object({ body: z.record(z.string(), z.unknown()) })),
  losses: z.array(told),
  repairs: z.array(told),
  error: z.nullable(told),
});
export type Rendering = z.infer<typeof rendering>;
export type RenderedMessage = Rendering["messages"][number];

const taken = z.object({
  message_id: z.string(),
  queued: z.number(),
  deduped: z.number(),
  failed_permanent: z.number(),
  skipped_inflight: z.number(),
});

/** A post that came before is dropped, and there is no message to show. */
export const accepted = z.union([taken, z.object({ dropped: z.literal(true) })]);
export type Accepted = z.infer<typeof accepted>;

export const upload = z.object({
  id: z.string(),
  url: z.string(),
  kind: z.string(),
  file_name: z.string(),
});
export type Upload = z.infer<typeof upload>;

const sentContent = z.object({
  text: z.string(),
  parse_mode: z.nullable(z.string()),
  dialect: z.nullable(z.string()),
  buttons: z.array(z.array(z.object({ text: z.string(), url: z.string() }))),
});

export const sentPost = z.object({
  post: sentContent,
  corrected: z.nullable(sentContent),
  media: z.number(),
  tags: z.array(z.string()),
  items: z.array(z.object({ channel: z.object({ id: z.string() }) })),
});
export type SentPost = z.infer<typeof sentPost>;
