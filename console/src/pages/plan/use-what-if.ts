import { useMutation } from "@tanstack/react-query";
import { ask, useChange, withQuery } from "../../api/index.ts";
import type { Changes } from "./channel-changes.ts";
import { momentsOf, type Span } from "./days.ts";
import { comparison, nothing, type PacedChannel } from "./shapes.ts";

interface Asked {
  readonly channel: PacedChannel;
  readonly changes: Changes;
}

/** Asks what would move; nothing is saved. */
export function useCompare(workspaceId: string, span: Span) {
  return useMutation({
    mutationFn: ({ channel, changes: { fields, enabled } }: Asked) =>
      ask(withQuery("/plan/compare", { workspace_id: workspaceId, ...momentsOf(span) }), comparison, {
        method: "POST",
        body: {
          changes: {
            channels: { [channel.channel_id]: { ...fields, ...(enabled !== undefined && { enabled }) } },
          },
        },
      }),
  });
}

/** Makes the changes for good. */
export function useApply(workspaceId: string) {
  return useChange(
    async ({ channel, changes: { fields, enabled }, reason }: Asked & { readonly reason: string }) => {
      const path = `/channels/${channel.channel_id}`;
      const query = { workspace_id: workspaceId };
      if (Object.keys(fields).length > 0)
        await ask(withQuery(path, query), nothing, { method: "PATCH", body: { ...fields, reason } });
      if (enabled !== undefined)
        await ask(withQuery(`${path}/${enabled ? "enable" : "disable"}`, query), nothing, {
          method: "POST",
          body: { reason },
        });
    },
    ["plan", "channels", "overview"],
  );
}
