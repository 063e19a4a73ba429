/** Lists and settings of a category, without what ours could not read again. */
import type { z } from "zod";
import { mediaSchema, reviewSchema } from "../categories/shape.ts";
import { imageChanges, textChanges } from "../settings/shape.ts";
import type { OldRow } from "./old-tables.ts";

export interface Cleaned {
  readonly row: OldRow;
  /** Fields of which something was dropped. */
  readonly dropped: readonly string[];
}

/** Nothing of `keywords` is dropped: both of its formats are read wherever they are. */
export function cleanCategory(row: OldRow): Cleaned {
  const media = usableItems(mediaSchema, row.media);
  const reviews = usableItems(reviewSchema, row.reviews);
  const keywords = Array.isArray(row.keywords) ? row.keywords : [];
  const settings = cleanSettings(row);
  const lists = [
    media.dropped && "media",
    reviews.dropped && "reviews",
    keywords !== row.keywords && "keywords",
  ];
  return {
    row: { ...settings.row, media: media.items, reviews: reviews.items, keywords },
    dropped: [...lists.filter((name) => name !== false), ...settings.dropped],
  };
}

/** `image_settings` and `text_settings` of a category or of a platform; a null stays one. */
export function cleanSettings(row: OldRow): Cleaned {
  const image = usableFields(imageChanges, row.image_settings);
  const text = usableFields(textChanges, row.text_settings);
  return {
    row: { ...row, image_settings: image.fields, text_settings: text.fields },
    dropped: [image.dropped && "image_settings", text.dropped && "text_settings"].filter(
      (name) => name !== false,
    ),
  };
}

function usableItems(schema: z.ZodType, given: unknown) {
  const all: readonly unknown[] = Array.isArray(given) ? given : [];
  const items = all.flatMap((item) => schema.safeParse(item).data ?? []);
  return { items, dropped: items.length < all.length };
}

function usableFields(schema: z.ZodType, given: unknown) {
  if (typeof given !== "object" || given === null) return { fields: null, dropped: false };
  const entries = Object.entries(given);
  const usable = entries.filter(([name, value]) => schema.safeParse({ [name]: value }).success);
  return { fields: Object.fromEntries(usable), dropped: usable.length < entries.length };
}
