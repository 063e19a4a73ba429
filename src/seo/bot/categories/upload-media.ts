/** Takes photos, videos and documents for a category, one by one or as an album, and keeps them together. */
import { z } from "zod";
import type { MediaInput, StepContext } from "../../../dialogs/index.ts";
import { readCategory } from "../../categories/categories.ts";
import { addMediaFile } from "../../categories/media-files.ts";
import { mediaLimits } from "../../categories/shape.ts";
import { inactivity } from "../limits.ts";
import { action, type BotServices, flow, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { attempted, ifFound, saidOf } from "../told.ts";

type Name = "file" | "keeping";

const sent = z.object({ fileId: z.string(), name: z.string(), caption: z.string() });
const data = z.object({ categoryId: z.int(), files: z.array(sent) });
type Data = z.infer<typeof data>;

/** Only taken here: the bytes are fetched when all of them are there, so that an album comes whole. */
const taken: MediaInput<Data, Name, BotServices> = {
  to: "file",
  take({ data: { files }, language }: StepContext<Data, BotServices>, { fileId, size, name, caption }) {
    const say = texts[language].categories.media;
    if (fileId === undefined || (size ?? 0) > mediaLimits.bytes) return { refuse: say.tooLarge };
    if (files.length >= mediaLimits.files) return { refuse: say.tooMany(mediaLimits.files) };
    return { data: { files: [...files, { fileId, name: name ?? "", caption: caption ?? "" }] } };
  },
};

export const uploadMedia = flow({
  name: "MediaUpload",
  title: both((t) => t.categories.media.flow),
  data,
  empty: { categoryId: 0, files: [] },
  first: "file",
  rivals: "replace",
  inactivity,
  states: {
    file: {
      ask: ({ files }, language) => {
        const say = texts[language].categories.media;
        return files.length === 0 ? say.ask : say.taken(files.length);
      },
      media: { photo: taken, video: taken, document: taken },
      buttons: {
        done: {
          label: ({ files }, language) => texts[language].categories.media.done(files.length),
          style: "success",
          when: ({ files }) => files.length > 0,
          to: "keeping",
        },
      },
    },
    keeping: {
      ask: both((t) => t.categories.media.keeping),
      to: ["screen:category:{id}:media", "screen:dashboard"],
      async work({ data: { categoryId, files }, services, language, download, ...work }) {
        const say = texts[language].categories.media;
        const deps = { ...services, storage: services.articles.storage };
        const refusals = new Set<string>();
        let kept = 0;
        for (const { fileId, name, caption } of files) {
          const got = await download(fileId, { bytes: mediaLimits.bytes });
          if (got.kind !== "file") {
            refusals.add(got.kind === "gone" ? texts[language].categories.fileGone : say.tooLarge);
            continue;
          }
          const file = { bytes: got.bytes, name, description: caption.slice(0, longestCaption) };
          const added = await ifFound(() =>
            attempted(() => addMediaFile(deps, whoseOf(work), categoryId, file)),
          );
          if (!added) return { to: "screen:dashboard", notice: texts[language].categories.gone };
          if (added.ok) kept += 1;
          else refusals.add(saidOf(added.problem, language));
        }
        const notice = [say.kept(kept), ...refusals].join("\n");
        return { to: `screen:category:${categoryId}:media`, notice };
      },
      failed: { to: "file", text: both((t) => t.categories.media.failed) },
    },
  },
});

/** What the category keeps of a caption. */
const longestCaption = 500;

export const beginUpload = action("category:{id}:media:add", {
  to: ["flow:MediaUpload"],
  async act({ id }, visit) {
    const category = await ifFound(() => readCategory(visit.sql, whoseOf(visit), id));
    return category && { data: { categoryId: id } };
  },
});
