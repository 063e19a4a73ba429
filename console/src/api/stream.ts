/** What has changed is told by the server, so that pages need not ask again and again. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import * as z from "zod/mini";
import { withQuery } from "./lists.ts";

const changed = z.object({ topics: z.array(z.string()) });

export type Liveness = "opening" | "live" | "lost";

const againMs = 5_000;

/** Reads again what the server says has changed in the workspace. */
export function useStream(workspaceId: string | undefined): Liveness {
  const client = useQueryClient();
  const [state, setState] = useState<Liveness>("opening");
  useEffect(() => {
    if (workspaceId === undefined) return;
    let source: EventSource | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    let wasLost = false;
    const connect = () => {
      const opened = new EventSource(withQuery("/api/v1/stream", { workspace_id: workspaceId }));
      source = opened;
      opened.addEventListener("open", () => {
        setState("live");
        // What happened meanwhile was told to nobody.
        if (wasLost) void client.invalidateQueries();
        wasLost = false;
      });
      opened.addEventListener("error", () => {
        wasLost = true;
        setState("lost");
        // After a refusal, as of a proxy whose server restarts, the browser gives up.
        if (opened.readyState === EventSource.CLOSED) again = setTimeout(connect, againMs);
      });
      opened.addEventListener("changed", ({ data }: MessageEvent<string>) =>
        renew(client, workspaceId, data),
      );
    };
    connect();
    return () => {
      clearTimeout(again);
      source?.close();
    };
  }, [client, workspaceId]);
  return state;
}

/** The keys of queries begin with a topic and a workspace. A page that nobody looks at is read when it is opened. */
function renew(client: QueryClient, workspaceId: string, data: string): void {
  const { topics } = changed.parse(JSON.parse(data));
  for (const topic of topics) void client.invalidateQueries({ queryKey: [topic, workspaceId] });
}
