import type { Post } from "./post.ts";
import type { Recipient, Recipients } from "./shapes.ts";

/** The channels that the post is for: those that its tags lead to, or those that the person named. */
export function chosenOf(
  found: Recipients | undefined,
  { channelIds }: Pick<Post, "channelIds">,
): readonly Recipient[] {
  return (found?.channels ?? []).filter(({ id, because }) =>
    channelIds ? channelIds.includes(id) && because !== "disabled" : because === null,
  );
}
