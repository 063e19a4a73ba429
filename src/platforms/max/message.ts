import { z } from "zod";

/** What we read of a message; the rest is not needed. */
export const messageShape = z.object({
  sender: z.object({ is_bot: z.boolean().optional() }).nullish(),
  timestamp: z.number(),
  body: z.object({
    mid: z.string(),
    text: z.string().nullish(),
    attachments: z
      .array(z.object({ type: z.string(), payload: z.object({ token: z.string().optional() }).nullish() }))
      .nullish(),
  }),
  url: z.string().nullish(),
});

export type Message = z.infer<typeof messageShape>;

export const sentShape = z.object({ message: messageShape });
export const historyShape = z.object({ messages: z.array(messageShape) });
