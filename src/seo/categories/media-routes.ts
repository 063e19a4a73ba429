import { z } from "zod";
import { type App, problem } from "../../http/index.ts";
import { person, personRoutes, readFor, whoseOf } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import { addMediaFile, listMedia, type MediaDeps, removeMediaFile } from "./media-files.ts";
import { mediaLimits, mediaSchema } from "./shape.ts";

const params = z.object({ ...person, category_id: idText });
const items = z.array(
  mediaSchema
    .omit({ storage_path: true })
    .extend({ url: z.string().nullable().describe("Lives for a week; null if only Telegram has the file") }),
);
const fileType = "application/octet-stream";

/** Files of a category, which steer the style of its pictures. */
export function mediaRoutes(app: App, deps: MediaDeps): void {
  const routes = personRoutes(app, deps);
  routes.get(
    "/categories/:category_id/media",
    {
      scope: "people",
      summary: "Files that steer the style of pictures; each reading is recorded",
      params,
      answer: z.object({ items }),
    },
    async (asked) => ({
      items: [...(await listMedia(deps, await readFor(deps, asked, "media"), asked.params.category_id))],
    }),
  );
  routes.delete(
    "/categories/:category_id/media/:file_id",
    {
      scope: "write",
      summary: "Remove a file",
      params: params.extend({ file_id: z.string().min(1).max(200) }),
    },
    ({ by, dryRun, ...asked }) =>
      removeMediaFile(deps, whoseOf(asked), asked.params.category_id, asked.params.file_id, { by, dryRun }),
  );
  app.register(async (files: App) => uploadRoute(files, deps));
}

/** The body is the file itself. */
function uploadRoute(app: App, deps: MediaDeps): void {
  app.addContentTypeParser(
    fileType,
    { parseAs: "buffer", bodyLimit: mediaLimits.bytes + 1 },
    // In an object, because the routes of a workspace take bodies apart.
    (_request, file, done) => done(null, { file }),
  );
  personRoutes(app, deps).post(
    "/categories/:category_id/media",
    {
      scope: "write",
      summary: "Add a photo, a video or a document of at most 20 MB",
      description: `The body is the file, with Content-Type: ${fileType}; what it is, its content says.`,
      params,
      query: {
        name: z.string().max(300).optional().describe("The file's name"),
        description: z.string().max(500).optional().describe("What it shows, for pictures in the same style"),
      },
      answer: z.object({ items }),
      status: 201,
    },
    async (asked) => {
      const { file } = z.object({ file: z.unknown() }).catch({ file: undefined }).parse(asked.request.body);
      if (!Buffer.isBuffer(file))
        throw problem("unsupported_media_type", {
          detail: `Send the file itself with Content-Type: ${fileType}.`,
        });
      const given = { bytes: file, ...asked.query };
      return {
        items: [...(await addMediaFile(deps, whoseOf(asked), asked.params.category_id, given, asked.by))],
      };
    },
  );
}
