import { Platform } from "../../ui/index.ts";
import type { ChannelName } from "./shapes.ts";

export const nameOf = ({ title, target }: Pick<ChannelName, "title" | "target">) => title ?? target;

/** A channel by its name, with its platform below. */
export function ChannelLabel({ channel }: { channel: Pick<ChannelName, "title" | "target" | "platform"> }) {
  return (
    <span className="channel-label">
      <span>{nameOf(channel)}</span>
      <Platform name={channel.platform} />
    </span>
  );
}
