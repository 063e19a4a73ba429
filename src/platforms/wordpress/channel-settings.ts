import { z } from "zod";
import { type ArticleStatus, articleStatuses } from "../../content/index.ts";
import type { ChannelProfile, SendError } from "../contract.ts";
import type { ChannelSetting } from "../definition.ts";

const schemaTypes = ["Article", "BlogPosting", "NewsArticle", "TechArticle", "HowTo", "Product"] as const;

/** Settings of site channels only. */
export const channelSettings = {
  status: {
    kinds: ["string"],
    words: articleStatuses,
    about: "WordPress: show posts at once, or leave them as drafts; an article may say otherwise",
  },
  publish_after_minutes: {
    kinds: ["number"],
    about: "WordPress: how many minutes later the site itself shows a post",
  },
  site_categories: {
    kinds: ["array"],
    about: "WordPress: the categories of posts that name none",
  },
  site_tags: { kinds: ["array"], about: "WordPress: the tags of posts that name none" },
  robots: {
    kinds: ["string"],
    about:
      "WordPress: what search robots are told of articles, such as `index, follow` or `noindex, nofollow`",
  },
  schema_type: {
    kinds: ["string"],
    words: schemaTypes,
    about:
      "WordPress: what articles are by schema.org; structured data are written for those that bring none",
  },
} as const satisfies Record<string, ChannelSetting>;

const labels = z.array(z.string().trim().min(1).max(100)).max(20);
const robotWords =
  /^\s*(?:index|noindex|follow|nofollow|noarchive|nosnippet|noimageindex)(?:\s*,\s*(?:index|noindex|follow|nofollow|noarchive|nosnippet|noimageindex))*\s*$/i;

const shape = z.looseObject({
  status: z.enum(articleStatuses).nullish(),
  publish_after_minutes: z.int().min(0).max(525_600).nullish(),
  site_categories: labels.nullish(),
  site_tags: labels.nullish(),
  robots: z
    .string()
    .regex(robotWords, "must be words such as index, noindex, follow, nofollow, with commas between them")
    .nullish(),
  schema_type: z.enum(schemaTypes).nullish(),
});

/** How a channel publishes. */
export interface SiteRules {
  readonly status: ArticleStatus;
  readonly publishAfterMinutes?: number;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly robots: readonly string[];
  readonly schemaType?: string;
}

export type SiteRulesResult =
  | { readonly ok: true; readonly site: SiteRules }
  | { readonly ok: false; readonly error: SendError };

export function siteRulesOf({ settings }: Pick<ChannelProfile, "settings">): SiteRulesResult {
  const read = shape.safeParse(settings);
  if (!read.success) {
    const [issue] = read.error.issues;
    const message = `the channel's setting ${issue?.path.join(".")} is wrong: ${issue?.message}`;
    return {
      ok: false,
      error: { category: "PERMANENT", scope: "channel", code: "channel_misconfigured", message },
    };
  }
  const { status, publish_after_minutes, site_categories, site_tags, robots, schema_type } = read.data;
  return {
    ok: true,
    site: {
      status: status ?? "publish",
      ...(publish_after_minutes && { publishAfterMinutes: publish_after_minutes }),
      categories: site_categories ?? [],
      tags: site_tags ?? [],
      robots: robots?.split(",").map((word) => word.trim().toLowerCase()) ?? [],
      ...(schema_type && { schemaType: schema_type }),
    },
  };
}
