/** The photos, videos and documents of a category. Nothing needs them: they steer the style of pictures. */
import { createHash } from "node:crypto";
import { pageOf, pager, type View } from "../../../dialogs/index.ts";
import { cut } from "../../../kernel/words/index.ts";
import { readCategory } from "../../categories/categories.ts";
import { readMedia } from "../../categories/lists.ts";
import { type Media, mediaLimits } from "../../categories/shape.ts";
import { pictureKey } from "../../pictures/stored-files.ts";
import { action, type BotVisit, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";

const targets = [
  ...["category:{id}:media:{page}", "category:{id}:media:add", "category:{id}:file:{@file}"],
  "category:{id}:card",
];
const longestName = 40;

export const media = screen("category:{id}:media", {
  to: targets,
  show: ({ id }, visit) => mediaPage(id, 1, visit),
});
export const mediaPageScreen = screen("category:{id}:media:{page}", {
  to: targets,
  show: ({ id, page }, visit) => mediaPage(id, page, visit),
});

async function mediaPage(id: number, wanted: number, visit: BotVisit): Promise<View | undefined> {
  const { categories, common } = texts[visit.language];
  const say = categories.media;
  const { sql } = inStep(visit);
  const category = await ifFound(() => readCategory(sql, whoseOf(visit), id));
  if (!category) return undefined;
  const files = await readMedia(sql, whoseOf(visit), id);
  const page = pageOf(files, wanted);
  const isFull = files.length >= mediaLimits.files;
  return {
    text: [
      say.title(category.name, files.length, mediaLimits.files),
      files.length === 0 ? say.empty : isFull ? say.full : say.hint,
    ].join("\n\n"),
    buttons: [
      ...page.items.map((file) => [
        { label: nameOf(file, visit.language), to: `category:${id}:file:${keyOf(file)}` },
      ]),
      pager(page, (each) => `category:${id}:media:${each}`),
      isFull ? [] : [{ label: say.add, to: `category:${id}:media:add`, style: "success" }],
      [{ label: common.toCategory, to: `category:${id}:card` }],
    ],
  };
}

export const mediaFile = screen("category:{id}:file:{@file}", {
  to: ["category:{id}:file:{@file}:send", "category:{id}:file:{@file}:delete", "category:{id}:media"],
  async show({ id, file: key }, visit) {
    const { categories } = texts[visit.language];
    const say = categories.media;
    const file = await findFile(visit, id, key);
    if (!file) return undefined;
    const stored = storedKey(visit, file);
    const here = `category:${id}:file:${key}`;
    return {
      text: [
        nameOf(file, visit.language),
        say.size(megabytes(file.file_size, visit.language)),
        ...(file.description === undefined ? [] : [file.description]),
      ].join("\n"),
      ...(stored !== undefined && file.type === "photo" && { picture: { stored } }),
      buttons: [
        stored === undefined ? [] : [{ label: say.send, to: `${here}:send` }],
        [{ label: say.remove, to: `${here}:delete`, style: "danger" }],
        [{ label: say.toMedia, to: `category:${id}:media` }],
      ],
    };
  },
});

export const sendFile = action("category:{id}:file:{@file}:send", {
  to: ["category:{id}:file:{@file}"],
  async act({ id, file: key }, visit) {
    const file = await findFile(visit, id, key);
    const stored = file && storedKey(visit, file);
    if (!file || stored === undefined) return undefined;
    const name = file.file_name ?? `${file.type}.${stored.split(".").at(-1) ?? "bin"}`;
    return { to: `category:${id}:file:${key}`, say: [{ document: { stored }, name }] };
  },
});

export const askToDeleteFile = screen("category:{id}:file:{@file}:delete", {
  to: ["category:{id}:file:{@file}:delete:yes", "category:{id}:file:{@file}"],
  async show({ id, file: key }, visit) {
    const { categories, removal, common } = texts[visit.language];
    const file = await findFile(visit, id, key);
    if (!file) return undefined;
    const here = `category:${id}:file:${key}`;
    return {
      text: categories.media.askToRemove(nameOf(file, visit.language)),
      buttons: [
        [{ label: removal.yes, to: `${here}:delete:yes`, style: "danger" }],
        [{ label: common.cancel, to: here }],
      ],
    };
  },
});

export const deleteFile = action("category:{id}:file:{@file}:delete:yes", {
  to: ["flow:Removal"],
  async act({ id, file: key }, visit) {
    const file = await findFile(visit, id, key);
    return file && { data: { what: "media", id, file: file.file_id, next: `category:${id}:media` } };
  },
});

/** Names a file in an address: its own id may be too long for one. */
function keyOf({ file_id }: Media): string {
  return createHash("sha256").update(file_id).digest("hex").slice(0, 16);
}

async function findFile(visit: BotVisit, categoryId: number, key: string): Promise<Media | undefined> {
  const files = await ifFound(() => readMedia(inStep(visit).sql, whoseOf(visit), categoryId));
  return files?.find((file) => keyOf(file) === key);
}

function storedKey({ workspaceId }: BotVisit, { storage_path: path }: Media): string | undefined {
  return path === undefined ? undefined : pictureKey(workspaceId, path);
}

function nameOf({ type, file_name: name, description }: Media, language: keyof typeof texts): string {
  const kind = texts[language].categories.media.kinds[type];
  const own = name ?? description;
  return own === undefined ? kind : `${kind}: ${cut(own, longestName)}`;
}

function megabytes(bytes: number, language: keyof typeof texts): string {
  const format = { style: "unit", unit: "megabyte", maximumSignificantDigits: 2 } as const;
  return new Intl.NumberFormat(language, format).format(Math.max(bytes, 10_000) / 1_000_000);
}
