import { z } from "zod";
import { limits } from "../advisor-limits.ts";
import { isOfType, photoTypes } from "../media/file-types.ts";
import { isRecord } from "../subject/pet-profile.ts";
import { badRequest, type Refusal } from "../v1/refusal.ts";

/** A file that was uploaded before, or a photo in the request. */
export type Attachment =
  | { readonly kind: "stored"; readonly type: "photo" | "audio"; readonly mediaId: string }
  | { readonly kind: "inline"; readonly type: "photo"; readonly mime: string; readonly bytes: Uint8Array };

const stored = z.object({ type: z.enum(["photo", "audio"]), media_id: z.uuid() });
const inline = z.object({
  type: z.enum(["image", "photo"]),
  source: z.literal("inline"),
  mime: z.string().max(100).nullish(),
  data: z.string().min(1),
});

export function attachmentOf(given: unknown): Attachment | undefined {
  if (given === undefined || given === null) return undefined;
  if (!Array.isArray(given)) throw badRequest("invalid_attachments", "attachments is a list.");
  if (given.length > limits.attachments)
    throw badRequest("too_many_attachments", `At most ${limits.attachments} attachment with a question.`);
  const one: unknown = given[0];
  if (one === undefined) return undefined;
  const byUpload = stored.safeParse(one);
  if (byUpload.success) return { kind: "stored", type: byUpload.data.type, mediaId: byUpload.data.media_id };
  const within = inline.safeParse(one);
  if (within.success) return inlineOf(within.data);
  throw attachmentError(one);
}

function inlineOf({ mime, data }: z.output<typeof inline>): Attachment {
  const [, declared, base64 = data] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(data) ?? [];
  if (!/^[A-Za-z0-9+/\s]*(?:={1,2}\s*)?$/.test(base64))
    throw badRequest("invalid_attachment_base64", "data is not base64.");
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length === 0) throw badRequest("invalid_attachment_data", "data holds no bytes.");
  if (bytes.length > limits.inlineBytes)
    throw badRequest(
      "attachment_too_large",
      `A photo within a question has at most ${limits.inlineBytes} bytes.`,
    );
  const type = photoTypes.find((each) => isOfType(each, bytes));
  const named = mime ?? declared;
  if (!type || (named && named !== type))
    throw badRequest(
      "invalid_attachment_data",
      `The photo is none of ${photoTypes.join(", ")}, or not what it says it is.`,
    );
  return { kind: "inline", type: "photo", mime: type, bytes };
}

/** The specific reason for an unreadable attachment. */
function attachmentError(one: unknown): Refusal {
  if (!isRecord(one)) return badRequest("invalid_attachment", "An attachment is an object.");
  const { type, source, data } = one;
  if (type !== "photo" && type !== "audio" && type !== "image")
    return badRequest("unsupported_attachment_type", "An attachment is a photo or audio.");
  if (source !== undefined && source !== "inline")
    return badRequest(
      "unsupported_attachment_source",
      "Upload the file and give its media_id, or send it inline.",
    );
  if (source === "inline" && typeof data !== "string")
    return badRequest("invalid_attachment_data", "data holds the photo in base64.");
  return badRequest(
    "invalid_attachment",
    "Give media_id of a file that was uploaded by POST /v1/media/init.",
  );
}
