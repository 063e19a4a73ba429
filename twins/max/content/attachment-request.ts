import { z } from "zod";
import { refuse } from "../errors.ts";
import { limits } from "../limits.ts";
import { button, checkGeometry } from "./keyboard.ts";

const uploaded = z.object({ token: z.string().min(1) });

export const attachmentRequest = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("image"),
    payload: z.object({
      url: z.string().min(1).nullish(),
      token: z.string().min(1).nullish(),
      photos: z.record(z.string(), uploaded).nullish(),
    }),
  }),
  z.object({ type: z.literal("video"), payload: uploaded }),
  z.object({ type: z.literal("audio"), payload: uploaded }),
  z.object({ type: z.literal("file"), payload: uploaded }),
  z.object({ type: z.literal("sticker"), payload: z.object({ code: z.string().min(1) }) }),
  z.object({
    type: z.literal("contact"),
    payload: z.object({
      name: z.string().nullish(),
      contact_id: z.number().int().nullish(),
      vcf_info: z.string().nullish(),
      vcf_phone: z.string().nullish(),
    }),
  }),
  z.object({
    type: z.literal("location"),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
  }),
  z.object({
    type: z.literal("share"),
    payload: z.object({ url: z.string().min(1).nullish(), token: z.string().min(1).nullish() }),
  }),
  z.object({
    type: z.literal("inline_keyboard"),
    payload: z.object({ buttons: z.array(z.array(button)) }),
  }),
]);

export type AttachmentRequest = z.infer<typeof attachmentRequest>;

/** Each of these must be the only attachment of its message, besides a keyboard. */
const exclusive: ReadonlySet<AttachmentRequest["type"]> = new Set(["audio", "file", "sticker", "contact"]);

/** Throws the provider's refusal if the attachments cannot be in one message. */
export function checkTogether(requests: readonly AttachmentRequest[]): void {
  if (requests.length > limits.attachments) {
    throw refuse.payload(`attachments: at most ${limits.attachments} are allowed`);
  }
  const keyboards = requests.filter((request) => request.type === "inline_keyboard");
  if (keyboards.length > 1) throw refuse.payload("attachments: only one inline keyboard is allowed");
  for (const { payload } of keyboards) checkGeometry(payload.buttons);

  const media = requests.filter(({ type }) => type !== "inline_keyboard");
  const alone = media.find(({ type }) => exclusive.has(type));
  if (alone && media.length > 1) {
    throw refuse.payload(`attachments: ${alone.type} must be the only attachment in message`);
  }
}
