/** What the composer asks the server. */
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ask, withQuery } from "../../api/index.ts";
import type { Saved } from "./draft-keeper.ts";
import { type Post, previewPayload, tagsOf } from "./post.ts";
import {
  type Accepted,
  accepted,
  type Draft,
  draft,
  type Recipients,
  recipients,
  rendering,
  sentPost,
} from "./shapes.ts";

const inWorkspace = (path: string, workspaceId: string) => withQuery(path, { workspace_id: workspaceId });

/** Read once for each time it is opened: what is on the screen then changes through the person only. */
export function useDraft(workspaceId: string, id: string | undefined, time: number) {
  return useQuery({
    queryKey: ["draft", workspaceId, id, time],
    queryFn: ({ signal }) => ask(inWorkspace(`/drafts/${id}`, workspaceId), draft, { signal }),
    ...{ enabled: id !== undefined, gcTime: 0, staleTime: Number.POSITIVE_INFINITY },
  });
}

export function useSentPost(workspaceId: string, id: string | undefined) {
  return useQuery({
    queryKey: ["messages", workspaceId, "like", id],
    queryFn: ({ signal }) => ask(inWorkspace(`/messages/${id}`, workspaceId), sentPost, { signal }),
    ...{ enabled: id !== undefined, gcTime: 0, staleTime: Number.POSITIVE_INFINITY },
  });
}

/** Which channels get the post, as it is routed. */
export function useRecipients(workspaceId: string, post: Post) {
  const body = {
    payload: { text: post.text },
    tags: tagsOf(post),
    ...(post.channelIds && post.channelIds.length > 0 && { channel_ids: post.channelIds }),
  };
  return useQuery({
    queryKey: ["channels", workspaceId, "recipients", body],
    queryFn: ({ signal }): Promise<Recipients> =>
      ask(inWorkspace("/messages/recipients", workspaceId), recipients, { method: "POST", body, signal }),
    placeholderData: keepPreviousData,
  });
}

/** What each of these channels would show. */
export function useRenderings(workspaceId: string, post: Post, channelIds: readonly string[]) {
  const payload = previewPayload(post);
  const isEmpty = post.text.trim() === "" && post.media.length === 0;
  return useQueries({
    queries: channelIds.map((channelId) => ({
      queryKey: ["channels", workspaceId, "render", channelId, payload],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        ask(inWorkspace("/render", workspaceId), rendering, {
          method: "POST",
          body: { channel_id: channelId, payload },
          signal,
        }),
      placeholderData: keepPreviousData,
      enabled: !isEmpty,
    })),
  });
}

/** What would become of the draft if it were sent now. */
export function rehearse(workspaceId: string, { id }: Saved, post: Post): Promise<Accepted> {
  const body = {
    payload: previewPayload(post),
    tags: tagsOf(post),
    channel_ids: post.channelIds,
    scheduled_for: post.scheduledFor,
    source_ref: `draft:${id}`,
    dry_run: true,
  };
  return ask(inWorkspace("/messages", workspaceId), accepted, { method: "POST", body });
}

/** Posts the draft exactly as it was read; asked again, it is not posted again. */
export function sendDraft(workspaceId: string, { id, version }: Saved): Promise<Accepted> {
  return ask(inWorkspace(`/drafts/${id}/send`, workspaceId), accepted, {
    method: "POST",
    body: { version },
  });
}

export async function readDraft(workspaceId: string, id: string): Promise<Draft> {
  return ask(inWorkspace(`/drafts/${id}`, workspaceId), draft);
}

/** Undoes a deletion: the same draft under a new id. */
export function beginDraftLike(workspaceId: string, given: Draft): Promise<Draft> {
  const { payload, tags, channel_ids, scheduled_for } = given;
  const body = { payload, tags, channel_ids, scheduled_for };
  return ask(inWorkspace("/drafts", workspaceId), draft, { method: "POST", body });
}

/** A value that changes when it has not changed for a while. */
export function useRested<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}
