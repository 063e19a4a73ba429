import { z } from "zod";
import { platformTypes } from "../settings/shape.ts";

export const contentTypes = ["article", "social_post", "review"] as const;
export type ContentType = (typeof contentTypes)[number];
export const publicationStatuses = ["success", "failed", "cancelled"] as const;

export const publicationSchema = z
  .object({
    id: z.int(),
    project_id: z.int(),
    category_id: z.int().nullable(),
    platform_type: z.enum(platformTypes),
    connection_id: z.int().nullable(),
    keyword: z.string().nullable(),
    content_type: z.enum(contentTypes),
    images_count: z.int(),
    post_url: z.string().nullable(),
    word_count: z.int(),
    tokens_spent: z.int(),
    ai_model: z.string().nullable(),
    generation_time_ms: z.int().nullable(),
    prompt_version: z.string().nullable(),
    status: z.enum(publicationStatuses),
    error_message: z.string().nullable(),
    rank_position: z
      .int()
      .nullable()
      .describe("Place of the page in Google's results; null: not checked, or not among those looked at"),
    rank_checked_at: z.date().nullable(),
    rank_before: z.int().nullable().describe("Its place at the check before"),
    rank_before_at: z.date().nullable().describe("When that was; null: there was none"),
    created_at: z.date(),
  })
  .meta({ id: "SeoPublication" });
export type Publication = z.infer<typeof publicationSchema>;

type Wanted = "project_id" | "platform_type" | "content_type" | "status";

type Ranked = "rank_position" | "rank_checked_at" | "rank_before" | "rank_before_at";

/** What is recorded when a run ends. */
export interface NewPublication
  extends Pick<Publication, Wanted>,
    Partial<Omit<Publication, Wanted | "id" | "created_at" | Ranked>> {
  /** SimHash, 64 bits. */
  readonly content_hash?: bigint | undefined;
}
