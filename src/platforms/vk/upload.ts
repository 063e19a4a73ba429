import { z } from "zod";
import { classify, jsonOf, textOf } from "../classify.ts";
import type { MediaFile, SendError } from "../contract.ts";
import { numberShape } from "../if-readable.ts";
import { rules } from "./classify.ts";
import { type Connection, call, type Reply } from "./client.ts";
import { fileEnds } from "./limits.ts";

export type Uploaded =
  | { readonly ok: true; readonly attachment: string }
  | { readonly ok: false; readonly error: SendError };

const serverShape = z.object({ upload_url: z.url() });
const receivedShape = z.object({ server: numberShape, photo: z.string(), hash: z.string() });
const savedShape = z
  .array(z.object({ id: z.int(), owner_id: z.int() }))
  .min(1)
  .transform(([photo]) => photo);

/**
 * Uploads a picture for a community's wall: requests an address, which is valid for minutes, sends the bytes, then
 * saves the photo, which gives the name for attaching it. Nothing is visible yet, so any error here is a failure.
 */
export async function upload(file: MediaFile, groupId: number, connection: Connection): Promise<Uploaded> {
  const { context } = connection;
  await context.turn?.();
  const server = await call("photos.getWallUploadServer", { group_id: groupId }, serverShape, connection);
  if (server.kind !== "ok") return failed(server);

  const received = await sendBytes(server.result.upload_url, file, connection);
  if ("error" in received) return { ok: false, error: received.error };

  await context.turn?.();
  const params = { group_id: groupId, ...received };
  const saved = await call("photos.saveWallPhoto", params, savedShape, connection);
  if (saved.kind !== "ok") return failed(saved);
  const photo = saved.result;
  return photo
    ? { ok: true, attachment: `photo${photo.owner_id}_${photo.id}` }
    : { ok: false, error: unexpected("VK saved no photo", null) };
}

type Received = z.infer<typeof receivedShape>;

async function sendBytes(
  url: string,
  file: MediaFile,
  { settings, context }: Connection,
): Promise<Received | { readonly error: SendError }> {
  const fileName = `photo.${fileEnds[file.contentType] ?? "jpg"}`;
  const answer = await context.http.request({
    method: "POST",
    url,
    body: [{ ...file, name: "photo", fileName }],
    timeoutMs: settings.uploadTimeoutMs ?? 120_000,
    ...(context.signal && { signal: context.signal }),
  });
  if (answer.kind === "failure") return { error: unexpected(answer.message, { reason: answer.reason }) };
  const raw = { status: answer.status, body: textOf(answer) };
  if (answer.status >= 300) {
    const description = `the picture was refused with status ${answer.status}`;
    return { error: classify({ status: answer.status, description, raw }, uploadRules) };
  }
  const received = receivedShape.safeParse(jsonOf(answer)).data;
  if (!received) return { error: unexpected("the answer to an upload cannot be read", raw) };
  // For a file that VK does not accept as a picture it returns an empty list, with status 200.
  if (/^(?:\[\s*\])?$/.test(received.photo.trim()))
    return {
      error: {
        category: "PERMANENT",
        scope: "delivery",
        code: "media_rejected",
        message: "VK does not take this file as a picture",
        raw,
      },
    };
  return received;
}

/** A 403 or 404 of an upload server means that the address has expired; it says nothing about the community. */
const uploadRules = [
  ...[401, 403, 404, 410].map((status) => ({
    status,
    verdict: { category: "TRANSIENT", scope: "delivery", code: "upload_refused" } as const,
  })),
  { status: 413, verdict: { category: "PERMANENT", scope: "delivery", code: "media_too_large" } as const },
  ...rules,
];

function failed(reply: Exclude<Reply<unknown>, { kind: "ok" }>): Uploaded {
  if (reply.kind === "failed") return { ok: false, error: reply.error };
  return { ok: false, error: unexpected(reply.error.message, reply.error.raw) };
}

function unexpected(message: string, raw: unknown): SendError {
  return { category: "TRANSIENT", scope: "platform", code: "upload_session_unexpected", message, raw };
}
