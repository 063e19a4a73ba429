/** The content settings that people choose by tapping: what there is to choose from, what is chosen, and what a tap changes. */
import {
  htmlStyles,
  imageAngles,
  imageCameras,
  imageFormats,
  imageQualities,
  imageStyles,
  imagesAtMost,
  imageTones,
  textStyles,
} from "../../settings/options.ts";
import type { SettingsChanges } from "../../settings/settings.ts";
import {
  type ContentSettings,
  imageChanges,
  type PlatformType,
  stylesOf,
  textChanges,
} from "../../settings/shape.ts";

export interface Field {
  readonly options: (on: PlatformType | undefined) => readonly string[];
  readonly chosen: (settings: ContentSettings) => readonly string[];
  readonly columns: number;
  /** Undefined if at least one option has to stay. */
  readonly tapped: (settings: ContentSettings, option: string) => SettingsChanges | undefined;
}

/** Words from and to, as a person chooses them. */
const lengths = {
  article: ["500–1000", "1000–1500", "1500–2500", "2500–3500", "3500–5000"],
  post: ["50–100", "100–300", "300–500", "500–1000"],
} as const;
const percents = [0, 10, 20, 30, 50, 70, 100].map((each) => `${each}%`);
const counts = Array.from({ length: imagesAtMost + 1 }, (_, count) => String(count));

const isPost = (on: PlatformType | undefined) => on !== undefined && on !== "wordpress";

export const fields = {
  length: {
    options: (on) => (isPost(on) ? lengths.post : lengths.article),
    chosen: ({ text }) => [`${text.words_min}–${text.words_max}`],
    columns: 2,
    tapped: (_, option) => {
      const [words_min, words_max] = option.split("–").map(Number);
      return { text: textChanges.parse({ words_min, words_max }) };
    },
  },
  style: {
    options: () => textStyles,
    chosen: ({ text }) => stylesOf(text),
    columns: 2,
    tapped: ({ text }, option) => {
      const style = toggled(textStyles, stylesOf(text), option);
      return style.length === 0 ? undefined : { text: textChanges.parse({ style }) };
    },
  },
  html: one(
    htmlStyles,
    ({ text }) => text.html_style,
    (html_style) => ({ text: textChanges.parse({ html_style }) }),
    2,
  ),
  count: one(
    counts,
    ({ image }) => String(image.count),
    (count) => ({ image: imageChanges.parse({ count: Number(count) }) }),
    4,
  ),
  picture: several("styles", imageStyles, 1, 2),
  formats: several("formats", imageFormats, 1, 3),
  quality: one(
    imageQualities,
    ({ image }) => image.quality,
    (quality) => ({ image: imageChanges.parse({ quality }) }),
    3,
  ),
  tones: several("tones", imageTones, 0, 2),
  cameras: several("cameras", imageCameras, 0, 2),
  angles: several("angles", imageAngles, 0, 2),
  words: percent("text_on_image"),
  collage: percent("collage"),
} as const satisfies Readonly<Record<string, Field>>;

export type FieldName = keyof typeof fields;
/** Those of the first screen, then the advanced ones of pictures. */
export const plainFields = ["length", "style", "html", "count", "picture"] as const satisfies FieldName[];
export const advancedFields = [
  ...(["formats", "quality", "tones", "cameras", "angles", "words", "collage"] as const),
] satisfies FieldName[];

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(fields, name);
}

function one(
  options: readonly string[],
  chosen: (settings: ContentSettings) => string,
  change: (option: string) => SettingsChanges,
  columns: number,
): Field {
  return {
    columns,
    options: () => options,
    chosen: (settings) => [chosen(settings)],
    tapped: (_, option) => change(option),
  };
}

function several(
  key: "styles" | "formats" | "tones" | "cameras" | "angles",
  options: readonly string[],
  least: number,
  columns: number,
): Field {
  return {
    columns,
    options: () => options,
    chosen: ({ image }) => image[key],
    tapped: ({ image }, option) => {
      const chosen = toggled(options, image[key], option);
      return chosen.length < least ? undefined : { image: imageChanges.parse({ [key]: chosen }) };
    },
  };
}

function percent(key: "text_on_image" | "collage"): Field {
  return one(
    percents,
    ({ image }) => `${image[key]}%`,
    (option) => ({ image: imageChanges.parse({ [key]: Number.parseInt(option, 10) }) }),
    4,
  );
}

/** In the order of the options. */
function toggled(options: readonly string[], chosen: readonly string[], option: string): string[] {
  const now = new Set(chosen);
  if (!now.delete(option)) now.add(option);
  return options.filter((each) => now.has(each));
}
