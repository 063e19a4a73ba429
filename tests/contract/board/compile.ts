import { createLossLog, markedTextOf, type Post } from "../../../src/content/index.ts";
import { rulesFor } from "../../../src/platforms/channel-settings.ts";
import { checkLosses, checkPost } from "../../../src/platforms/check-post.ts";
import { compiledMedia } from "../../../src/platforms/compiled-media.ts";
import type { ChannelProfile, CompileResult } from "../../../src/platforms/index.ts";
import { invalid, tooLong } from "../../../src/platforms/send-error.ts";
import { limits } from "./limits.ts";

const noSchemes: ReadonlySet<string> = new Set();

/** One note: plain text under a title, with pictures below. */
export function compile(post: Post, channel: ChannelProfile): CompileResult {
  const losses = createLossLog();
  const chosen = rulesFor(post, channel);
  if (!chosen.ok) return chosen;
  const { text, marks } = markedTextOf(post.document, { losses, linkSchemes: noSchemes });
  const title = post.article?.title;
  const foreign = post.media.find(({ kind }) => kind !== "photo");
  const error =
    checkPost(post, text, channel) ??
    (text.length > limits.text
      ? tooLong("the text", { length: text.length, limit: limits.text })
      : undefined) ??
    (title && title.length > limits.title
      ? tooLong("the title", { length: title.length, limit: limits.title })
      : undefined) ??
    (foreign && invalid(`a note shows pictures only, not ${foreign.kind}`)) ??
    (post.media.length > limits.media ? invalid(`a note shows at most ${limits.media} pictures`) : undefined);
  if (error) return { ok: false, error };
  if (marks.length > 0) losses.add("formatting_dropped");
  if (post.buttons.length > 0) losses.add("buttons_dropped");
  const lost = checkLosses(losses.losses, chosen.rules);
  if (lost) return { ok: false, error: lost };
  const body = { ...(title && { title }), text };
  const request = { method: "notes", body, text, media: post.media.map(compiledMedia) };
  return {
    ok: true,
    compiled: { platform: "board", requests: [request], plainText: text, losses: losses.losses },
  };
}
