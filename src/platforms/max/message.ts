import { z } from "zod";
import { idShape, ifReadable, numberShape, readableItems } from "../if-readable.ts";

/** The fields that we read of a message; only its id is required. */
export const messageShape = z.object({
  sender: ifReadable(z.object({ is_bot: ifReadable(z.boolean()) })),
  /** In milliseconds; if missing, the time of the message is unknown. */
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

/** A page of a chat's history. Its length includes messages that cannot be parsed, as the provider counts them. */
export const historyShape = z.object({ messages: z.array(z.unknown()) }).transform(({ messages }) => ({
  length: messages.length,
  messages: readableItems(messageShape).parse(messages),
}));
