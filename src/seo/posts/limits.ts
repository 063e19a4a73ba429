import { contentLimits } from "../checks/index.ts";
import type { ImageSettings, TextSettings } from "../settings/shape.ts";
import type { PostPlatform } from "./shape.ts";

/** What the platforms of posts take, besides the lengths of `contentLimits`. */

/** Characters of the whole text, hashtags included. */
export const longestText: Readonly<Record<PostPlatform, number>> = {
  telegram: contentLimits.telegram.text,
  vk: contentLimits.vk.text,
  pinterest: contentLimits.pinterest.text,
};

/** As many as fit into 500 characters of Russian together with hashtags. */
const wordsOfPin = { least: 25, most: 60 };

/** How many words are asked for: those of the settings, fewer where the platform has no room for them. */
export function wordsFor(platform: PostPlatform, { words_min, words_max }: TextSettings) {
  if (platform !== "pinterest") return { min: words_min, max: words_max };
  return { min: Math.min(words_min, wordsOfPin.least), max: Math.min(words_max, wordsOfPin.most) };
}

/** A Pin is one upright picture; other posts have what the settings say. */
export function imagesFor(platform: PostPlatform, image: ImageSettings): ImageSettings {
  return platform === "pinterest" ? { ...image, count: 1, formats: ["2:3"] } : image;
}

export const hashtagLimits = { most: 7, length: 50 } as const;
