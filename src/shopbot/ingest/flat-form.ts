import { z } from "zod";
import type { Clock } from "../../kernel/clock/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import { longestText } from "../model/message.ts";
import type { Incoming } from "./incoming-update.ts";
import { storable } from "./storable-text.ts";

const id = z.union([z.string().trim().min(1).max(256), z.int()]).transform(String);

/** A simple form for tests and other systems: one text in one chat. */
export const flatForm = z.strictObject({
  provider: z.literal("max"),
  chat_id: id,
  provider_message_id: id.nullish().describe("Default: a new id, so duplicates are not detected"),
  text: z.string().nullish(),
  trace_id: z.string().trim().min(1).max(256).nullish(),
});

export function fromFlatForm(form: z.output<typeof flatForm>, clock: Clock): Incoming {
  return {
    kind: "message",
    provider: form.provider,
    chatId: form.chat_id,
    messageId: form.provider_message_id ?? uuidv7(clock),
    inGroup: false,
    ...(form.trace_id && { traceId: storable(form.trace_id, 256) }),
    body: { kind: "message", text: storable(form.text ?? "", longestText), attachments: [], sender: {} },
  };
}
