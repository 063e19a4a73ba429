/** What a person should look at, what was posted last, and what goes out today. */
import * as z from "zod/mini";
import { useList } from "./lists.ts";
import { useThing } from "./things.ts";

const namedChannel = z.object({
  id: z.string(),
  title: z.nullable(z.string()),
  platform: z.string(),
  target: z.string(),
});
export type NamedChannel = z.infer<typeof namedChannel>;

const remedy = z.enum(["retry", "wait", "new_token", "test_channel", "resume_channel", "shorten", "look"]);

const failure = z.object({
  code: z.string(),
  scope: z.string(),
  cause: z.object({
    kind: z.string(),
    channel_id: z.optional(z.string()),
    auth_ref: z.optional(z.string()),
    platform: z.optional(z.string()),
  }),
  deliveries: z.number(),
  posts: z.number(),
  channels: z.number(),
  last_at: z.string(),
  message: z.nullable(z.string()),
  recoverable: z.number(),
  requeueable: z.number(),
  sample_channels: z.array(namedChannel),
  sample_deliveries: z.array(z.string()),
  remedy,
  again: z.enum(["recover", "requeue", "no"]),
});
export type Failure = z.infer<typeof failure>;

const stoppedChannel = z.object({
  channel: namedChannel,
  state: z.enum(["disabled", "paused", "silent"]),
  since: z.nullable(z.string()),
  until: z.nullable(z.string()),
  stopped_by: z.nullable(z.string()),
  operator: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  error_code: z.nullable(z.string()),
  remedy,
});
export type StoppedChannel = z.infer<typeof stoppedChannel>;

const attention = z.object({
  since: z.string(),
  failures: z.array(failure),
  channels: z.array(stoppedChannel),
  sources: z.array(
    z.object({
      source_id: z.string(),
      kind: z.string(),
      state: z.enum(["failing", "late"]),
      since: z.string(),
      error: z.nullable(z.object({ code: z.string(), message: z.string() })),
    }),
  ),
  stuck: z.object({ count: z.number(), since: z.nullable(z.string()) }),
  held: z.object({ count: z.number(), since: z.nullable(z.string()) }),
  truncated: z.array(z.string()),
});
export type Attention = z.infer<typeof attention>;

/** The topic that the live stream names with every change. */
const anyEvent = "events";

/** Silent channels and late sources leave no event that the live stream could tell, so it is asked now and then, too. */
export function useAttention(workspaceId: string, since: string | undefined) {
  return useThing("/attention", { workspace_id: workspaceId, since }, attention, {
    topic: anyEvent,
    everyMs: 60_000,
  });
}

const post = z.object({
  id: z.string(),
  snippet: z.string(),
  created_at: z.string(),
  deliveries: z.record(z.string(), z.number()),
});
export type RecentPost = z.infer<typeof post>;

export function useRecentPosts(workspaceId: string, limit: number) {
  return useList("/messages", { workspace_id: workspaceId }, post, { topic: "messages", limit });
}

const planEntry = z.object({
  kind: z.string(),
  id: z.string(),
  at: z.string(),
  zone: z.string(),
  title: z.nullable(z.string()),
  channel: z.nullable(z.object({ title: z.nullable(z.string()), platform: z.string() })),
});
export type PlanEntry = z.infer<typeof planEntry>;

const plan = z.object({ items: z.array(planEntry), counts: z.object({ items: z.number() }) });

export function usePlanUntil(workspaceId: string, to: string) {
  return useThing("/plan", { workspace_id: workspaceId, to }, plan, { topic: anyEvent, everyMs: 60_000 });
}
