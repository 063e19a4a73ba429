import { ask, tell, useChange, withQuery } from "../../api/index.ts";
import { replayed, tested, webhook, withSecret } from "./shapes.ts";

export const topic = "webhooks";

export interface WebhookFields {
  readonly url?: string;
  readonly description?: string | null;
  readonly types?: readonly string[] | null;
  readonly enabled?: boolean;
  readonly reason?: string;
}

/** A receiver may take its time to answer. */
const testPatienceMs = 40_000;

export function useCreateWebhook(workspaceId: string) {
  return useChange(
    (body: WebhookFields) =>
      ask(withQuery("/webhooks", { workspace_id: workspaceId }), withSecret, { method: "POST", body }),
    [topic],
  );
}

export function useWebhookActions(workspaceId: string, id: string) {
  const at = (verb = "", query = {}) =>
    withQuery(`/webhooks/${encodeURIComponent(id)}${verb}`, { workspace_id: workspaceId, ...query });
  return {
    change: useChange((body: WebhookFields) => ask(at(), webhook, { method: "PATCH", body }), [topic]),
    rotate: useChange(
      (body: { overlap_seconds: number; reason: string }) =>
        ask(at("/rotate"), withSecret, { method: "POST", body }),
      [topic],
    ),
    test: useChange(
      () => ask(at("/test"), tested, { method: "POST", body: {}, patienceMs: testPatienceMs }),
      [topic],
    ),
    replay: useChange(
      (body: { event_id: string } | { failed_since: string; reason: string }) =>
        ask(at("/replay"), replayed, { method: "POST", body }),
      [topic],
    ),
    remove: useChange((reason: string) => tell(at("", { reason }), { method: "DELETE" }), [topic]),
  };
}
