import { z } from "zod";
import { articleStatuses } from "../../content/index.ts";

/** A compiled page: complete except for ids of terms and pictures, which only the site knows. */
export const pageShape = z.object({
  title: z.string(),
  /** Blocks with placeholders for pictures (`picturePlace`). */
  content: z.string(),
  /** Empty if no word of the title can be written in Latin letters. */
  slug: z.string(),
  status: z.enum(articleStatuses),
  excerpt: z.string().exactOptional(),
  publish_at: z.string().exactOptional(),
  publish_after_minutes: z.int().exactOptional(),
  categories: z.array(z.string()).exactOptional(),
  tags: z.array(z.string()).exactOptional(),
  /** Index of the cover in the media. */
  featured: z.int().exactOptional(),
  /** Alt texts and captions of the media, by index. */
  pictures: z
    .array(z.object({ alt: z.string().exactOptional(), caption: z.string().exactOptional() }))
    .exactOptional(),
  seo: z
    .object({
      title: z.string().exactOptional(),
      description: z.string().exactOptional(),
      focus: z.string().exactOptional(),
      canonical: z.string().exactOptional(),
      robots: z.array(z.string()).exactOptional(),
    })
    .exactOptional(),
  /** Colours for sites whose account may write a style block. */
  brand: z
    .object({
      text: z.string().exactOptional(),
      accent: z.string().exactOptional(),
      background: z.string().exactOptional(),
    })
    .exactOptional(),
  json_ld: z.array(z.record(z.string(), z.unknown())).exactOptional(),
  /** Written for articles without structured data of this type. */
  schema_type: z.string().exactOptional(),
});
export type Page = z.infer<typeof pageShape>;
