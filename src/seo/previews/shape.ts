import { z } from "zod";

export const previewStatuses = ["draft", "published", "cancelled", "expired"] as const;

export const previewImageSchema = z.object({
  url: z.string(),
  storage_path: z.string(),
  width: z.int(),
  height: z.int(),
});
export type PreviewImage = z.infer<typeof previewImageSchema>;

export const previewSchema = z
  .object({
    id: z.int(),
    project_id: z.int(),
    category_id: z.int(),
    connection_id: z.int().nullable(),
    telegraph_url: z.string().nullable(),
    title: z.string().nullable(),
    keyword: z.string().nullable(),
    word_count: z.int().nullable(),
    images_count: z.int().nullable(),
    tokens_charged: z.int().nullable(),
    regeneration_count: z.int().describe("The first two are free"),
    status: z.enum(previewStatuses),
    run: z.string().nullable(),
    created_at: z.date(),
    expires_at: z.date(),
  })
  .meta({ id: "SeoPreview" });
export type Preview = z.infer<typeof previewSchema>;

export const wholePreviewSchema = previewSchema
  .extend({
    telegraph_path: z.string().nullable(),
    content_html: z.string().nullable(),
    images: z.array(previewImageSchema),
  })
  .meta({ id: "SeoWholePreview" });
export type WholePreview = z.infer<typeof wholePreviewSchema>;

/** What a run makes; regenerating replaces it. */
export interface PreviewContent {
  readonly title: string;
  readonly keyword: string;
  readonly word_count: number;
  readonly content_html: string;
  readonly images: readonly PreviewImage[];
  readonly tokens_charged: number;
  readonly telegraph_url?: string | undefined;
  readonly telegraph_path?: string | undefined;
}
