/** The changes that an operator may ask for. Each has a reason; a rehearsal does the same and changes nothing. */
import * as z from "zod/mini";
import { ask, withQuery } from "../../api/index.ts";
import type { DeliveryFilter } from "./filter.ts";
import type { Status } from "./shapes.ts";
import { failed, waiting } from "./status.ts";

/** What is read again after a change. */
export const topics = ["deliveries", "messages", "corrections", "overview"] as const;

export interface Asked {
  readonly reason: string;
  readonly rehearse?: boolean;
}

/** The server wants a reason for a rehearsal too, and keeps it nowhere. */
const bodyOf = ({ reason, rehearse = false }: Asked) =>
  rehearse ? { reason: "rehearsal", dry_run: true } : { reason };

const channelName = z.object({
  title: z.nullable(z.string()),
  platform: z.string(),
  target: z.string(),
});

export const corrected = z.object({
  changed: z.number(),
  refused: z.number(),
  items: z.array(
    z.object({
      delivery_id: z.string(),
      channel: channelName,
      action: z.string(),
      code: z.nullable(z.string()),
      detail: z.nullable(z.string()),
      losses: z.array(z.string()),
    }),
  ),
});
export type Corrected = z.infer<typeof corrected>;

/** A post in all its channels, or one delivery. */
export interface Subject {
  readonly kind: "messages" | "deliveries";
  readonly id: string;
}

export function correct(workspaceId: string, { kind, id }: Subject, text: string, asked: Asked) {
  const path = withQuery(`/${kind}/${id}/correct`, { workspace_id: workspaceId });
  return ask(path, corrected, { method: "POST", body: { changes: { text }, ...bodyOf(asked) } });
}

export function withdraw(workspaceId: string, { kind, id }: Subject, asked: Asked) {
  const path = withQuery(`/${kind}/${id}/withdraw`, { workspace_id: workspaceId });
  return ask(path, corrected, { method: "POST", body: bodyOf(asked) });
}

const operated = z.object({ status: z.nullable(z.string()) });
export type Operation = "cancel" | "hold" | "release" | "send-now";

export function operate(workspaceId: string, operation: Operation, id: string, reason: string) {
  const path = withQuery(`/deliveries/${id}/${operation}`, { workspace_id: workspaceId });
  return ask(path, operated, { method: "POST", body: { reason } });
}

/** What happens to how many deliveries; the same for all operations on many. */
export interface Counted {
  readonly changed: number;
  readonly channels: readonly { readonly name: string; readonly deliveries: number }[];
  /** Channels that stood still and go on. */
  readonly resumed: number;
  /** Why some stay as they are, in the server's words. */
  readonly refusals: readonly string[];
}

const byChannel = z.array(
  z.object({ title: z.nullable(z.string()), target: z.string(), deliveries: z.number() }),
);
const cancelled = z.object({ changed: z.number(), channels: byChannel });
const requeued = z.object({
  changed: z.number(),
  items: z.array(z.object({ refusal: z.nullable(z.string()) })),
});
const recovered = z.object({ recovered: z.number(), resumed: z.number(), channels: byChannel });

const named = (channels: z.infer<typeof byChannel>) =>
  channels.map(({ title, target, deliveries }) => ({ name: title ?? target, deliveries }));

export type Chosen = { readonly ids: readonly string[] } | { readonly filter: DeliveryFilter };

export async function cancelMany(workspaceId: string, chosen: Chosen, asked: Asked): Promise<Counted> {
  const which = "ids" in chosen ? { ids: chosen.ids } : { filter: waitingOf(chosen.filter) };
  const { changed, channels } = await ask(
    withQuery("/deliveries/cancel", { workspace_id: workspaceId }),
    cancelled,
    { method: "POST", body: { ...which, ...bodyOf(asked) } },
  );
  return { changed, channels: named(channels), resumed: 0, refusals: [] };
}

export async function requeueMany(workspaceId: string, chosen: Chosen, asked: Asked): Promise<Counted> {
  const which = "ids" in chosen ? { ids: chosen.ids } : { filter: failedOf(chosen.filter) };
  const { changed, items } = await ask(
    withQuery("/deliveries/requeue", { workspace_id: workspaceId }),
    requeued,
    { method: "POST", body: { ...which, ...bodyOf(asked) } },
  );
  const refusals = [...new Set(items.flatMap(({ refusal }) => refusal ?? []))];
  return { changed, channels: [], resumed: 0, refusals };
}

export async function recoverMany(
  workspaceId: string,
  { channel, since }: { readonly channel?: string | undefined; readonly since: string },
  asked: Asked,
): Promise<Counted> {
  const {
    recovered: changed,
    resumed,
    channels,
  } = await ask(withQuery("/deliveries/recover", { workspace_id: workspaceId }), recovered, {
    method: "POST",
    body: { since, ...(channel && { channel_id: channel }), ...bodyOf(asked) },
  });
  return { changed, channels: named(channels), resumed, refusals: [] };
}

/** Of the filter, what still waits; the server wants at least one condition. */
function waitingOf({ status, channel, since }: DeliveryFilter) {
  return {
    states: status.length > 0 ? status.filter((each) => waiting.includes(each)) : [...waiting],
    ...(channel && { channel_ids: [channel] }),
    ...(since && { created_after: since }),
  };
}

function failedOf({ status, channel, since }: DeliveryFilter) {
  return {
    status: status.length > 0 ? status.filter((each) => failed.includes(each)) : [...failed],
    ...(channel && { channel_id: channel }),
    ...(since && { since }),
  };
}

/** What can be done to everything that fits: nothing waits among the dead. */
export function possibleFor({ status }: DeliveryFilter): { cancel: boolean; requeue: boolean } {
  const some = (group: readonly Status[]) =>
    status.length === 0 || status.some((each) => group.includes(each));
  return { cancel: some(waiting), requeue: some(failed) };
}
