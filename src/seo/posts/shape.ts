import { z } from "zod";
import { briefSchema, pictureSchema, warningSchema } from "../articles/shape.ts";
import { runDetailSchema } from "../runs/read-runs.ts";
import { imageSettingsSchema } from "../settings/shape.ts";

/** What runs of posts keep: their order, what they read, what they wrote. */

export const postKind = "social_post";
export const crossPostKind = "cross_post";
export const postKinds = [postKind, crossPostKind] as const;
export const isPostKind = (kind: string) => postKinds.some((each) => each === kind);

/** The platforms that take posts. */
export const postPlatforms = ["telegram", "vk", "pinterest"] as const;
export type PostPlatform = (typeof postPlatforms)[number];

export const postOrder = z.object({
  project_id: z.int(),
  category_id: z.int(),
  connection_id: z.int().describe("The channel, the community or the board it is written for"),
});
export type PostOrder = z.infer<typeof postOrder>;

export const crossPostOrder = postOrder.extend({
  source_run_id: z.string().describe("The run of the published post that is adapted"),
});
export type CrossPostOrder = z.infer<typeof crossPostOrder>;

/** Where a post goes, and how long it may be there. */
const place = {
  platform: z.enum(postPlatforms),
  target: z.string().describe("The name of the place"),
  words: z.object({ min: z.int(), max: z.int() }),
};

/** The business, the phrase and the wishes as they were when the run began. */
export const postBrief = z.object({
  ...place,
  company: briefSchema.shape.company,
  prices: briefSchema.shape.prices,
  brand: briefSchema.shape.brand,
  niche: z.string(),
  site: z.string().nullable(),
  phrase: z.string(),
  styles: z.string(),
  style_guide: z.string(),
  image: imageSettingsSchema,
  advice: briefSchema.shape.advice,
});
export type PostBrief = z.infer<typeof postBrief>;

/** What an adaptation begins with: the published post and the place of the next one. */
export const crossBrief = z.object({
  ...place,
  company_name: z.string(),
  site: z.string().nullable(),
  phrase: z.string(),
  disclaimer: z.string().nullable(),
  source: z.object({
    run_id: z.string(),
    platform: z.enum(postPlatforms),
    text: z.string(),
    pictures: z.array(pictureSchema),
  }),
});
export type CrossBrief = z.infer<typeof crossBrief>;

/** A text that fits its platform. */
export const postTextSchema = z.object({
  text: z.string().describe("For Telegram with <b> and <i>, otherwise plain"),
  format: z.enum(["html", "plain"]),
  hashtags: z.array(z.string()),
  pin_title: z.string().nullable(),
  words: z.int(),
});
export type PostText = z.infer<typeof postTextSchema>;

export const writtenPostSchema = postTextSchema.extend({
  model: z.string(),
  prompt_version: z.int().nullable(),
  /** The main phrase is not in the first sentence. */
  without_phrase: z.boolean(),
});
export type WrittenPost = z.infer<typeof writtenPostSchema>;

export const postResult = postTextSchema
  .extend({
    platform: place.platform,
    target: place.target,
    phrase: z.string(),
    disclaimer: z.string().nullable().describe("Stands below the text where the subject requires it"),
    link: z.string().nullable().describe("What a tap on a Pin opens"),
    pictures: z.array(pictureSchema),
    warnings: z.array(warningSchema),
    regenerations: z.int().min(0).describe("That succeeded; the first two are free"),
    source_run_id: z.string().nullable().describe("The run of the post that it was adapted from"),
    /** SimHash of the text, as a decimal number. */
    content_hash: z.string(),
    model: z.string(),
    prompt_version: z.int().nullable(),
    ms: z.int().describe("From the order to the end of the writing"),
    post_url: z.string().optional(),
  })
  .meta({ id: "SeoPost" });
export type PostResult = z.infer<typeof postResult>;

export const postDetailSchema = runDetailSchema
  .extend({
    kind: z.enum(postKinds),
    result: postResult.nullable().describe("null until it is written"),
  })
  .meta({ id: "SeoPostRun" });
export type PostDetail = z.infer<typeof postDetailSchema>;
