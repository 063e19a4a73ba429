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

/** What a channel decides: how posts that do not say are read and sent, and what becomes of those that do not fit. */
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

/** How a post is to be compiled for a channel. */
export interface Rules {
  readonly options: PostOptions;
  /** Whether a text that is too long becomes several messages. */
  readonly split: boolean;
  /** Whether any loss is a refusal. */
  readonly strict: boolean;
  /** How Telegram is told of formatting. */
  readonly markup: "entities" | "html";
}

export type RulesResult =
  | { readonly ok: true; readonly rules: Rules }
  | { readonly ok: false; readonly error: SendError };

/** The channel's rules, with the post's own options before the channel's. */
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
