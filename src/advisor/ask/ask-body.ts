import { z } from "zod";
import { limits } from "../advisor-limits.ts";

/** Telegram's ids fit into 52 bits. */
export const telegramId = z
  .int()
  .positive()
  .max(2 ** 52);

export const aUser = z.object({
  telegram_user_id: telegramId,
  telegram_chat_id: z.int().nullish(),
  locale: z.string().trim().min(1).max(35).nullish(),
});

/** `POST /v1/chat/ask`. The last four fields are for older clients. */
export const askBody = z
  .object({
    request_id: z.string().max(100).nullish().describe("A UUID; may also come as the header X-Request-Id"),
    user: aUser,
    context: z
      .object({
        scenario: z.string().max(40).nullish().describe("Default: that of the session"),
        pet_id: z.uuid().nullish(),
        mode: z.enum(["normal", "research"]).nullish(),
        free_ttl_hint_sec: z.int().positive().nullish().describe("Can only shorten the session"),
      })
      .nullish(),
    message: z
      .object({
        text: z.string().max(limits.text).nullish(),
        reply_to_message_id: z.int().nullish(),
        client_message_id: z.string().max(200).nullish(),
      })
      .nullish(),
    attachments: z.unknown().optional().describe("At most one: {type: photo|audio, media_id, mime}"),
    text: z.string().max(limits.text).nullish().describe("The same as message.text"),
    mode: z.string().max(40).nullish().describe("The same as context.scenario"),
    pet_profile: z.unknown().optional().describe("A profile for this question only"),
    pet: z.unknown().optional().describe("The same as pet_profile"),
  })
  .meta({ id: "AdvisorQuestion" });
export type AskBody = z.output<typeof askBody>;
