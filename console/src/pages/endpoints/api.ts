import { ask, tell, useChange, withQuery } from "../../api/index.ts";
import { endpoint, opened } from "./shapes.ts";

export const topic = "endpoints";

export interface EndpointFields {
  readonly name: string;
  readonly description?: string | null;
  readonly kind?: string;
  readonly mode?: string;
  readonly ingress_rps?: number;
  readonly max_payload_bytes?: number;
  readonly hash_drop_window_sec?: number;
  readonly keep_bodies?: boolean;
  readonly networks?: readonly string[];
}

export function useCreateEndpoint(workspaceId: string) {
  return useChange(
    (body: EndpointFields) =>
      ask(withQuery("/endpoints", { workspace_id: workspaceId }), opened, { method: "POST", body }),
    [topic],
  );
}

/** What is done to one endpoint. */
export function useEndpointActions(workspaceId: string, id: string) {
  const at = (verb = "", query = {}) =>
    withQuery(`/endpoints/${encodeURIComponent(id)}${verb}`, { workspace_id: workspaceId, ...query });
  const post = (verb: string, body: object) => ({
    path: at(verb),
    request: { method: "POST", body } as const,
  });
  const withSecrets = (verb: string, body: object) => {
    const { path, request } = post(verb, body);
    return ask(path, opened, request);
  };
  return {
    change: useChange((body: EndpointFields) => ask(at(), endpoint, { method: "PATCH", body }), [topic]),
    rotate: useChange(
      (body: { overlap_seconds: number; reason: string }) => withSecrets("/rotate", body),
      [topic],
    ),
    sign: useChange((body: { mode: string; reason: string }) => withSecrets("/signing", body), [topic]),
    enable: useChange(
      ({ enabled, reason }: { enabled: boolean; reason: string }) => {
        const { path, request } = post(enabled ? "/enable" : "/disable", { reason });
        return ask(path, endpoint, request);
      },
      [topic],
    ),
    remove: useChange((reason: string) => tell(at("", { reason }), { method: "DELETE" }), [topic]),
  };
}
