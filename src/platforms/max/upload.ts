import { z } from "zod";
import { classify, jsonOf, textOf } from "../classify.ts";
import type { MediaFile, SendError } from "../contract.ts";
import { ifReadable, readableItems } from "../if-readable.ts";
import { rules } from "./classify.ts";
import { type Connection, call } from "./client.ts";
import type { UploadType } from "./limits.ts";

export type Uploaded =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly error: SendError };

const sessionShape = z.object({ url: z.url(), token: ifReadable(z.string().min(1)) });

/** The answer for an image is a map of sizes, each with a token; any of them works. */
const imageShape = z.object({ photos: z.record(z.string(), z.unknown()) });
const fileShape = z.object({ token: z.string().min(1) });

/**
 * Uploads one file: creates a session, sends the bytes, then takes the token, which comes with the session for video
 * and audio and with the answer to the bytes for images and files. Readers see nothing yet, so any error here is a
 * failure, never an unknown outcome.
 */
export async function upload(type: UploadType, file: MediaFile, connection: Connection): Promise<Uploaded> {
  await connection.context.turn?.();
  const session = await call({ method: "POST", path: "/uploads", query: { type } }, sessionShape, connection);
  if (session.kind === "failed") return { ok: false, error: session.error };
  if (session.kind === "unknown")
    return { ok: false, error: unexpected(session.error.message, session.error.raw) };

  const { settings, context } = connection;
  const answer = await context.http.request({
    method: "POST",
    url: session.result.url,
    body: [{ ...file, name: "data" }],
    timeoutMs: settings.uploadTimeoutMs ?? 120_000,
    ...(context.signal && { signal: context.signal }),
  });
  if (answer.kind === "failure")
    return { ok: false, error: unexpected(answer.message, { reason: answer.reason }) };
  if (answer.status >= 300) {
    const description = `the file was refused with status ${answer.status}`;
    const raw = { status: answer.status, body: textOf(answer) };
    return { ok: false, error: classify({ status: answer.status, description, raw }, uploadRules) };
  }
  const token = session.result.token ?? tokenIn(jsonOf(answer), type);
  return token
    ? { ok: true, token }
    : { ok: false, error: unexpected("the answer to an upload has no token", textOf(answer)) };
}

/** A 403 or 404 of a file server means that the upload address has expired; it says nothing about the channel. */
const uploadRules = [
  ...[401, 403, 404, 410].map((status) => ({
    status,
    verdict: { category: "TRANSIENT", scope: "delivery", code: "upload_refused" } as const,
  })),
  ...rules,
];

function tokenIn(body: unknown, type: UploadType): string | undefined {
  if (type !== "image") return fileShape.safeParse(body).data?.token;
  const photos = Object.values(imageShape.safeParse(body).data?.photos ?? {});
  return readableItems(fileShape).parse(photos)[0]?.token;
}

function unexpected(message: string, raw: unknown): SendError {
  return { category: "TRANSIENT", scope: "platform", code: "upload_session_unexpected", message, raw };
}
