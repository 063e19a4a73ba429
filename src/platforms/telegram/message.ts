import { z } from "zod";
import { idShape, ifReadable, numberShape, readableItems } from "../if-readable.ts";
import type { SentMessage } from "../send-series.ts";

/** The fields that we read of a sent message; only its id is required. The rest is kept as it came. */
export const messageShape = z.looseObject({
  message_id: z.union([z.int(), numberShape.pipe(z.int())]),
  chat: ifReadable(
    z.looseObject({
      id: ifReadable(z.int()),
      type: ifReadable(z.string()),
      username: ifReadable(z.string()),
    }),
  ),
  media_group_id: ifReadable(idShape),
});

export type Message = z.infer<typeof messageShape>;

/** The result of one call: an album is identified by its group, anything else by its message. */
export function sentMessage(messages: readonly [Message, ...Message[]]): SentMessage {
  const [first] = messages;
  const url = addressOf(first);
  return {
    id: first.media_group_id ?? String(first.message_id),
    ...(url && { url }),
    raw: { chat_id: first.chat?.id, message_ids: messages.map((message) => message.message_id) },
  };
}

/** The message's URL. Only messages of channels and supergroups have one. */
function addressOf({ chat, message_id }: Message): string | undefined {
  if (chat?.username && chat.type !== "private") return `https://t.me/${chat.username}/${message_id}`;
  const internal = /^-100(\d+)$/.exec(String(chat?.id))?.[1];
  return internal && `https://t.me/c/${internal}/${message_id}`;
}

const fileShape = z.object({ file_id: z.string() });

/** The reference by which the same bot can send a message's file again. */
export function fileIdOf(message: Message | undefined): string | undefined {
  if (!message) return undefined;
  const sizes = readableItems(fileShape).safeParse(message.photo).data;
  if (sizes) return sizes.at(-1)?.file_id;
  const kinds = ["video", "animation", "audio", "document"];
  return kinds.map((kind) => fileShape.safeParse(message[kind]).data?.file_id).find((id) => id !== undefined);
}
