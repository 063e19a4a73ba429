import { z } from "zod";
import {
  linkPreviewShape,
  markdownDialects,
  type Post,
  type PostOptions,
  parseModes,
  previewOption,
} from "../content/index.ts";
import type { ChannelProfile, SendError } from "./contract.ts";

/** Defaults for posts that do not set these options themselves, and what to do with posts that do not fit. */
export const channelSettings = z.looseObject({
  parse_mode: z.enum(parseModes).nullish(),
  dialect: z.enum(markdownDialects).nullish(),
  disable_preview: z.boolean().nullish(),
  link_preview: linkPreviewShape.nullish(),
  silent: z.boolean().nullish(),
  protect: z.boolean().nullish(),
  thread_id: z.union([z.string(), z.int()]).nullish(),
  too_long: z.enum(["refuse", "split"]).nullish(),
  broken_markup: z.enum(["refuse", "plain"]).nullish(),
  strict: z.boolean().nullish(),
  markup: z.enum(["entities", "html"]).nullish(),
  convert_images: z.boolean().nullish(),
});

/** How to compile a post for a channel. */
export interface Rules {
  readonly options: PostOptions;
  /** Splits a text that is too long into several messages. */
  readonly split: boolean;
  /** Refuses a post if anything of it would be lost. */
  readonly strict: boolean;
  /** How formatting is sent to Telegram. */
  readonly markup: "entities" | "html";
}

export type RulesResult =
  | { readonly ok: true; readonly rules: Rules }
  | { readonly ok: false; readonly error: SendError };

/** Merges the post's own options over the channel's. */
export function rulesFor(post: Post, channel: ChannelProfile): RulesResult {
  const read = channelSettings.safeParse(channel.settings);
  if (!read.success) {
    const [issue] = read.error.issues;
    const message = `the channel's setting ${issue?.path.join(".")} is wrong: ${issue?.message}`;
    return {
      ok: false,
      error: { category: "PERMANENT", scope: "channel", code: "channel_misconfigured", message },
    };
  }
  const { silent, protect, thread_id, too_long, strict, markup } = read.data;
  const options: PostOptions = {
    ...previewOption(read.data),
    ...(typeof silent === "boolean" && { silent }),
    ...(typeof protect === "boolean" && { protected: protect }),
    ...(thread_id !== undefined && thread_id !== null && { topicId: String(thread_id) }),
    ...post.options,
  };
  return {
    ok: true,
    rules: { options, split: too_long === "split", strict: strict ?? false, markup: markup ?? "entities" },
  };
}
