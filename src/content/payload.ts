import { z } from "zod";
import { cleanText } from "./clean-text.ts";
import { type Document, emptyDocument } from "./document.ts";
import { isButtonAddress, isWebAddress } from "./link-address.ts";
import { parseContent } from "./parse.ts";
import {
  type Button,
  type Media,
  type MediaKind,
  mediaKinds,
  type Post,
  type PostOptions,
  type TextFormat,
} from "./post.ts";
import type { ContentError, Repair } from "./problem.ts";

export type ReadPost =
  | { readonly ok: true; readonly post: Post; readonly repairs: readonly Repair[] }
  | { readonly ok: false; readonly error: ContentError };

export const parseModes = ["HTML", "Markdown", "None"] as const;
export type ParseMode = (typeof parseModes)[number];

/** What a stored message's payload holds; it was normalised before it was stored. */
const payloadShape = z.object({
  text: z.string().nullish(),
  parse_mode: z.enum(parseModes).nullish(),
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
  silent: z.boolean().nullish(),
  protect: z.boolean().nullish(),
  reply_to: z.union([z.string(), z.int()]).nullish(),
  thread_id: z.union([z.string(), z.int()]).nullish(),
});

type Payload = z.infer<typeof payloadShape>;
type PayloadMedia = NonNullable<Payload["media"]>[number];

const formats: Record<ParseMode, TextFormat> = { HTML: "html", Markdown: "markdown", None: "plain" };

const mediaAliases: ReadonlyMap<string, MediaKind> = new Map([
  ["image", "photo"],
  ["gif", "animation"],
  ["file", "document"],
]);

/** Read a payload into a post. `parseMode` is what a channel takes a text for when the payload does not say. */
export function postFromPayload(payload: unknown, defaults: { parseMode?: ParseMode } = {}): ReadPost {
  const shaped = payloadShape.safeParse(payload);
  if (!shaped.success) {
    const [issue] = shaped.error.issues;
    return { ok: false, error: invalid(pointerTo(issue?.path ?? []), issue?.message ?? "not a payload") };
  }
  try {
    return readPost(shaped.data, formats[shaped.data.parse_mode ?? defaults.parseMode ?? "None"]);
  } catch (refused) {
    if (refused instanceof Refused) return { ok: false, error: refused.error };
    throw refused;
  }
}

/** Carries a refusal out of the depth of the payload; it never leaves this file. */
class Refused extends Error {
  readonly error: ContentError;
  constructor(error: ContentError) {
    super(error.message);
    this.error = error;
  }
}

function readPost(payload: Payload, format: TextFormat): ReadPost {
  const repairs: Repair[] = [];
  const read = (text: string, pointer: string): Document => {
    const parsed = parseContent(text, format);
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
  };
  return { ok: true, post, repairs };
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
    ...(typeof payload.disable_preview === "boolean" && { linkPreview: !payload.disable_preview }),
    ...(typeof payload.silent === "boolean" && { silent: payload.silent }),
    ...(typeof payload.protect === "boolean" && { protected: payload.protect }),
    ...(payload.reply_to !== undefined && payload.reply_to !== null && { replyTo: String(payload.reply_to) }),
    ...(payload.thread_id !== undefined &&
      payload.thread_id !== null && { topicId: String(payload.thread_id) }),
  };
}

function invalid(pointer: string, message: string): ContentError {
  return { code: "payload_invalid", message, pointer };
}

function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step)}`).join("");
}
