import { z } from "zod";
import { limits } from "../limits.ts";
import { attachmentRequest } from "./attachment-request.ts";

/** The body of creating or editing a message. In an edit, null or absent fields stay as they were. */
export const newMessage = z.object({
  text: z.string().max(limits.text).nullish(),
  attachments: z.array(attachmentRequest).nullish(),
  link: z.object({ type: z.enum(["reply", "forward"]), mid: z.string().min(1) }).nullish(),
  notify: z.boolean().nullish(),
  format: z.enum(["markdown", "html"]).nullish(),
});

export type NewMessage = z.infer<typeof newMessage>;
