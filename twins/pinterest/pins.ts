import { z } from "zod";
import { download, readImage } from "../shared/index.ts";
import { parsedUrl } from "../shared/parsed-url.ts";
import { ownBoard } from "./boards.ts";
import { refuse } from "./errors.ts";
import { limits, shorteners } from "./limits.ts";
import type { Pin } from "./model.ts";
import { number, paged, read } from "./read.ts";
import type { Call, Pinterest, Reply } from "./twin.ts";
import { tellOfPin } from "./views.ts";
import { wirePin } from "./wire.ts";

const text = (most: number) => z.string().max(most).nullable().optional();
const words = {
  title: text(limits.title),
  description: text(limits.description),
  alt_text: text(limits.altText),
  link: text(limits.link),
};
const mediaSource = z.discriminatedUnion("source_type", [
  z.object({
    source_type: z.literal("image_base64"),
    content_type: z.enum(["image/jpeg", "image/png"]),
    // Looks for what is wrong: `^[…]+$` over a whole picture can exhaust the stack of regular expressions.
    data: z
      .string()
      .refine(
        (data) => data !== "" && !/[^a-zA-Z0-9+/=]/.test(data),
        "must match the pattern: ^[a-zA-Z0-9+/=]+$",
      ),
  }),
  z.object({ source_type: z.literal("image_url"), url: z.string() }),
]);
const pinBody = z.object({
  board_id: number,
  board_section_id: number.nullable().optional(),
  dominant_color: z
    .string()
    .regex(/^#[0-9A-Fa-f]{6}$/)
    .nullable()
    .optional(),
  media_source: mediaSource,
  ...words,
});
const pinPatch = z.object({ board_id: number.optional(), ...words });

export async function createPin(pinterest: Pinterest, call: Call): Promise<Reply> {
  const { store, context } = pinterest;
  if (call.app.access === "trial" && !call.sandbox) throw refuse.trial();
  const fields = read(pinBody, call.body);
  const board = ownBoard(pinterest, call, fields.board_id);
  const section = fields.board_section_id ?? null;
  if (section !== null && !board.sections.some(({ id }) => id === section)) {
    throw refuse.invalid("'board_section_id' is not a section of the board");
  }
  checkLink(pinterest, fields.link);
  const image = await imageOf(pinterest, fields.media_source);
  const pin: Pin = {
    id: store.newId(),
    accountId: call.account.id,
    boardId: board.id,
    sectionId: section,
    title: fields.title ?? null,
    description: fields.description ?? null,
    link: fields.link ?? null,
    altText: fields.alt_text ?? null,
    colour: fields.dominant_color ?? null,
    ...image,
    createdAt: context.clock.now(),
  };
  store.world.pins.push(pin);
  store.changed();
  tellOfPin(pinterest, pin);
  return { status: 201, body: wirePin(pinterest, pin, call.account.id), created: [pin.id] };
}

export function listPins(pinterest: Pinterest, { account, query }: Call): Reply {
  const own = pinterest.store.world.pins.filter(({ accountId }) => accountId === account.id).reverse();
  const { items, bookmark } = paged(own, query);
  return { body: { items: items.map((pin) => wirePin(pinterest, pin, account.id)), bookmark } };
}

export function getPin(pinterest: Pinterest, call: Call): Reply {
  return { body: wirePin(pinterest, ownPin(pinterest, call), call.account.id) };
}

export function deletePin(pinterest: Pinterest, call: Call): Reply {
  const { store, context } = pinterest;
  const pin = ownPin(pinterest, call);
  store.world.pins = store.world.pins.filter((each) => each !== pin);
  store.changed();
  context.bus.publish({ type: "removed", provider: "pinterest", chatId: pin.boardId, messageId: pin.id });
  return { status: 204, body: "" };
}

/** Only apps in the beta may change Pins. */
export function patchPin(pinterest: Pinterest, call: Call): Reply {
  if (!call.app.beta) throw refuse.forbidden();
  const pin = ownPin(pinterest, call);
  const { board_id, alt_text, ...change } = read(pinPatch, call.body);
  if (board_id !== undefined) ownBoard(pinterest, call, board_id);
  checkLink(pinterest, change.link);
  Object.assign(
    pin,
    change,
    board_id !== undefined && { boardId: board_id },
    alt_text !== undefined && { altText: alt_text },
  );
  pinterest.store.changed();
  tellOfPin(pinterest, pin);
  return { body: wirePin(pinterest, pin, call.account.id) };
}

function ownPin({ store }: Pinterest, { account, params }: Call): Pin {
  const pin = store.pin(read(z.object({ pin_id: number }), { pin_id: params.pin_id }).pin_id);
  if (!pin) throw refuse.noPin();
  if (pin.accountId !== account.id) throw refuse.forbidden();
  return pin;
}

function checkLink({ store }: Pinterest, link: string | null | undefined): void {
  if (link === null || link === undefined) return;
  if (!/^https?:\/\//i.test(link) || !parsedUrl(link)) throw refuse.url();
  const host = new URL(link).hostname.replace(/^www\./, "");
  if (shorteners.includes(host) || store.world.flaggedHosts.includes(host)) throw refuse.url();
}

async function imageOf({ context }: Pinterest, source: z.infer<typeof mediaSource>) {
  const bytes =
    source.source_type === "image_url"
      ? await fetched(source.url, context.stopping)
      : Buffer.from(source.data, "base64");
  if (bytes.byteLength > limits.imageBytes) throw refuse.image();
  const image = readImage(bytes);
  if (image?.format !== "jpeg" && image?.format !== "png") throw refuse.image();
  // File type is detected from content, and must match the declared one.
  if (source.source_type === "image_base64" && source.content_type !== image.contentType)
    throw refuse.image();
  const blob = await context.blobs.put(bytes, { contentType: image.contentType });
  return { blob, width: image.width, height: image.height };
}

async function fetched(url: string, signal: AbortSignal): Promise<Uint8Array> {
  const got = await download(url, { maxBytes: limits.imageBytes, signal });
  if (!got.ok || !got.file.contentType.startsWith("image/")) throw refuse.fetch();
  return got.file.bytes;
}
