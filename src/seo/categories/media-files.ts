/** Photos, videos and documents of a category: kept in the storage, described in the category. */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import sharp from "sharp";
import { contentTypeOf } from "../../delivery/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";
import type { AdminDeps, By } from "../../workspaces/index.ts";
import type { Whose } from "../people/whose.ts";
import { deletePictures, pictureKey, pictureUrl } from "../pictures/stored-files.ts";
import { notFound, SeoProblem } from "../problems.ts";
import type { BeforeDelete } from "../projects/delete.ts";
import { readCategory } from "./categories.ts";
import { addMedia, readMedia, removeMedia } from "./lists.ts";
import { type Media, mediaLimits } from "./shape.ts";

export interface MediaDeps extends AdminDeps {
  readonly storage: ObjectStorage;
}

export interface GivenFile {
  readonly bytes: Uint8Array;
  /** As the person calls it; decides about nothing but the kind of an Office file. */
  readonly name?: string | undefined;
  /** What it shows, in the person's words. */
  readonly description?: string | undefined;
}

export type ShownMedia = Omit<Media, "storage_path"> & { readonly url: string | null };

/** Keeps a file of a category. The same bytes twice are one file. */
export async function addMediaFile(
  deps: MediaDeps,
  whose: Whose,
  categoryId: number,
  { bytes, name = "", description }: GivenFile,
  by?: By,
): Promise<readonly ShownMedia[]> {
  const { project_id: projectId } = await readCategory(deps.sql, whose, categoryId);
  const fileName = cleanName(name);
  const kind = await kindOf(bytes, fileName);
  const fileId = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  const storagePath = `${whose.userId}/${projectId}/media-${categoryId}-${fileId}.${kind.extension}`;
  const known = await readMedia(deps.sql, whose, categoryId);
  if (known.length >= mediaLimits.files && !known.some(({ file_id }) => file_id === fileId)) throw full();
  await deps.storage.put(pictureKey(whose.workspaceId, storagePath), bytes, {
    contentType: kind.contentType,
  });
  const file = {
    ...{ file_id: fileId, type: kind.type, file_size: bytes.length, storage_path: storagePath },
    content_type: kind.contentType,
    ...(fileName && { file_name: fileName }),
    ...(description?.trim() && { description: description.trim() }),
    ...(kind.colors && { colors: kind.colors }),
  };
  try {
    return await shown(deps, whose, await addMedia(deps, whose, categoryId, file, by));
  } catch (error) {
    await deletePictures(deps.storage, whose.workspaceId, [storagePath]);
    throw error;
  }
}

/** The files with addresses that live for a week; those that only Telegram has are without one. */
export async function listMedia(
  deps: Pick<MediaDeps, "sql" | "storage">,
  whose: Whose,
  categoryId: number,
): Promise<readonly ShownMedia[]> {
  return shown(deps, whose, await readMedia(deps.sql, whose, categoryId));
}

export async function removeMediaFile(
  deps: MediaDeps,
  whose: Whose,
  categoryId: number,
  fileId: string,
  { by, dryRun = false }: { by?: By | undefined; dryRun?: boolean } = {},
): Promise<void> {
  const file = (await readMedia(deps.sql, whose, categoryId)).find(({ file_id }) => file_id === fileId);
  if (!file) throw notFound("file", fileId);
  if (dryRun) return;
  await removeMedia(deps, whose, categoryId, fileId, by);
  if (file.storage_path) await deletePictures(deps.storage, whose.workspaceId, [file.storage_path]);
}

/** Files of what is deleted go first: rows that are deleted by a cascade take none with them. */
export function deleteMediaFiles({ sql, storage }: Pick<MediaDeps, "sql" | "storage">): BeforeDelete {
  return {
    name: "delete media",
    async run({ whose, projectId, categoryId = null, connectionId }) {
      if (connectionId !== undefined) return;
      const rows = await sql<{ path: string }[]>`
        select m ->> 'storage_path' as path
        from seo.categories c
        join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
        cross join lateral jsonb_array_elements(c.media) m
        where c.workspace_id = ${whose.workspaceId} and p.user_id = ${whose.userId} and c.project_id = ${projectId}
          and c.id = coalesce(${categoryId}, c.id) and m ? 'storage_path'`;
      await deletePictures(
        storage,
        whose.workspaceId,
        rows.map(({ path }) => path),
      );
    },
  };
}

function shown(
  { storage }: Pick<MediaDeps, "storage">,
  { workspaceId }: Whose,
  media: readonly Media[],
): Promise<ShownMedia[]> {
  return Promise.all(
    media.map(async ({ storage_path, ...file }) => ({
      ...file,
      url: storage_path === undefined ? null : await pictureUrl(storage, workspaceId, storage_path),
    })),
  );
}

interface Kind {
  readonly type: Media["type"];
  readonly contentType: string;
  readonly extension: string;
  readonly colors?: string[];
}

const photos: Readonly<Record<string, string>> = {
  ...{ "image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif" },
};
const videos: Readonly<Record<string, string>> = {
  ...{ "video/mp4": "mp4", "video/quicktime": "mov", "video/webm": "webm" },
};
const office = "application/vnd.openxmlformats-officedocument";
const documents: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  docx: `${office}.wordprocessingml.document`,
  xlsx: `${office}.spreadsheetml.sheet`,
  pptx: `${office}.presentationml.presentation`,
  txt: "text/plain",
};

/** Decided by the content; the name only tells Office files apart, which are all archives. */
async function kindOf(bytes: Uint8Array, name: string): Promise<Kind> {
  if (bytes.length === 0 || bytes.length > mediaLimits.bytes) throw refused();
  const contentType = contentTypeOf(bytes.subarray(0, 512), undefined);
  const photo = photos[contentType];
  if (photo) return { type: "photo", contentType, extension: photo, colors: await colorsOf(bytes) };
  const video = videos[contentType];
  if (video) return { type: "video", contentType, extension: video };
  const ending = /\.(pdf|docx|xlsx|pptx|txt)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const isArchive = contentType === "application/zip" && /^(?:docx|xlsx|pptx)$/.test(ending);
  const isText = ending === "txt" && contentType === "application/octet-stream" && isUtf8(bytes);
  const extension = contentType === "application/pdf" ? "pdf" : isArchive || isText ? ending : "";
  const document = documents[extension];
  if (!document) throw refused();
  return { type: "document", contentType: document, extension };
}

/** The two colours that a photo shows most, which also proves that it can be read. */
async function colorsOf(bytes: Uint8Array): Promise<string[]> {
  try {
    const image = sharp(bytes, { limitInputPixels: 64_000_000 });
    const { dominant } = await image.stats();
    const { data } = await image
      .clone()
      .resize(1, 1, { fit: "fill" })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const [r = 0, g = 0, b = 0] = data;
    return [...new Set([hex(dominant), hex({ r, g, b })])];
  } catch {
    throw refused();
  }
}

const hex = ({ r, g, b }: { r: number; g: number; b: number }) =>
  `#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}`;

function isUtf8(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder("utf-8", { fatal: true }).decode(bytes).includes("\0");
  } catch {
    return false;
  }
}

/** Only for showing: the file is stored under a name of our own. */
const cleanName = (name: string) =>
  basename(name.replaceAll("\\", "/"))
    .replace(/[\p{C}<>:"|?*]/gu, "")
    .trim()
    .slice(-200);

const refused = () =>
  new SeoProblem("file_refused", {
    ru: "Пришлите фото (JPEG, PNG, WebP, GIF), видео (MP4, MOV, WebM) или документ (PDF, DOCX, XLSX, PPTX, TXT) до 20 МБ.",
    en: "Send a photo (JPEG, PNG, WebP, GIF), a video (MP4, MOV, WebM) or a document (PDF, DOCX, XLSX, PPTX, TXT) of at most 20 MB.",
  });

const full = () =>
  new SeoProblem("value_refused", {
    ru: `В категории может быть не больше ${mediaLimits.files} файлов. Удалите лишние.`,
    en: `A category holds at most ${mediaLimits.files} files: delete some first.`,
  });
