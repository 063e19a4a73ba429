import { useMutation } from "@tanstack/react-query";
import { ask, tell, useChange, useList, useThing, withQuery } from "../../api/index.ts";
import type { Kind } from "./shapes.ts";
import { report, source, sourceRun } from "./shapes.ts";

const topics = ["sources", "messages", "deliveries", "overview", "plan"];

export function useSources(workspaceId: string) {
  return useList("/sources", { workspace_id: workspaceId }, source, { topic: "sources" });
}

export function useSource(workspaceId: string, id: string) {
  return useThing(`/sources/${encodeURIComponent(id)}`, { workspace_id: workspaceId }, source, {
    topic: "sources",
    // A run that brings nothing is no event of the stream.
    everyMs: 5_000,
  });
}

export function useRuns(workspaceId: string, id: string) {
  return useList(`/sources/${encodeURIComponent(id)}/runs`, { workspace_id: workspaceId }, sourceRun, {
    topic: "sources",
    limit: 20,
  });
}

export interface Settings {
  readonly kind: Kind;
  readonly config: Readonly<Record<string, unknown>>;
  readonly secret?: string;
}

/** What would be posted; nothing is saved. */
export function useRehearsal(workspaceId: string) {
  return useMutation({
    mutationFn: (tried: Settings & { readonly source_id?: string }) =>
      ask(withQuery("/sources/rehearse", { workspace_id: workspaceId }), report, {
        method: "POST",
        body: tried,
      }),
  });
}

export function useSourceActs(workspaceId: string) {
  const query = { workspace_id: workspaceId };
  const pathOf = (id: string, verb = "") => withQuery(`/sources/${encodeURIComponent(id)}${verb}`, query);
  const add = useChange(
    (body: Settings & { source_id: string; every_seconds: number }) =>
      ask(withQuery("/sources", query), source, { method: "POST", body }),
    topics,
  );
  const change = useChange(
    ({ id, ...body }: { id: string; every_seconds: number; reason?: string } & Omit<Settings, "kind">) =>
      ask(pathOf(id), source, { method: "PATCH", body }),
    topics,
  );
  const run = useChange(
    (id: string) => ask(pathOf(id, "/run"), report, { method: "POST", body: {} }),
    topics,
  );
  const turn = useChange(
    ({ id, on, reason }: { id: string; on: boolean; reason?: string }) =>
      ask(pathOf(id, on ? "/enable" : "/disable"), source, {
        method: "POST",
        body: reason === undefined ? {} : { reason },
      }),
    topics,
  );
  const remove = useChange(
    ({ id, reason }: { id: string; reason: string }) =>
      tell(withQuery(`/sources/${encodeURIComponent(id)}`, { ...query, reason }), { method: "DELETE" }),
    topics,
  );
  return { add, change, run, turn, remove };
}
