import { z } from "zod";
import { articleOf, articleShape } from "./article.ts";
import { cleanText } from "./clean-text.ts";
import { type Document, emptyDocument } from "./document.ts";
import { isButtonAddress, isWebAddress } from "./link-address.ts";
import { type Parsed, parseContent } from "./parse.ts";
import {
  type Button,
  type MarkdownDialect,
  type Media,
  type MediaKind,
  markdownDialects,
  mediaKinds,
  type Post,
  type PostOptions,
  type TextFormat,
} from "./post.ts";
import type { ContentError, Repair } from "./problem.ts";
import { shownMedia } from "./shown-media.ts";
import { withoutBrokenMarkup } from "./without-broken-markup.ts";

export type ReadPost =
  | { readonly ok: true; readonly post: Post; readonly repairs: readonly Repair[] }
  | { readonly ok: false; readonly error: ContentError };

export const parseModes = ["HTML", "Markdown", "None"] as const;
export type ParseMode = (typeof parseModes)[number];

/** Link previews in a payload and in a channel's settings. */
export const linkPreviewShape = z.strictObject({
  url: z.string().refine(isWebAddress, "a preview is of an http or https address").nullish(),
  size: z.enum(["small", "large"]).nullish(),
  above: z.boolean().nullish(),
});

/** The payload of a stored message, in its normal form. */
const payloadShape = z.object({
  text: z.string().nullish(),
  parse_mode: z.enum(parseModes).nullish(),
  dialect: z.enum(markdownDialects).nullish(),
  media: z
    .array(
      z.object({
        type: z.string(),
        url: z.string().nullish(),
        blob_ref: z.string().nullish(),
        file_id: z.string().nullish(),
        caption: z.string().nullish(),
        alt: z.string().nullish(),
      }),
    )
    .nullish(),
  buttons: z.array(z.array(z.object({ text: z.string(), url: z.string() }))).nullish(),
  disable_preview: z.boolean().nullish(),
  link_preview: linkPreviewShape.nullish(),
  silent: z.boolean().nullish(),
  protect: z.boolean().nullish(),
  reply_to: z.union([z.string(), z.int()]).nullish(),
  thread_id: z.union([z.string(), z.int()]).nullish(),
  article: articleShape.nullish(),
});

type Payload = z.infer<typeof payloadShape>;
type PayloadMedia = NonNullable<Payload["media"]>[number];

const formats: Record<ParseMode, TextFormat> = { HTML: "html", Markdown: "markdown", None: "plain" };

const mediaAliases: ReadonlyMap<string, MediaKind> = new Map([
  ["image", "photo"],
  ["gif", "animation"],
  ["file", "document"],
]);

/** The channel's format of texts whose payload names none. */
export interface ReadingDefaults {
  readonly parseMode?: ParseMode;
  readonly dialect?: MarkdownDialect;
  /** Whether a text with broken markup is read as plain text instead of being refused. */
  readonly brokenMarkup?: "refuse" | "plain";
}

/** Parses a payload into a post. */
export function postFromPayload(payload: unknown, defaults: ReadingDefaults = {}): ReadPost {
  const shaped = payloadShape.safeParse(payload);
  if (!shaped.success) {
    const [issue] = shaped.error.issues;
    return { ok: false, error: invalid(pointerTo(issue?.path ?? []), issue?.message ?? "not a payload") };
  }
  try {
    const { parse_mode, dialect } = shaped.data;
    const format = formats[parse_mode ?? defaults.parseMode ?? "None"];
    const parse = (text: string) => parseContent(text, format, dialect ?? defaults.dialect);
    const lenient = (text: string) => withoutBrokenMarkup(text, format, parse(text));
    return readPost(shaped.data, format, defaults.brokenMarkup === "plain" ? lenient : parse);
  } catch (refused) {
    if (refused instanceof Refused) return { ok: false, error: refused.error };
    throw refused;
  }
}

/** Thrown and caught in this file only, to leave nested calls. */
class Refused extends Error {
  readonly error: ContentError;
  constructor(error: ContentError) {
    super(error.message);
    this.error = error;
  }
}

function readPost(payload: Payload, format: TextFormat, parse: (text: string) => Parsed): ReadPost {
  const repairs: Repair[] = [];
  const read = (text: string, pointer: string): Document => {
    const parsed = parse(text);
    if (!parsed.ok) throw new Refused({ ...parsed.error, pointer });
    repairs.push(...parsed.repairs);
    return parsed.document;
  };
  const post: Post = {
    document: payload.text ? read(payload.text, "/text") : emptyDocument,
    format,
    media: (payload.media ?? []).map((item, index) => readMedia(item, `/media/${index}`, read)),
    buttons: (payload.buttons ?? [])
      .filter((row) => row.length > 0)
      .map((row, at) => row.map((button, index) => readButton(button, `/buttons/${at}/${index}`))),
    options: readOptions(payload),
    ...(payload.article && { article: articleOf(payload.article) }),
  };
  checkShown(post);
  return { ok: true, post, repairs };
}

/** Checks that pictures named in the text or the article are among the media. */
function checkShown({ document, media, article }: Post): void {
  const missing = shownMedia(document).find((place) => media[place]?.kind !== "photo");
  if (missing !== undefined)
    throw new Refused(invalid("/text", `the text shows media:${missing}, and the media have no photo there`));
  if (article?.cover !== undefined && media[article.cover]?.kind !== "photo")
    throw new Refused(invalid("/article/cover", "the media have no photo at this place"));
}

function readMedia(
  item: PayloadMedia,
  pointer: string,
  read: (text: string, pointer: string) => Document,
): Media {
  const kind = mediaKinds.find((name) => name === item.type) ?? mediaAliases.get(item.type);
  if (!kind) throw new Refused(invalid(`${pointer}/type`, `media of the type "${item.type}" are not known`));
  if (!item.url && !item.blob_ref && !item.file_id) {
    throw new Refused(invalid(pointer, "one of url, blob_ref, file_id must say where the file is"));
  }
  if (item.url && !isWebAddress(item.url)) {
    throw new Refused({
      code: "link_refused",
      message: "media are fetched from http and https addresses only",
      pointer: `${pointer}/url`,
    });
  }
  return {
    kind,
    ...(item.url && { url: item.url }),
    ...(item.blob_ref && { blobRef: item.blob_ref }),
    ...(item.file_id && { fileId: item.file_id }),
    ...(item.caption && { caption: read(item.caption, `${pointer}/caption`) }),
    ...(item.alt && { alt: item.alt }),
  };
}

function readButton(button: Button, pointer: string): Button {
  const text = parseContent(button.text, "plain");
  if (!text.ok) throw new Refused({ ...text.error, pointer: `${pointer}/text` });
  if (button.text.trim() === "") throw new Refused(invalid(`${pointer}/text`, "a button needs a text"));
  if (!isButtonAddress(button.url)) {
    throw new Refused({
      code: "link_refused",
      message: "a button cannot open this address",
      pointer: `${pointer}/url`,
    });
  }
  return { text: cleanText(button.text).replace(/\s+/g, " ").trim(), url: button.url };
}

function readOptions(payload: Payload): PostOptions {
  return {
    ...previewOption(payload),
    ...(typeof payload.silent === "boolean" && { silent: payload.silent }),
    ...(typeof payload.protect === "boolean" && { protected: payload.protect }),
    ...(payload.reply_to !== undefined && payload.reply_to !== null && { replyTo: String(payload.reply_to) }),
    ...(payload.thread_id !== undefined &&
      payload.thread_id !== null && { topicId: String(payload.thread_id) }),
  };
}

/** The link preview setting of a payload or a channel, if it has one. */
export function previewOption({
  disable_preview,
  link_preview,
}: Pick<Payload, "disable_preview" | "link_preview">): Pick<PostOptions, "linkPreview"> {
  if (disable_preview === true) return { linkPreview: false };
  if (link_preview) {
    const { url, size, above } = link_preview;
    return { linkPreview: { ...(url && { url }), ...(size && { size }), ...(above && { above }) } };
  }
  return typeof disable_preview === "boolean" ? { linkPreview: true } : {};
}

function invalid(pointer: string, message: string): ContentError {
  return { code: "payload_invalid", message, pointer };
}

function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step)}`).join("");
}
