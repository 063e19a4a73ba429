import { z } from "zod";
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
  words,
} from "./options.ts";

export const platformTypes = ["wordpress", "telegram", "vk", "pinterest"] as const;
export type PlatformType = (typeof platformTypes)[number];

const several = <Options extends readonly [string, ...string[]]>(options: Options, least = 0) =>
  z
    .array(z.enum(options))
    .min(least)
    .max(options.length)
    .refine((chosen) => new Set(chosen).size === chosen.length, "Each option once");
const percent = z.int().min(0).max(100);
const count = z.int().min(words.least).max(words.most);

const image = {
  formats: several(imageFormats, 1).describe("Proportions, used in turn"),
  styles: several(imageStyles, 1),
  tones: several(imageTones),
  cameras: several(imageCameras).describe("Empty: the model decides"),
  angles: several(imageAngles).describe("Empty: the model decides"),
  quality: z.enum(imageQualities),
  count: z.int().min(0).max(imagesAtMost).describe("Pictures of a text"),
  text_on_image: percent.describe("How much of the pictures has text, in per cent"),
  collage: percent.describe("How many are collages, in per cent"),
};
const text = {
  style: z.union([z.enum(textStyles), several(textStyles, 1)]).describe("One style, or several"),
  html_style: z.enum(htmlStyles),
  words_min: count,
  words_max: count,
};

export const imageSettingsSchema = z.object(image).meta({ id: "SeoImageSettings" });
export type ImageSettings = z.infer<typeof imageSettingsSchema>;
export const textSettingsSchema = z.object(text).meta({ id: "SeoTextSettings" });
export type TextSettings = z.infer<typeof textSettingsSchema>;

/** Fields that somebody chose; the others are as before. */
export const imageChanges = z.strictObject(image).partial();
export const textChanges = z.strictObject(text).partial();
export type ImageChanges = z.infer<typeof imageChanges>;
export type TextChanges = z.infer<typeof textChanges>;

/** Where a part of the settings comes from. */
export const settingsSources = ["default", "category", "platform"] as const;
export type SettingsSource = (typeof settingsSources)[number];

export const contentSettingsSchema = z
  .object({
    image: imageSettingsSchema,
    text: textSettingsSchema,
    image_from: z.enum(settingsSources),
    text_from: z.enum(settingsSources),
  })
  .meta({ id: "SeoContentSettings" });
export type ContentSettings = z.infer<typeof contentSettingsSchema>;

export function stylesOf({ style }: Pick<TextSettings, "style">): readonly string[] {
  return typeof style === "string" ? [style] : style;
}
