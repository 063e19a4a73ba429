import { createLossLog, type MarkedText, markedTextOf, parseContent } from "../../content/index.ts";
import type { CompiledMedia } from "../../platforms/index.ts";
import { longestCaption, longestText, mostPhotos } from "./limits.ts";

export interface PublishedTexts {
  readonly default?: string | undefined;
  readonly compact?: string | undefined;
}

export interface PublishedThing {
  readonly texts: PublishedTexts;
  readonly photos: readonly Photo[];
  readonly photo_mode: "first" | "album";
}

export interface Photo {
  readonly url?: string | undefined;
  readonly blob_ref?: string | undefined;
}

export type Format = "default" | "compact";

export type Composed =
  | {
      readonly ok: true;
      readonly text: MarkedText;
      readonly photos: readonly CompiledMedia[];
      /** Photos are dropped because the text is too long for a caption. */
      readonly withoutPhotos: boolean;
    }
  | { readonly ok: false; readonly reason: "no_text" | "text_refused"; readonly detail: string };

const linkSchemes = new Set(["http:", "https:", "tg:"]);

/** The message for an object. If the text is too long for a caption, photos are dropped. */
export function compose(object: PublishedThing, format: Format): Composed {
  const source = (format === "compact" ? object.texts.compact : undefined) ?? object.texts.default;
  if (!source?.trim()) return { ok: false, reason: "no_text", detail: "" };
  const parsed = parseContent(source, "html");
  if (!parsed.ok) return { ok: false, reason: "text_refused", detail: parsed.error.message };
  const text = markedTextOf(parsed.document, { losses: createLossLog(), linkSchemes });
  const length = [...text.text].length;
  if (length === 0) return { ok: false, reason: "no_text", detail: "" };
  if (length > longestText)
    return { ok: false, reason: "text_refused", detail: `${length} > ${longestText} characters` };
  const wanted = photosOf(object);
  const fits = length <= longestCaption;
  return { ok: true, text, photos: fits ? wanted : [], withoutPhotos: !fits && wanted.length > 0 };
}

function photosOf({ photos, photo_mode }: PublishedThing): CompiledMedia[] {
  return photos.slice(0, photo_mode === "album" ? mostPhotos : 1).map(({ url, blob_ref }) => ({
    kind: "photo",
    ...(url !== undefined && { url }),
    ...(blob_ref !== undefined && { blobRef: blob_ref }),
  }));
}
