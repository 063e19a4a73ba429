import { z } from "zod";

/** A channel as lists name it: `delivery.channel_facts`. */
export const namedChannelSchema = z.object({
  id: z.string(),
  title: z.string().nullable(),
  platform: z.string(),
  target: z.string().describe("Where it posts: the chat's @name, or the channel's `target_id`"),
});
export type NamedChannel = z.infer<typeof namedChannelSchema>;

/** `Новости (telegram)`; a channel without a title is recognised by its target. */
export function channelWords({
  title,
  target,
  platform,
}: Pick<NamedChannel, "title" | "target" | "platform">): string {
  return `${title ?? target} (${platform})`;
}
