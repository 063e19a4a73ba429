import { chosenOf } from "./chosen.ts";
import type { Post } from "./post.ts";
import type { Recipients } from "./shapes.ts";

/** By whose clock a post is scheduled: that of its channels if they share one, else the workspace's. */
export function zoneOf(found: Recipients | undefined, post: Post): string {
  if (!found) return Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = new Set(chosenOf(found, post).map(({ timezone }) => timezone));
  const [only] = zones;
  return zones.size === 1 && only !== undefined ? only : found.timezone;
}
