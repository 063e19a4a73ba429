import * as z from "zod/mini";
import { useThing } from "../../api/index.ts";

const zoned = z.object({ timezone: z.string() });

/** The channel's zone, which is the workspace's unless it has one of its own. */
export function useZone(workspaceId: string, own: string | null): string {
  const { data } = useThing(`/workspaces/${workspaceId}`, {}, zoned, { topic: "workspaces" });
  return own ?? data?.timezone ?? "UTC";
}
