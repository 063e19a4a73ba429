import type { Deps } from "./call.ts";
import type { Account, Chat } from "./model.ts";
import { post } from "./post.ts";
import { blankChat } from "./setup.ts";

/** Telegram writes to the account's owner: login codes arrive there. */
export function sayFromTelegram(account: Account, text: string, deps: Deps): void {
  const chat = serviceChat(account, deps);
  const id = chat.nextMessageId++;
  post(chat, [{ id, at: deps.context.clock.now(), userId: 0, text, entities: [] }], deps);
}

function serviceChat({ userId, phone }: Account, { store }: Deps): Chat {
  const known = store.world.chats.find((chat) => chat.ownerId === userId);
  if (known) return known;
  const chat = { ...blankChat(store.newId(), "private", `Telegram → ${phone}`), ownerId: userId };
  store.world.chats.push(chat);
  return chat;
}
