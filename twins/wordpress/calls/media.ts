import { createHash } from "node:crypto";
import { readImage } from "../../shared/index.ts";
import { checkArgs, pageArgs, rawText, truthy } from "../args.ts";
import { localDate } from "../dates.ts";
import { RestError, refused } from "../errors.ts";
import { pageOf } from "../listing.ts";
import type { Media, Site, User } from "../model.ts";
import { type Call, type Reply, type UploadedFile, uploadError } from "../request.ts";
import { can } from "../roles.ts";
import { filterPost } from "../text/kses.ts";
import { slugOf, uniqueSlug } from "../text/slug.ts";
import { restUrl } from "../twin.ts";
import { mediaView } from "../wire.ts";

/**
 * File types that WordPress accepts by default, by extension: pictures, sounds, videos and documents. SVG is not among
 * them.
 */
const coreTypes: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  jpe: "image/jpeg",
  gif: "image/gif",
  png: "image/png",
  webp: "image/webp",
  avif: "image/avif",
  mp4: "video/mp4",
  webm: "video/webm",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  txt: "text/plain",
  csv: "text/csv",
  pdf: "application/pdf",
  zip: "application/zip",
};
const extensionOf: Readonly<Record<string, string>> = { jpeg: "jpg", png: "png", gif: "gif", webp: "webp" };

export async function uploadMedia(call: Call): Promise<Reply> {
  const { site, user, params, wordpress } = call;
  if (!user || !can(user, "upload_files"))
    throw refused(user, "rest_cannot_create", "Sorry, you are not allowed to create posts as this user.");
  const upload = call.file === undefined ? rawFile(call) : formFile(call);
  const isForm = call.file !== undefined;
  const { extension, mime } = typeOf(site, upload, (message) =>
    isForm ? uploadError(message) : new RestError(500, "rest_upload_sideload_error", message),
  );
  const now = wordpress.context.clock.now();
  const stem = fileStem(upload.name);
  const folder = localDate(now, site.options.timezone).slice(0, 7).replace("-", "/");
  const file = freeFile(site, folder, stem, extension);
  const base = file.slice(folder.length + 1, -(extension.length + 1));
  const { id: blob } = await wordpress.context.blobs.put(upload.bytes, {
    contentType: mime,
    fileName: `${base}.${extension}`,
  });
  const size = readImage(upload.bytes);
  site.lastId += 1;
  const title = rawText(params.title) || base;
  const media: Media = {
    id: site.lastId,
    author: user.id,
    title,
    caption: "",
    description: "",
    alt: "",
    slug: uniqueSlug(slugOf(title) || base, (slug) => isTaken(site, slug)),
    date: now,
    modified: now,
    post: params.post === undefined ? null : Number(params.post),
    file,
    blob,
    mime,
    bytes: upload.bytes.length,
    ...(size && { width: size.width, height: size.height }),
  };
  describe(media, user, params);
  site.media.push(media);
  wordpress.store.changed();
  return {
    status: 201,
    body: mediaView(call, media, "edit"),
    headers: {
      location: restUrl(wordpress, site, `/wp/v2/media/${media.id}`),
      "x-wp-upload-attachment-id": String(media.id),
    },
  };
}

export async function updateMedia(call: Call): Promise<Reply> {
  const { user, params, wordpress } = call;
  const media = mediaOf(call);
  if (!user || !mayTouch(user, media))
    throw refused(user, "rest_cannot_edit", "Sorry, you are not allowed to edit this post.");
  const title = rawText(params.title);
  if (title !== undefined) media.title = title;
  describe(media, user, params);
  media.modified = wordpress.context.clock.now();
  wordpress.store.changed();
  return { body: mediaView(call, media, "edit") };
}

export async function getMedia(call: Call): Promise<Reply> {
  checkArgs(pageArgs, call.params);
  const media = mediaOf(call);
  const context = call.params.context === "edit" ? "edit" : "view";
  if (context === "edit" && (!call.user || !mayTouch(call.user, media)))
    throw refused(call.user, "rest_forbidden_context", "Sorry, you are not allowed to edit this post.");
  return { body: mediaView(call, media, context) };
}

export async function listMedia(call: Call): Promise<Reply> {
  checkArgs(pageArgs, call.params);
  const { search, slug } = call.params;
  const wanted = typeof search === "string" ? search.toLowerCase() : "";
  const found = call.site.media
    .filter((media) => `${media.title}\n${media.file}`.toLowerCase().includes(wanted))
    .filter((media) => typeof slug !== "string" || media.slug === slugOf(slug))
    .toSorted((one, other) => other.date - one.date || other.id - one.id);
  return pageOf(call, found, (media) => mediaView(call, media, "view"), true);
}

export async function deleteMedia(call: Call): Promise<Reply> {
  const { site, user, params, wordpress } = call;
  const media = mediaOf(call);
  if (!user || !mayTouch(user, media))
    throw refused(user, "rest_cannot_delete", "Sorry, you are not allowed to delete this post.");
  if (!truthy(params.force))
    throw new RestError(
      501,
      "rest_trash_not_supported",
      "The post does not support trashing. Set 'force=true' to delete.",
    );
  const { _links, ...previous } = mediaView(call, media, "edit");
  site.media.splice(site.media.indexOf(media), 1);
  for (const post of site.posts) if (post.featuredMedia === media.id) post.featuredMedia = 0;
  wordpress.store.changed();
  return { body: { deleted: true, previous } };
}

function mediaOf({ site, params }: Call): Media {
  const media = site.media.find(({ id }) => id === Number(params.id));
  if (!media) throw new RestError(404, "rest_post_invalid_id", "Invalid post ID.");
  return media;
}

const mayTouch = (user: User, media: Media) =>
  media.author === user.id ? can(user, "edit_posts") : can(user, "edit_others_posts");

function describe(media: Media, user: User, { alt_text, caption, description }: Call["params"]): void {
  const html = (text: string) => (can(user, "unfiltered_html") ? text : filterPost(text));
  const newCaption = rawText(caption);
  const newDescription = rawText(description);
  // Alt text is one line of plain text.
  if (typeof alt_text === "string")
    media.alt = alt_text
      .replace(/<[^<>]*>/g, "")
      .replace(/\s+/g, " ")
      .trim();
  if (newCaption !== undefined) media.caption = html(newCaption);
  if (newDescription !== undefined) media.description = html(newDescription);
}

function rawFile({ body, headers }: Call): UploadedFile {
  if (body.length === 0) throw new RestError(400, "rest_upload_no_data", "No data supplied.");
  if (!headers["content-type"])
    throw new RestError(400, "rest_upload_no_content_type", "No Content-Type supplied.");
  const disposition = headers["content-disposition"];
  if (!disposition)
    throw new RestError(400, "rest_upload_no_content_disposition", "No Content-Disposition supplied.");
  const found = /;\s*filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(disposition);
  const name = found?.[1] ?? found?.[2];
  if (!name)
    throw new RestError(
      400,
      "rest_upload_invalid_disposition",
      'Invalid Content-Disposition supplied. Content-Disposition needs to be formatted as `attachment; filename="image.png"` or similar.',
    );
  const hash = headers["content-md5"]?.trim();
  if (hash && hash !== createHash("md5").update(body).digest("hex"))
    throw new RestError(412, "rest_upload_hash_mismatch", "Content hash did not match expected.");
  // Headers arrive as Latin-1; names in them are UTF-8.
  return { name: Buffer.from(name, "latin1").toString("utf8"), bytes: body };
}

function formFile({ file, site, headers }: Call): UploadedFile {
  if (file === undefined || file === "failed") throw uploadError("Specified file failed upload test.");
  if (file.bytes.length > site.options.uploadMaxBytes)
    throw uploadError("The uploaded file exceeds the upload_max_filesize directive in php.ini.");
  if (file.bytes.length === 0)
    throw uploadError(
      "File is empty. Please upload something more substantial. This error could also be caused by uploads being disabled in your php.ini file or by post_max_size being defined as smaller than upload_max_filesize in php.ini.",
    );
  const hash = headers["content-md5"]?.trim();
  if (hash && hash !== createHash("md5").update(file.bytes).digest("hex"))
    throw new RestError(412, "rest_upload_hash_mismatch", "Content hash did not match expected.");
  return file;
}

/**
 * The type of a picture is detected from content, and its extension follows it; a file that does not match its name is
 * refused.
 */
function typeOf(site: Site, { name, bytes }: UploadedFile, refusal: (message: string) => RestError) {
  const types = site.options.mimeTypes ?? coreTypes;
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const claimed = Object.hasOwn(types, extension) ? types[extension] : undefined;
  const image = readImage(bytes);
  const isTold =
    claimed !== undefined && (claimed.startsWith("image/") ? image !== undefined || isAvif(bytes) : !image);
  if (!claimed || !isTold) throw refusal("Sorry, you are not allowed to upload this file type.");
  if (!image || image.contentType === claimed) return { extension, mime: claimed };
  const real = extensionOf[image.format] ?? extension;
  if (!Object.values(types).includes(image.contentType))
    throw refusal("Sorry, you are not allowed to upload this file type.");
  return { extension: real, mime: image.contentType };
}

const isAvif = (bytes: Buffer) => bytes.toString("latin1", 4, 12) === "ftypavif";

/** Spaces and punctuation in a file's name become dashes; letters of any language stay. */
function fileStem(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const dot = base.lastIndexOf(".");
  const words = (dot < 0 ? base : base.slice(0, dot))
    .replace(/[?[\]=<>:;,'"&$#*()|~`!{}%+’«»”“\0]/g, "")
    .split(/[\s-]/)
    .filter((word) => word !== "");
  return trimmed(words.join("-")) || "unnamed-file";
}

/** A name neither begins nor ends with a separator. */
function trimmed(name: string): string {
  let from = 0;
  let to = name.length;
  while (from < to && ".-_".includes(name.charAt(from))) from += 1;
  while (to > from && ".-_".includes(name.charAt(to - 1))) to -= 1;
  return name.slice(from, to);
}

function freeFile(site: Site, folder: string, stem: string, extension: string): string {
  const taken = (name: string) => site.media.some(({ file }) => file === `${folder}/${name}.${extension}`);
  let name = stem;
  for (let number = 1; taken(name); number += 1) name = `${stem}-${number}`;
  return `${folder}/${name}.${extension}`;
}

const isTaken = (site: Site, slug: string) =>
  site.media.some((media) => media.slug === slug) || site.posts.some((post) => post.slug === slug);
