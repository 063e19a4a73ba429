import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ask, useList, useThing, withQuery } from "../../api/index.ts";
import { momentsOf, type Span } from "./days.ts";
import { operated, pacedChannel, plan } from "./shapes.ts";

/** A plan is calculated anew for each question, so it is not asked for on every event of a busy queue. */
const everyMs = 15_000;

export function usePlan(workspaceId: string, span: Span, channelId: string | undefined) {
  return useThing("/plan", { workspace_id: workspaceId, ...momentsOf(span), channel_id: channelId }, plan, {
    topic: "plan",
    everyMs,
  });
}

export function useChannels(workspaceId: string) {
  return useList("/channels", { workspace_id: workspaceId }, pacedChannel, { topic: "channels", limit: 200 });
}

export interface NewTime {
  readonly id: string;
  readonly at: Date;
  readonly reason: string;
}

export function reschedule(workspaceId: string, { id, at, reason }: NewTime) {
  return ask(withQuery(`/deliveries/${id}/reschedule`, { workspace_id: workspaceId }), operated, {
    method: "POST",
    body: { at: at.toISOString(), reason },
  });
}

export function sendNow(workspaceId: string, id: string, reason: string) {
  return ask(withQuery(`/deliveries/${id}/send-now`, { workspace_id: workspaceId }), operated, {
    method: "POST",
    body: { reason },
  });
}

/** Whether the delivery may be given this time; changes nothing. */
export function useMoveCheck(workspaceId: string, id: string, at: Date | undefined) {
  return useQuery({
    queryKey: ["plan", workspaceId, "check", id, at?.toISOString()],
    queryFn: ({ signal }) =>
      ask(withQuery(`/deliveries/${id}/reschedule`, { workspace_id: workspaceId }), operated, {
        method: "POST",
        body: { at: at?.toISOString(), reason: "rehearsal", dry_run: true },
        signal,
      }),
    enabled: at !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}
