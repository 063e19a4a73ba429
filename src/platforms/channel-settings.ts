import { z } from "zod";
import type { Post, PostOptions } from "../content/index.ts";
import type { ChannelProfile, SendError } from "./contract.ts";

/** What a channel decides for posts that do not say. */
const settingsShape = z.object({
  disable_preview: z.boolean().nullish(),
  silent: z.boolean().nullish(),
  protect: z.boolean().nullish(),
  thread_id: z.union([z.string(), z.int()]).nullish(),
  convert_images: z.boolean().nullish(),
});

export type OptionsResult =
  | { readonly ok: true; readonly options: PostOptions }
  | { readonly ok: false; readonly error: SendError };

/** The post's options, completed with the channel's. */
export function optionsFor(post: Post, channel: ChannelProfile): OptionsResult {
  const read = settingsShape.safeParse(channel.settings);
  if (!read.success) {
    const [issue] = read.error.issues;
    const message = `the channel's setting ${issue?.path.join(".")} is wrong: ${issue?.message}`;
    return {
      ok: false,
      error: { category: "PERMANENT", scope: "channel", code: "channel_misconfigured", message },
    };
  }
  const { disable_preview, silent, protect, thread_id } = read.data;
  const options: PostOptions = {
    ...(typeof disable_preview === "boolean" && { linkPreview: !disable_preview }),
    ...(typeof silent === "boolean" && { silent }),
    ...(typeof protect === "boolean" && { protected: protect }),
    ...(thread_id !== undefined && thread_id !== null && { topicId: String(thread_id) }),
    ...post.options,
  };
  return { ok: true, options };
}
