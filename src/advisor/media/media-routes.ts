import { z } from "zod";
import type { App } from "../../http/index.ts";
import { sha256Hex } from "../../kernel/crypto/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import { signKey, verifySignedKey } from "../../kernel/storage/index.ts";
import { limits } from "../advisor-limits.ts";
import { aUser } from "../ask/ask-body.ts";
import type { AdvisorDeps } from "../deps.ts";
import { findUser, requirePro } from "../people/user.ts";
import { requirePet } from "../pets/read-pets.ts";
import type { Subject } from "../subject/subject.ts";
import { errorBody } from "../v1/error-response.ts";
import { badRequest, Refusal } from "../v1/refusal.ts";
import { audioTypes, type FileType, isOfType, photoTypes } from "./file-types.ts";

const kinds = {
  photo: { types: photoTypes, maxBytes: limits.photoBytes },
  audio: { types: audioTypes, maxBytes: limits.audioBytes },
} as const;

/** `POST /v1/media/init`: returns a URL that accepts one file within 15 minutes. */
export function mediaInitRoute(
  app: App,
  { sql, clock, settings, workspaceId }: AdvisorDeps,
  subject: Subject,
): void {
  app.post(
    "/v1/media/init",
    {
      schema: {
        tags: ["advisor"],
        summary: "Announce a photo or recording and get the URL to PUT it to",
        security: [{ advisorToken: [] }],
        body: z.object({
          user: aUser,
          type: z.enum(["photo", "audio"]),
          mime: z.string().max(100),
          size_bytes: z.int().positive(),
          pet_id: z.uuid().nullish(),
        }),
        response: {
          200: z.object({ media_id: z.string(), upload_url: z.string(), expires_at: z.string() }),
          default: errorBody,
        },
      },
    },
    async (request) => {
      const { user: given, type, mime, size_bytes: size, pet_id: petId } = request.body;
      const [workspace, now] = [await workspaceId(), clock.now()];
      const user = requirePro(
        await findUser(sql, workspace, given.telegram_user_id),
        "files",
        subject,
        given.locale,
      );
      const { types, maxBytes } = kinds[type];
      if (!types.some((each) => each === mime))
        throw badRequest("unsupported_mime", `A ${type} is one of ${types.join(", ")}.`);
      if (size > maxBytes)
        throw badRequest("attachment_too_large", `A ${type} has at most ${maxBytes} bytes.`);
      if (petId) await requirePet(sql, workspace, user.id, petId);
      const id = uuidv7(clock);
      const expiresAt = new Date(now.getTime() + limits.uploadWithinMs);
      await sql`
        insert into advisor.media_assets (workspace_id, id, user_id, pet_id, type, storage_url, mime, size_bytes, created_at, expires_at)
        values (${workspace}, ${id}, ${user.id}, ${petId ?? null}, ${type}, ${`advisor/${workspace}/${id}`}, ${mime}, ${size}, ${now}, ${expiresAt})`;
      const { expires, signature } = signKey(id, expiresAt, secretOf(settings.token));
      const url = `${settings.publicUrl()}/v1/media/upload/${id}?expires=${expires}&signature=${signature}`;
      return { media_id: id, upload_url: url, expires_at: expiresAt.toISOString() };
    },
  );
}

/** The signed URL is the permission; no token is needed. */
export function uploadRoute(app: App, { sql, clock, storage, settings, workspaceId }: AdvisorDeps): void {
  const types = [...photoTypes, ...audioTypes];
  app.addContentTypeParser(
    types,
    { parseAs: "buffer", bodyLimit: limits.audioBytes },
    (_request, body, done) => done(null, body),
  );
  app.put(
    "/v1/media/upload/:media_id",
    {
      bodyLimit: limits.audioBytes,
      schema: {
        tags: ["advisor"],
        summary: "Upload the file to the URL from POST /v1/media/init",
        security: [],
        params: z.object({ media_id: z.uuid() }),
        querystring: z.object({ expires: z.string(), signature: z.string() }),
        response: {
          200: z.object({ ok: z.literal(true), media_id: z.string(), expires_at: z.string() }),
          default: errorBody,
        },
      },
      // Checked before the body is read.
      onRequest: async ({ params, query }) => {
        const given = {
          key: params.media_id,
          expires: String(query.expires),
          signature: String(query.signature),
        };
        if (!settings.token || !verifySignedKey(given, secretOf(settings.token), clock))
          throw new Refusal(
            "unauthorized",
            "invalid_signature",
            "The URL is invalid or has expired; request another.",
          );
      },
    },
    async (request) => {
      const { media_id: id } = request.params;
      const [workspace, now] = [await workspaceId(), clock.now()];
      const [row] = await sql<Announced[]>`
        select storage_url, mime, size_bytes, uploaded_at from advisor.media_assets
        where workspace_id = ${workspace} and id = ${id} and deleted_at is null and user_id is not null`;
      if (!row) throw new Refusal("not_found", "media_not_found", "The file is no longer expected.");
      if (row.uploaded_at)
        throw new Refusal("conflict", "already_uploaded", "The file was already uploaded.");
      const bytes = checkedFile(request.body, request.headers["content-type"], row);
      await storage.put(row.storage_url, bytes, { contentType: row.mime });
      const expiresAt = new Date(now.getTime() + limits.keepMediaMs);
      const kept = await sql`
        update advisor.media_assets set uploaded_at = ${now}, expires_at = ${expiresAt}
        where workspace_id = ${workspace} and id = ${id} and uploaded_at is null and deleted_at is null and user_id is not null
        returning id`;
      if (kept.length === 0) {
        // The row was deleted during the upload.
        const others =
          await sql`select from advisor.media_assets where workspace_id = ${workspace} and id = ${id} and uploaded_at is not null`;
        if (others.length === 0) await storage.delete(row.storage_url);
        throw new Refusal(
          "conflict",
          "already_uploaded",
          "The file came twice at once, or was deleted meanwhile.",
        );
      }
      return { ok: true as const, media_id: id, expires_at: expiresAt.toISOString() };
    },
  );
}

interface Announced {
  readonly storage_url: string;
  readonly mime: FileType;
  readonly size_bytes: number;
  readonly uploaded_at: Date | null;
}

/** Checks the file against its announcement. */
function checkedFile(
  body: unknown,
  contentType: string | undefined,
  { mime, size_bytes: size }: Announced,
): Buffer {
  if (!Buffer.isBuffer(body) || contentType !== mime)
    throw badRequest("wrong_content_type", `Send the file itself with Content-Type: ${mime}.`);
  if (body.length !== size)
    throw badRequest("wrong_size", `${size} bytes were announced, ${body.length} came.`);
  if (!isOfType(mime, body)) throw badRequest("wrong_content", `These bytes are not ${mime}.`);
  return body;
}

/** The same in all processes; changes with the token. */
function secretOf(token: string | undefined): string {
  return sha256Hex(`advisor uploads ${token ?? ""}`);
}
