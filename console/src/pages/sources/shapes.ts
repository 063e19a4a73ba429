import * as z from "zod/mini";

const failure = z.object({ code: z.string(), message: z.string() });

const stats = z.object({
  accepted: z.optional(z.number()),
  seen: z.optional(z.number()),
  payload_rejected: z.optional(z.number()),
  dedup_dropped: z.optional(z.number()),
  interrupted: z.optional(z.boolean()),
  abandoned: z.optional(z.boolean()),
  error: z.optional(failure),
});
export type Stats = z.infer<typeof stats>;

const run = z.object({
  run_id: z.string(),
  started_at: z.string(),
  finished_at: z.nullable(z.string()),
  stats,
});
export type Run = z.infer<typeof run>;

export const sourceRun = z.extend(run, {
  refused: z.array(z.object({ source_ref: z.string(), fault: z.unknown() })),
});
export type SourceRun = z.infer<typeof sourceRun>;

export const sourceKinds = ["rss", "api", "db"] as const;
export type Kind = (typeof sourceKinds)[number];

export const source = z.object({
  source_id: z.string(),
  kind: z.enum(sourceKinds),
  config: z.record(z.string(), z.unknown()),
  enabled: z.boolean(),
  every_seconds: z.number(),
  has_secret: z.boolean(),
  next_run_at: z.string(),
  running: z.boolean(),
  last_run_at: z.nullable(z.string()),
  last_success_at: z.nullable(z.string()),
  failures: z.number(),
  last_error: z.nullable(failure),
  last_run: z.nullable(run),
});
export type Source = z.infer<typeof source>;

const rendering = z.object({
  ok: z.boolean(),
  text: z.optional(z.string()),
  error: z.optional(z.object({ message: z.string() })),
});

const previewed = z.object({
  item: z.object({
    source_ref: z.optional(z.string()),
    tags: z.optional(z.array(z.string())),
    payload: z.optional(
      z.object({ text: z.optional(z.nullable(z.string())), media: z.optional(z.array(z.unknown())) }),
    ),
  }),
  invalid: z.optional(z.string()),
  renderings: z.record(z.string(), rendering),
});
export type Previewed = z.infer<typeof previewed>;

export const report = z.object({
  outcome: z.enum(["done", "unchanged", "failed", "interrupted", "preview"]),
  listed: z.optional(z.number()),
  seen: z.optional(z.number()),
  stats: z.optional(stats),
  failure: z.optional(failure),
  items: z.optional(z.array(previewed)),
});
export type Report = z.infer<typeof report>;
