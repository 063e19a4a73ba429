import { z } from "zod";
import type { ChannelProfile, SendError } from "../contract.ts";
import type { ChannelSetting } from "../definition.ts";

/** Settings of VK channels only. */
export const channelSettings = {
  photos: {
    kinds: ["string"],
    words: ["upload", "link"],
    about:
      "VK: upload pictures, for which it takes a person's key, or show the card of a link in their place, as a community's key must",
  },
  articles: {
    kinds: ["string"],
    words: ["shorten", "refuse"],
    about:
      "VK: show an article as a post, shortened to what fits, with the link to its original, or refuse it",
  },
} as const satisfies Record<string, ChannelSetting>;

const shape = z.looseObject({
  photos: z.enum(channelSettings.photos.words).nullish(),
  articles: z.enum(channelSettings.articles.words).nullish(),
});

export interface WallRules {
  readonly photos: "upload" | "link";
  readonly articles: "shorten" | "refuse";
}

export type WallRulesResult =
  | { readonly ok: true; readonly wall: WallRules }
  | { readonly ok: false; readonly error: SendError };

export function wallRulesOf({ settings }: Pick<ChannelProfile, "settings">): WallRulesResult {
  const read = shape.safeParse(settings);
  if (read.success) {
    const { photos, articles } = read.data;
    return { ok: true, wall: { photos: photos ?? "upload", articles: articles ?? "shorten" } };
  }
  const [issue] = read.error.issues;
  const message = `the channel's setting ${issue?.path.join(".")} is wrong: ${issue?.message}`;
  return {
    ok: false,
    error: { category: "PERMANENT", scope: "channel", code: "channel_misconfigured", message },
  };
}
