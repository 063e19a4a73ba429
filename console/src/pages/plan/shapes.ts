import * as z from "zod/mini";

const channel = z.object({ id: z.nullable(z.string()), title: z.nullable(z.string()), platform: z.string() });

const entry = z.object({
  kind: z.enum(["delivery", "article", "post", "object"]),
  id: z.string(),
  at: z.string(),
  local: z.string(),
  zone: z.string(),
  channel,
  title: z.string(),
  what: z.string(),
  note: z.nullable(z.string()),
  delivery: z.nullable(
    z.object({ status: z.string(), attempt: z.number(), fate: z.string(), reason: z.string() }),
  ),
});
export type Entry = z.infer<typeof entry>;

const waiting = z.object({
  id: z.string(),
  snippet: z.string(),
  channel: z.object({ title: z.nullable(z.string()), target: z.string(), platform: z.string() }),
});
const stopped = z.extend(waiting, { reason: z.string() });
const held = z.extend(waiting, { held_at: z.string(), hold_reason: z.string() });
export type Stopped = z.infer<typeof stopped>;
export type Held = z.infer<typeof held>;

export const plan = z.object({
  at: z.string(),
  zone: z.string(),
  truncated: z.boolean(),
  items: z.array(entry),
  stopped: z.array(stopped),
  held: z.array(held),
  counts: z.object({ items: z.number(), later: z.number(), stopped: z.number(), held: z.number() }),
});
export type Plan = z.infer<typeof plan>;

const fate = z.object({ fate: z.string(), at: z.nullable(z.string()), reason: z.string() });
const moved = z.extend(waiting, {
  zone: z.string(),
  change: z.enum(["earlier", "later", "never", "again"]),
  before: fate,
  after: fate,
});
export type Moved = z.infer<typeof moved>;
export type Fate = z.infer<typeof fate>;

export const comparison = z.object({
  truncated: z.boolean(),
  counts: z.object({
    earlier: z.number(),
    later: z.number(),
    never: z.number(),
    again: z.number(),
    same: z.number(),
  }),
  items: z.array(moved),
});
export type Comparison = z.infer<typeof comparison>;

export const pacedChannel = z.object({
  channel_id: z.string(),
  title: z.nullable(z.string()),
  target_id: z.string(),
  target_name: z.nullable(z.string()),
  platform: z.string(),
  state: z.string(),
  rate_rps: z.nullable(z.number()),
  window_mode: z.string(),
  posting_window: z.nullable(z.record(z.string(), z.unknown())),
});
export type PacedChannel = z.infer<typeof pacedChannel>;

export const operated = z.object({ status: z.nullable(z.string()) });
export const nothing = z.object({});
