import { z } from "zod";
import { idShape, ifReadable, numberShape, readableItems } from "../if-readable.ts";
import type { SentMessage } from "../send-series.ts";

/** What we read of a message that Telegram confirms; only its id must be there. The rest is kept as it came. */
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

/** One call's messages as one: an album is known by its group, anything else by its message. */
export function sentMessage(messages: readonly [Message, ...Message[]]): SentMessage {
  const [first] = messages;
  const url = addressOf(first);
  return {
    id: first.media_group_id ?? String(first.message_id),
    ...(url && { url }),
    raw: { chat_id: first.chat?.id, message_ids: messages.map((message) => message.message_id) },
  };
}

/** Where people can open it. Only channels and supergroups have addresses for their messages. */
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
