import { z } from "zod";
import { longestSource, parseContent, plainText } from "../../content/index.ts";
import { lineOfText } from "../../http/index.ts";
import { routedFields } from "../bots/chat-filters.ts";

const photo = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .max(4096)
      .optional(),
    blob_ref: z.string().min(1).max(512).optional(),
  })
  .refine(
    ({ url, blob_ref }) => (url === undefined) !== (blob_ref === undefined),
    "Give either url or blob_ref",
  );

/** Telegram counts characters without markup. */
const longestText = 4096;

const html = z
  .string()
  .max(longestSource)
  .superRefine((source, context) => {
    const parsed = parseContent(source, "html");
    if (!parsed.ok) return context.addIssue({ code: "custom", message: parsed.error.message });
    const length = [...plainText(parsed.document).trim()].length;
    if (length === 0) context.addIssue({ code: "custom", message: "Something must be written here" });
    if (length > longestText)
      context.addIssue({
        code: "custom",
        message: `A message holds ${longestText} characters; this text has ${length}`,
      });
  })
  .describe("HTML as Telegram supports it");

const fields = {
  title: lineOfText({ min: 1, max: 500 }).describe("Shown in lists; not published"),
  external_ref: lineOfText({ min: 1, max: 200 }).describe("Your own id of the object; imports update by it"),
  fields: routedFields.describe(
    "`room_type`, `districts`, `price`, `category` for the chats' filters, and whatever else",
  ),
  texts: z.strictObject({ default: html, compact: html }).partial(),
  photos: z.array(photo).max(10),
  photo_mode: z.enum(["first", "album"]).describe("first: one photo with the text; album: all of them"),
};

export const newObject = z.strictObject({
  title: fields.title,
  external_ref: fields.external_ref.optional(),
  fields: fields.fields.default({}),
  texts: fields.texts
    .extend({ default: html })
    .describe("`compact` is for the compact format; default: the default text"),
  photos: fields.photos.default([]),
  photo_mode: fields.photo_mode.default("first"),
});
export type NewObject = z.input<typeof newObject>;

export const objectChanges = z
  .strictObject({
    ...fields,
    external_ref: fields.external_ref.nullable(),
    fields: z.record(z.string(), z.unknown()).describe("Given fields replace stored ones; null removes one"),
    texts: z.strictObject({ default: html, compact: html.nullable() }).partial(),
  })
  .partial();
export type ObjectChanges = z.output<typeof objectChanges>;

export const importedObjects = z.strictObject({
  objects: z
    .array(newObject.extend({ external_ref: fields.external_ref }))
    .min(1)
    .max(1000)
    .refine(
      (objects) => new Set(objects.map(({ external_ref }) => external_ref)).size === objects.length,
      "An external_ref occurs twice",
    ),
});
export type ImportedObjects = z.output<typeof importedObjects>;

export const importReport = z.object({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  ids: z.array(z.uuid()).describe("In the order in which they were given"),
});
export type ImportReport = z.output<typeof importReport>;

export const objectSchema = z.object({
  id: z.uuid(),
  owner: z.string(),
  external_ref: z.string().nullable(),
  title: z.string(),
  fields: z.record(z.string(), z.unknown()),
  texts: z.object({ default: z.string(), compact: z.string() }).partial(),
  photos: z.array(z.object({ url: z.string(), blob_ref: z.string() }).partial()),
  photo_mode: fields.photo_mode,
  archived_at: z.date().nullable(),
  autopublish: z
    .enum(["none", "off", "on"])
    .describe("none: it has no configuration; off: it has one that is switched off"),
  published: z.int().describe("How often accounts and bots have published it"),
  next_at: z.date().nullable().describe("When an account publishes it next"),
  created_at: z.date(),
  updated_at: z.date(),
});
export type PublishedObject = z.output<typeof objectSchema>;
