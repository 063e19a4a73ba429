import { z } from "zod";
import type { ChannelProfile, SendError } from "../contract.ts";
import type { ChannelSetting } from "../definition.ts";

/** Settings of Pinterest channels only. */
export const channelSettings = {
  articles: {
    kinds: ["string"],
    words: ["shorten", "refuse"],
    about: "Pinterest: show an article as a Pin that leads to its original, or refuse it",
  },
} as const satisfies Record<string, ChannelSetting>;

const shape = z.looseObject({ articles: z.enum(channelSettings.articles.words).nullish() });

export type BoardRulesResult =
  | { readonly ok: true; readonly takesArticles: boolean }
  | { readonly ok: false; readonly error: SendError };

export function boardRulesOf({ settings }: Pick<ChannelProfile, "settings">): BoardRulesResult {
  const read = shape.safeParse(settings);
  if (read.success) return { ok: true, takesArticles: read.data.articles !== "refuse" };
  const [issue] = read.error.issues;
  const message = `the channel's setting ${issue?.path.join(".")} is wrong: ${issue?.message}`;
  return {
    ok: false,
    error: { category: "PERMANENT", scope: "channel", code: "channel_misconfigured", message },
  };
}
