import { z } from "zod";
import type { Deps } from "./call.ts";
import type { Bot, Chat } from "./model.ts";
import { personFor, say } from "./people.ts";
import { freeId, upsertChat } from "./setup.ts";

export const startBody = z.strictObject({
  first_name: z.string().min(1).default("Гость"),
  language_code: z.string().min(2).max(35).optional(),
  /** The text after `?start=` in the link. */
  payload: z
    .string()
    .regex(/^[\w-]{1,64}$/, "letters, digits, _ and -, at most 64")
    .optional(),
});

/** A new person opens the bot and taps Start: a private chat begins, which they see under the bot's name. */
export function start(
  bot: Bot,
  { payload, ...person }: z.infer<typeof startBody>,
  deps: Pick<Deps, "store" | "context" | "updates">,
): Chat {
  const { store } = deps;
  const members = [{ bot: bot.username, status: undefined, rights: {} }];
  const id = freeId("private", store);
  const chat = upsertChat({ id, type: "private", title: bot.firstName, members, ...person }, deps);
  say(chat, personFor(store, { id }), { text: payload === undefined ? "/start" : `/start ${payload}` }, deps);
  return chat;
}
