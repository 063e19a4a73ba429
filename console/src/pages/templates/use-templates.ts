import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ask, tell, useChange, useList, useThing, withQuery } from "../../api/index.ts";
import { channel, rendering, template, versions } from "./shapes.ts";

const topics = ["templates"];

export function useTemplates(workspaceId: string) {
  return useList("/templates", { workspace_id: workspaceId }, template, { topic: "templates" });
}

export function useVersions(workspaceId: string, id: string, enabled = true) {
  return useThing(`/templates/${encodeURIComponent(id)}`, { workspace_id: workspaceId }, versions, {
    topic: "templates",
    enabled,
  });
}

export function useChannels(workspaceId: string) {
  return useList("/channels", { workspace_id: workspaceId }, channel, { topic: "channels", limit: 200 });
}

export interface NewVersion {
  readonly template_id: string;
  readonly body: string;
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly activate: boolean;
}

export function useTemplateActs(workspaceId: string) {
  const query = { workspace_id: workspaceId };
  const save = useChange(
    (body: NewVersion) => ask(withQuery("/templates", query), template, { method: "POST", body }),
    topics,
  );
  const activate = useChange(
    ({ id, ...body }: { id: string; version: number; reason: string }) =>
      ask(withQuery(`/templates/${encodeURIComponent(id)}/activate`, query), template, {
        method: "POST",
        body,
      }),
    topics,
  );
  const remove = useChange(
    ({ id, reason }: { id: string; reason: string }) =>
      tell(withQuery(`/templates/${encodeURIComponent(id)}`, { ...query, reason }), { method: "DELETE" }),
    topics,
  );
  return { save, activate, remove };
}

export interface Trial {
  readonly channel_id: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly template: { readonly body: string; readonly defaults: Readonly<Record<string, unknown>> };
}

const restMs = 300;

/** What a channel would show; asked when the person pauses. Undefined asks nothing. */
export function useTrial(workspaceId: string, trial: Trial | undefined) {
  const text = trial && JSON.stringify(trial);
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return useQuery({
    queryKey: ["templates", workspaceId, "trial", rested],
    queryFn: ({ signal }) =>
      ask(withQuery("/render", { workspace_id: workspaceId }), rendering, {
        method: "POST",
        body: JSON.parse(rested ?? "{}"),
        signal,
      }),
    enabled: rested !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}
