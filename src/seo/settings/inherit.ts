import { IMAGE_DEFAULTS, platformDefaults, TEXT_DEFAULTS } from "./defaults.ts";
import {
  type ContentSettings,
  type ImageChanges,
  imageSettingsSchema,
  type PlatformType,
  type SettingsSource,
  type TextChanges,
  textSettingsSchema,
} from "./shape.ts";

/** What somebody chose for a category and for one platform of it; null or nothing: inherit. */
export interface Chosen {
  readonly category: { readonly image: ImageChanges; readonly text: TextChanges };
  readonly platform: { readonly image: ImageChanges | null; readonly text: TextChanges | null };
}

/**
 * The settings that hold: of the platform if it has its own, else of the category, else the defaults; pictures and text apart. The
 * length that a category sets is that of its articles: posts keep the length of their network unless the network has its own.
 */
export function inherited({ category, platform }: Chosen, on?: PlatformType): ContentSettings {
  const usual = on ? platformDefaults[on] : { image: {}, text: {} };
  const { words_min: _min, words_max: _max, ...styleOnly } = category.text;
  const ofCategory = on === undefined || on === "wordpress" ? category.text : styleOnly;
  const text = textSettingsSchema.parse({
    ...TEXT_DEFAULTS,
    ...usual.text,
    ...(platform.text ?? ofCategory),
  });
  return {
    image: imageSettingsSchema.parse({
      ...IMAGE_DEFAULTS,
      ...usual.image,
      ...(platform.image ?? category.image),
    }),
    // A choice of one limit moves the other: the least is never above the most.
    text: { ...text, words_max: Math.max(text.words_min, text.words_max) },
    image_from: source(platform.image, category.image),
    text_from: source(platform.text, ofCategory),
  };
}

function source(own: object | null, inherits: object): SettingsSource {
  if (own) return "platform";
  return Object.keys(inherits).length > 0 ? "category" : "default";
}
