import type { NamedChannel } from "../../../api/index.ts";

/** By its title; one without a title by its address in the messenger. */
export function channelName({ title, target }: Pick<NamedChannel, "title" | "target">): string {
  return title || target;
}
