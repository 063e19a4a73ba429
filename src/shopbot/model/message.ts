import { z } from "zod";

/** What somebody did in a chat, as the engine reads it; stored as `bot_inbox.body`. */
export const messageShape = z.object({
  kind: z.enum(["message", "press", "start"]),
  text: z.string(),
  /** A press: what the button carries, and what was written on it when that can be told. */
  press: z.string().exactOptional(),
  label: z.string().exactOptional(),
  /** The message whose button was pressed. */
  pressedOn: z.string().exactOptional(),
  attachments: z.array(z.object({ type: z.string(), url: z.string().exactOptional() })),
  replyTo: z.string().exactOptional(),
  sender: z.object({ id: z.string().exactOptional(), name: z.string().exactOptional() }),
});
export type Message = z.infer<typeof messageShape>;

/** Longer than any messenger's message; only the flat form can bring more. */
export const longestText = 4000;
