import { z } from "zod";

/** A message, a tap or a start; stored as `bot_inbox.body`. */
export const messageShape = z.object({
  kind: z.enum(["message", "press", "start"]),
  text: z.string(),
  /** A tap: the button's payload, and its label if known. */
  press: z.string().exactOptional(),
  label: z.string().exactOptional(),
  /** The message with the tapped button. */
  pressedOn: z.string().exactOptional(),
  attachments: z.array(z.object({ type: z.string(), url: z.string().exactOptional() })),
  replyTo: z.string().exactOptional(),
  sender: z.object({ id: z.string().exactOptional(), name: z.string().exactOptional() }),
});
export type Message = z.infer<typeof messageShape>;

/** Longer than any messenger allows. */
export const longestText = 4000;
