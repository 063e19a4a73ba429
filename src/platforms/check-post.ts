import type { Loss, Post } from "../content/index.ts";
import type { Rules } from "./channel-settings.ts";
import type { ChannelProfile, SendError } from "./contract.ts";
import { invalid } from "./send-error.ts";

/** Checks that apply to every platform, before its own rules. `text` is what a reader would see. */
export function checkPost(post: Post, text: string, channel: ChannelProfile): SendError | undefined {
  if (text === "" && post.media.length === 0) return invalid("the post has neither text nor media");
  if (channel.sendMode === "text" && post.media.length > 0) {
    return invalid("the channel takes posts without media only");
  }
  if (channel.sendMode === "media" && post.media.length === 0) {
    return invalid("the channel takes posts with media only");
  }
  return undefined;
}

/** A strict channel refuses a post that would lose anything. */
export function checkLosses(losses: readonly Loss[], { strict }: Rules): SendError | undefined {
  if (!strict || losses.length === 0) return undefined;
  const told = losses.map(({ code, message }) => `${message} (${code})`).join("; ");
  return invalid(`the channel is strict and this would be lost: ${told}`, {
    losses: losses.map(({ code }) => code),
  });
}
