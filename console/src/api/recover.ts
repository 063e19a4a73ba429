import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ask } from "./request.ts";
import { recovered } from "./shapes.ts";

/** What to bring back: everything that failed since then, of one channel, of one credential, or of the whole workspace. */
export interface Recovery {
  readonly since: string;
  readonly channel_id?: string;
  readonly credential?: { readonly platform: string; readonly auth_ref: string };
}

const pathOf = (workspaceId: string) => `/deliveries/recover?workspace_id=${encodeURIComponent(workspaceId)}`;

/** What would come back; nothing is changed. */
export function useRecoverable(workspaceId: string, recovery: Recovery) {
  return useQuery({
    queryKey: ["recoverable", workspaceId, recovery],
    queryFn: ({ signal }) =>
      ask(pathOf(workspaceId), recovered, {
        method: "POST",
        body: { ...recovery, reason: "preview", dry_run: true },
        signal,
      }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}

export function useRecover(workspaceId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Recovery & { readonly reason: string }) =>
      ask(pathOf(workspaceId), recovered, { method: "POST", body }),
    onSuccess: () =>
      Promise.all(
        ["overview", "channels", "deliveries"].map((topic) =>
          client.invalidateQueries({ queryKey: [topic, workspaceId] }),
        ),
      ),
  });
}
