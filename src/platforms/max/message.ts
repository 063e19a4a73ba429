import { z } from "zod";
import { idShape, ifReadable, numberShape, readableItems } from "../if-readable.ts";

/** What we read of a message; only its id must be there. */
export const messageShape = z.object({
  sender: ifReadable(z.object({ is_bot: ifReadable(z.boolean()) })),
  /** In milliseconds; for want of it, nobody knows when the message came. */
  timestamp: ifReadable(numberShape),
  body: z.object({
    mid: idShape,
    text: ifReadable(z.string()),
    attachments: ifReadable(
      readableItems(
        z.object({ type: z.string(), payload: ifReadable(z.object({ token: ifReadable(z.string()) })) }),
      ),
    ),
  }),
  url: ifReadable(z.string()),
});

export type Message = z.infer<typeof messageShape>;

export const sentShape = z.object({ message: messageShape });

/** A page of a chat. Its length counts messages that cannot be read too, as the provider does. */
export const historyShape = z.object({ messages: z.array(z.unknown()) }).transform(({ messages }) => ({
  length: messages.length,
  messages: readableItems(messageShape).parse(messages),
}));
