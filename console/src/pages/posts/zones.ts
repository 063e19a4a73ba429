import { useList } from "../../api/index.ts";
import { channelChoice } from "./shapes.ts";

/** The zone of each channel; one without its own shows the browser's, which is not named. */
export function useZones(workspaceId: string): (channelId: string) => string {
  const channels = useList("/channels", { workspace_id: workspaceId }, channelChoice, {
    ...{ topic: "channels", limit: 200 },
  });
  const zones = new Map(channels.items?.map(({ channel_id, timezone }) => [channel_id, timezone]));
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (channelId) => zones.get(channelId) ?? own;
}
