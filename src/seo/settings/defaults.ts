import type { ImageChanges, ImageSettings, PlatformType, TextChanges, TextSettings } from "./shape.ts";

/** What holds where nobody chose anything; the document's values. */
export const IMAGE_DEFAULTS: ImageSettings = {
  formats: ["1:1"],
  styles: ["Фотореализм"],
  tones: ["Нейтральный"],
  cameras: [],
  angles: [],
  quality: "HD",
  count: 1,
  text_on_image: 0,
  collage: 0,
};

export const TEXT_DEFAULTS: TextSettings = {
  style: "Информативный",
  html_style: "Блог",
  words_min: 1_500,
  words_max: 2_500,
};

const social = { style: "Разговорный", words_min: 100, words_max: 300 } satisfies TextChanges;

/** In which a platform differs from these. */
export const platformDefaults: Readonly<
  Record<PlatformType, { readonly image: ImageChanges; readonly text: TextChanges }>
> = {
  wordpress: { image: { count: 4 }, text: {} },
  telegram: { image: {}, text: social },
  vk: { image: {}, text: social },
  pinterest: { image: { formats: ["2:3"] }, text: social },
};
