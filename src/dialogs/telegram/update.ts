/** Parses a Telegram update for the engine; undefined if it does not belong to a dialog. */
import { z } from "zod";
import type { Language, Media } from "../flow/flow.ts";
import type { Update } from "../messenger.ts";

const from = z.object({
  id: z.number(),
  language_code: z.string().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  username: z.string().optional(),
});
const file = z.object({
  file_id: z.string(),
  file_size: z.number().optional(),
  file_name: z.string().optional(),
});
const message = z.object({
  message_id: z.number(),
  chat: z.object({ id: z.number(), type: z.string() }),
  from: from.optional(),
  text: z.string().optional(),
  caption: z.string().optional(),
  reply_to_message: z.object({ message_id: z.number() }).optional().catch(undefined),
  photo: z.array(file).min(1).optional(),
  voice: file.optional(),
  audio: file.optional(),
  video: file.optional(),
  document: file.optional(),
  sticker: file.optional(),
  successful_payment: z.unknown().optional(),
  refunded_payment: z.unknown().optional(),
});
const updateShape = z.object({
  update_id: z.number().int(),
  message: message.optional(),
  edited_message: message.optional(),
  callback_query: z
    .object({
      id: z.string(),
      from,
      data: z.string().optional(),
      message: message.pick({ message_id: true, chat: true }).optional(),
    })
    .optional(),
});

export const wantedUpdates: (
  | "message"
  | "edited_message"
  | "callback_query"
  | "pre_checkout_query"
  | "my_chat_member"
  | "subscription"
)[] = ["message", "edited_message", "callback_query", "pre_checkout_query", "my_chat_member", "subscription"];

export function readTelegramUpdate(raw: unknown): Update | undefined {
  const read = updateShape.safeParse(raw);
  if (!read.success) return undefined;
  const { update_id: id, message: sent, edited_message: edited, callback_query: press } = read.data;
  if (press?.message && press.message.chat.type === "private")
    return {
      ...commonOf(id, press.message, press.from),
      kind: "press",
      pressId: press.id,
      payload: press.data ?? "",
    };
  const written = sent ?? edited;
  // Flows talk to one person: in groups the bot is silent.
  if (!written?.from || written.chat.type !== "private") return undefined;
  // Payments are handled elsewhere.
  if (written.successful_payment !== undefined || written.refunded_payment !== undefined) return undefined;
  const common = commonOf(id, written, written.from);
  if (edited) return { ...common, kind: "edited" };
  if (written.text === undefined) return { ...common, kind: "media", media: mediaOf(written) };
  const command = /^\/([a-z0-9_]{1,32})(?:@\w+)?(?:\s+(\S.*)?)?$/is.exec(written.text);
  return command
    ? { ...common, kind: "command", command: (command[1] ?? "").toLowerCase(), argument: command[2] ?? "" }
    : { ...common, kind: "text", text: written.text };
}

function commonOf(
  id: number,
  {
    message_id,
    chat,
    reply_to_message: replied,
  }: Pick<z.infer<typeof message>, "message_id" | "chat"> & Partial<z.infer<typeof message>>,
  person: z.infer<typeof from>,
) {
  return {
    id,
    chatId: String(chat.id),
    userId: String(person.id),
    language: languageOf(person.language_code),
    messageId: String(message_id),
    ...(replied && { replyTo: String(replied.message_id) }),
    ...(person.first_name !== undefined && {
      person: {
        name: [person.first_name, person.last_name].filter(Boolean).join(" "),
        username: person.username,
      },
    }),
  };
}

/** Russian for languages whose speakers usually read it, and if the language is unknown. */
export function languageOf(code: string | undefined): Language {
  return code === undefined || /^(ru|be|uk|kk|ky)\b/.test(code) ? "ru" : "en";
}

function mediaOf({ caption, photo, ...others }: z.infer<typeof message>): Media {
  // Sizes come from the smallest to the largest.
  const largest = photo?.at(-1);
  if (largest) return { kind: "photo", fileId: largest.file_id, size: largest.file_size, caption };
  for (const kind of ["voice", "audio", "video", "document", "sticker"] as const) {
    const found = others[kind];
    if (found) return { kind, fileId: found.file_id, name: found.file_name, size: found.file_size, caption };
  }
  return { kind: "other", caption };
}
