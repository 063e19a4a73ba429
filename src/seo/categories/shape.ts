import { z } from "zod";
import { reason, somethingOf } from "../../workspaces/index.ts";
import { field, nameField, textOf } from "../projects/field.ts";
import { clusterSchema, clusterTypes, phraseSchema } from "./clusters.ts";

export const descriptionField = field(
  { ru: "Описание", en: "Description" },
  { ru: "Опишите категорию: от 10 до 2000 символов.", en: "Describe it in 10 to 2000 characters." },
  (error) => textOf({ min: 10, max: 2000, lines: true }, error),
);

export const categorySchema = z
  .object({
    id: z.int(),
    project_id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    clusters: z.int(),
    phrases: z.int(),
    prices: z.int().describe("Lines of the price list"),
    media: z.int(),
    reviews: z.int(),
    own_settings: z.boolean().describe("Whether the category has content settings of its own"),
    schedules: z.int().describe("Switched on"),
    created_at: z.date(),
  })
  .meta({ id: "SeoCategory" });
export type Category = z.infer<typeof categorySchema>;

const fields = {
  name: nameField.schema.describe("The theme, 2 to 100 characters"),
  description: descriptionField.schema.nullable().describe("10 to 2000 characters; null clears it"),
};
export const newCategory = z.strictObject({
  name: fields.name,
  description: fields.description.optional(),
  reason: reason.optional(),
});
export type NewCategory = Omit<z.infer<typeof newCategory>, "reason">;
export const categoryChanges = somethingOf(
  z.strictObject(fields).partial().extend({ reason: reason.optional() }),
);
export type CategoryChanges = Omit<z.infer<typeof categoryChanges>, "reason">;

/** What is given of a cluster: its figures are computed if they are left out. */
const givenCluster = z.strictObject({
  cluster_name: clusterSchema.shape.cluster_name,
  cluster_type: z.enum(clusterTypes).default("article"),
  main_phrase: clusterSchema.shape.main_phrase.optional(),
  phrases: z.array(phraseSchema.strict()).min(1).max(500),
});
export const givenKeywords = z
  .strictObject({
    clusters: z.array(givenCluster).min(1).max(500).optional(),
    phrases: z
      .array(z.string().trim().min(1).max(100))
      .min(1)
      .max(500)
      .optional()
      .describe("Phrases without clusters"),
    reason: reason.optional(),
  })
  .refine(
    ({ clusters, phrases }) => (clusters === undefined) !== (phrases === undefined),
    "Give one of clusters and phrases",
  );

export const removedKeywords = z
  .strictObject({
    clusters: z
      .array(z.string().max(200))
      .max(500)
      .optional()
      .describe("Main phrases of clusters that go as a whole"),
    phrases: z.array(z.string().max(200)).max(5_000).optional(),
    all: z.boolean().optional().describe("Everything"),
    reason: reason.optional(),
  })
  .refine(
    ({ clusters, phrases, all }) => (clusters ?? phrases ?? all) !== undefined,
    "Give clusters, phrases, or all",
  );

export const keywordsChangedSchema = z.object({
  clusters: z.int(),
  phrases: z.int(),
  added: z.int().describe("Phrases that were not there before"),
  removed: z.int(),
  warning: z.string().nullable(),
});

export const priceSchema = z
  .object({ name: z.string(), price: z.string(), description: z.string().optional() })
  .meta({ id: "SeoPrice" });

export const mediaTypes = ["photo", "video", "document"] as const;
export const mediaLimits = { files: 20, bytes: 20 * 1024 * 1024 } as const;
export const mediaSchema = z
  .object({
    file_id: z.string().min(1).max(200).describe("Telegram's id of the file, or our own of a stored one"),
    type: z.enum(mediaTypes),
    file_size: z.int().min(0).max(mediaLimits.bytes),
    uploaded_at: z.iso.datetime({ offset: true }),
    file_name: z.string().max(200).optional(),
    content_type: z.string().max(100).optional(),
    description: z.string().max(500).optional().describe("What it shows"),
    colors: z.array(z.string().max(9)).max(5).optional().describe("What a photo shows most"),
    storage_path: z.string().max(300).optional(),
  })
  .meta({ id: "SeoMedia" });
export type Media = z.infer<typeof mediaSchema>;

export const reviewLimit = 50;
export const reviewSchema = z
  .object({
    author: z.string().trim().min(1).max(100),
    date: z.iso.date(),
    rating: z.int().min(1).max(5),
    text: z.string().trim().min(1).max(2_000),
    pros: z.string().max(1_000).default(""),
    cons: z.string().max(1_000).default(""),
    sample: z
      .boolean()
      .optional()
      .describe("Made up for the look of a page: no customer's words, never marked up as a review"),
  })
  .meta({ id: "SeoReview" });
export type Review = z.infer<typeof reviewSchema>;
