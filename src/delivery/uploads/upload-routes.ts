import { Readable } from "node:stream";
import { z } from "zod";
import { callerOf, type ProblemTable, problem, problemsOf, type RouteModule } from "../../http/index.ts";
import { workspaceRoutes } from "../../workspaces/index.ts";
import { keyOf } from "../media/originals.ts";
import { blobRefOf, takeUpload, type UploadDeps, uploadSchema } from "./take-upload.ts";

const uploadProblems = {
  too_many_uploads: {
    status: 429,
    title: "Too many uploads at once",
    meaning: "One operator or token may upload 4 files at once: wait until one of them has ended.",
  },
} as const satisfies ProblemTable;
const uploadProblem = problemsOf(uploadProblems);

/** Each may take its time and some of the disk. */
const mostAtOnce = 4;

/** `POST /api/v1/media` and `GET /api/v1/media/{id}`: files that operators bring for their posts. */
export function uploadRoutes(deps: UploadDeps): RouteModule {
  const { sql, storage } = deps;
  return {
    name: "delivery.uploads",
    problems: uploadProblems,
    routes(app) {
      const underWay = new Map<string, number>();
      app.register(async (scope) => {
        scope.removeAllContentTypeParsers();
        // The body is a stream of any size; whoever takes it counts its bytes.
        scope.addContentTypeParser("*", (_request, body, done) => done(null, body));
        workspaceRoutes(scope.withTypeProvider(), sql, { under: "/api/v1/media", tag: "media" }).post(
          "",
          {
            scope: "write",
            slowBody: true,
            summary: "Upload a file for a post; the body is the file itself",
            description:
              "At most `MOLVA_MEDIA_MAX_MB`. The type is recognised by the content. A file that neither a post nor a draft names is deleted after the workspace's `media_days`.",
            query: { file_name: z.string().max(255).optional().describe("What readers of a document see") },
            answer: uploadSchema,
            status: 201,
          },
          async ({ workspaceId, query: { file_name: fileName }, request }) => {
            const { "content-length": length, "content-type": announcedType } = request.headers;
            if (!(request.body instanceof Readable))
              throw problem("unprocessable", { detail: "There is no file: send its bytes as the body." });
            const announcedSize = length === undefined ? undefined : Number(length);
            const caller = callerOf(request);
            const who = `${caller.kind} ${caller.id}`;
            const others = underWay.get(who) ?? 0;
            if (others >= mostAtOnce) throw uploadProblem("too_many_uploads");
            underWay.set(who, others + 1);
            try {
              return await takeUpload(deps, workspaceId, {
                ...{ body: request.body, announcedSize, announcedType, fileName },
              });
            } finally {
              underWay.set(who, (underWay.get(who) ?? 1) - 1);
              if (underWay.get(who) === 0) underWay.delete(who);
            }
          },
        );
      });

      workspaceRoutes(app, sql, { under: "/api/v1/media", tag: "media" }).get(
        "/:id",
        {
          scope: "read",
          quiet: true,
          summary: "An uploaded file, for previews",
          params: z.object({ id: z.uuid() }),
        },
        async ({ workspaceId, params: { id }, reply }) => {
          const [row] = await sql<StoredUpload[]>`
            select o.origin_url, o.content_type, o.file_name from delivery.media_origin o
            where o.workspace_id = ${workspaceId} and o.blob_ref = ${blobRefOf(id)} and o.fetched_at is not null`;
          const key = keyOf(row?.origin_url ?? null);
          const file = key?.startsWith(`media/${workspaceId}/`) ? await storage.get(key) : undefined;
          if (!row || !file) throw problem("not_found", { detail: `There is no file ${id}.` });
          const shown = /^(?:image\/(?!svg)|video\/|audio\/)/.test(row.content_type);
          const name = `filename*=UTF-8''${encodeURIComponent(row.file_name)}`;
          return reply
            .headers({
              "content-type": row.content_type,
              "content-length": file.size,
              "content-disposition": `${shown ? "inline" : "attachment"}; ${name}`,
              "x-content-type-options": "nosniff",
              "content-security-policy": "default-src 'none'; sandbox",
              "cache-control": "private, max-age=86400",
            })
            .send(file.body);
        },
      );
    },
  };
}

interface StoredUpload {
  readonly origin_url: string;
  readonly content_type: string;
  readonly file_name: string;
}
