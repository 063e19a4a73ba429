import { chatOf, checkPosting } from "../access.ts";
import { ApiError, badRequest } from "../api-error.ts";
import type { Method } from "../call.ts";
import { limits } from "../limits.ts";
import { json } from "../params.ts";
import { checkCaption, type Draft, post, readCaption, readOptions } from "../posting.ts";
import { type InputMedia, readInputMedia } from "./input-media.ts";
import { fileOf, lookOf } from "./send-media.ts";

/** An album: all items are sent or none, with consecutive ids. */
export const sendMediaGroup: Method = async (call, deps) => {
  const { params } = call;
  const items = readItems(json(params, "media"));
  const captions = items.map((item) => readCaption(item.fields));
  const chat = chatOf(deps.store, params);
  for (const item of items) checkPosting(chat, call.bot, item.kind);
  const { keyboard: _albumsHaveNone, ...options } = readOptions(params, chat, deps);
  for (const caption of captions) checkCaption(caption);

  const files = await Promise.all(
    items.map((item) =>
      fileOf(call, deps, item.kind, item.fields, item.media).catch((error: unknown) => {
        throw groupFailure(error);
      }),
    ),
  );
  const albumId =
    items.length > 1 ? newAlbumId(deps.context.clock.now(), deps.store.nextSerial()) : undefined;
  const drafts = items.map((item, index): Draft => {
    const [caption, file] = [captions[index], files[index]];
    if (!caption || !file) throw new Error("an album item lost its file");
    return { ...caption, ...lookOf(item.fields, file), ...(albumId !== undefined && { albumId }) };
  });
  return post(call, deps, { chat, contents: items.map((item) => item.kind), options }, drafts);
};

function readItems(media: unknown): InputMedia[] {
  if (!Array.isArray(media)) throw badRequest("expected an Array of InputMedia");
  if (media.length > limits.album) throw badRequest("too many messages to send as an album");
  if (media.length === 0) throw badRequest("there are no messages to send");
  const items = media.map((item) =>
    readInputMedia(item, ["photo", "video", "audio", "document"], "sendMediaGroup"),
  );
  for (const kind of ["document", "audio"] as const) {
    const count = items.filter((item) => item.kind === kind).length;
    if (count > 0 && count < items.length) throw badRequest(`${kind} can't be mixed with other media types`);
  }
  return items;
}

/** An address that cannot be fetched fails the group as a whole; other refusals are returned as they are. */
function groupFailure(error: unknown): unknown {
  const unfetched = error instanceof ApiError && /HTTP URL content|web page content/.test(error.message);
  return unfetched ? badRequest("group send failed") : error;
}

function newAlbumId(now: number, serial: number): string {
  return String(BigInt(now) * 10_000n + BigInt(serial % 10_000));
}
