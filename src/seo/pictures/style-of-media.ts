import sharp from "sharp";
import { Problem } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";
import type { PictureAsk } from "../../llm/index.ts";
import { readMedia } from "../categories/lists.ts";
import type { Media } from "../categories/shape.ts";
import type { Whose } from "../people/whose.ts";
import { readPicture } from "./stored-files.ts";

export type References = NonNullable<PictureAsk["references"]>;

export interface MediaStyle {
  /** For prompts; empty if the category has no media. */
  readonly words: string;
  /** The newest photos, for models that look at pictures. */
  readonly references: References;
}

const mostReferences = 3;
const longestSide = 768;
const mostDescribed = 5;

/** How the business's own media look, so that pictures resemble them (F43). Without media, or if a file is gone, pictures do without. */
export async function styleOfMedia(
  { sql, storage }: { readonly sql: Sql; readonly storage: ObjectStorage },
  whose: Whose,
  categoryId: number,
): Promise<MediaStyle> {
  const newest = (await mediaOf(sql, whose, categoryId)).toReversed();
  const photos = newest.filter(({ type }) => type === "photo").slice(0, mostReferences);
  const references = await Promise.all(photos.map((photo) => referenceOf(storage, whose, photo)));
  return { words: wordsOf(newest), references: references.flatMap((each) => each ?? []) };
}

/** None if the category was deleted meanwhile. */
async function mediaOf(sql: Sql, whose: Whose, categoryId: number): Promise<readonly Media[]> {
  try {
    return await readMedia(sql, whose, categoryId);
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found") return [];
    throw error;
  }
}

async function referenceOf(
  storage: ObjectStorage,
  { workspaceId }: Whose,
  { storage_path }: Media,
): Promise<References[number] | undefined> {
  const bytes = storage_path && (await readPicture(storage, workspaceId, storage_path));
  if (!bytes) return undefined;
  try {
    const small = await sharp(bytes, { limitInputPixels: 64_000_000 })
      .rotate()
      .resize({ width: longestSide, height: longestSide, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      .jpeg({ quality: 80 })
      .toBuffer();
    return { type: "image", bytes: small, mediaType: "image/jpeg" };
  } catch {
    // It was a picture when it was added; a damaged file must not stop the work.
    return undefined;
  }
}

function wordsOf(media: readonly Media[]): string {
  const described = media.flatMap(({ description }) => description ?? []).slice(0, mostDescribed);
  const colors = [...new Set(media.flatMap((file) => file.colors ?? []))].slice(0, mostDescribed);
  return [
    ...(described.length > 0 ? [`На фотографиях компании: ${described.join("; ")}.`] : []),
    ...(colors.length > 0 ? [`В них преобладают цвета ${colors.join(", ")}.`] : []),
  ].join(" ");
}
