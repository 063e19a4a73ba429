import type { TwinContext } from "../shared/index.ts";
import { memberOf } from "./access.ts";
import type { Deps } from "./call.ts";
import { type Bot, type Button, type Chat, isBotAuthor, type Message, type Person } from "./model.ts";
import { publishNew } from "./posting.ts";
import type { Store } from "./store.ts";
import { formatText } from "./text/index.ts";
import { messageFor, userFor } from "./wire.ts";

type PeopleDeps = Pick<Deps, "store" | "context" | "updates">;

export interface Utterance {
  readonly text: string;
  readonly fileUid?: string;
  readonly copies?: number;
}

/** A person writes in a chat; the bots that would see it there receive it. */
export function say(chat: Chat, person: Person, utterance: Utterance, deps: PeopleDeps): Message {
  const { store, context, updates } = deps;
  const message: Message = {
    id: chat.nextMessageId++,
    at: context.clock.now(),
    author: { personId: person.id },
    ...formatText({ text: utterance.text }),
    ...(utterance.fileUid !== undefined && { media: { fileUid: utterance.fileUid, spoiler: false } }),
    silent: false,
    protected: false,
  };
  publishNew(chat, message, deps);
  for (const bot of listeners(chat, message, store)) {
    updates.push(
      bot,
      {
        kind: chat.type === "channel" ? "channel_post" : "message",
        chatId: chat.id,
        content: messageFor(bot, chat, message, store),
      },
      utterance.copies,
    );
  }
  return message;
}

/** A person taps a callback button; returns the id by which the bot answers. */
export function press(
  chat: Chat,
  message: Message,
  button: Pick<Button, "callback_data">,
  by: { readonly person: Person; readonly copies?: number },
  { store, context, updates }: PeopleDeps,
): string | undefined {
  const bot = isBotAuthor(message.author) ? store.botById(message.author.botId) : undefined;
  if (!bot) return undefined;
  const id = callbackId(context, store);
  store.addCallback({ id, botId: bot.id, at: context.clock.now() });
  updates.push(
    bot,
    {
      kind: "callback_query",
      chatId: chat.id,
      content: {
        id,
        from: userFor(store, by.person.id),
        chat_instance: String(-chat.id),
        data: button.callback_data,
        message: messageFor(bot, chat, message, store),
      },
    },
    by.copies,
  );
  return id;
}

/** The person who acts: found by id, else by name, else new. */
export function personFor(
  store: Store,
  given: { readonly id?: number; readonly first_name?: string; readonly username?: string },
): Person {
  const name = given.first_name ?? "Гость";
  const known = given.id === undefined ? store.personNamed(name) : store.person(given.id);
  if (known) {
    if (given.first_name !== undefined) known.firstName = given.first_name;
    return known;
  }
  const person = {
    id: given.id ?? firstPersonId + store.nextSerial(),
    firstName: name,
    ...(given.username !== undefined && { username: given.username }),
  };
  store.addPerson(person);
  store.changed();
  return person;
}

const firstPersonId = 500_000_000;

/** In groups a bot receives only messages meant for it, unless it is an administrator or has privacy mode off. */
function listeners(chat: Chat, message: Message, store: Store): Bot[] {
  return store.bots().filter((bot) => {
    const member = memberOf(chat, bot);
    if (!member || member.status === "left" || member.status === "kicked") return false;
    if (chat.type === "private" || chat.type === "channel") return true;
    if (member.status !== "member" && member.status !== "restricted") return true;
    return bot.readsAllGroupMessages || isMeantFor(bot, chat, message, store);
  });
}

function isMeantFor(bot: Bot, chat: Chat, message: Message, store: Store): boolean {
  if (message.text.startsWith("/")) return true;
  if (message.text.toLowerCase().includes(`@${bot.username.toLowerCase()}`)) return true;
  const replied = message.replyTo === undefined ? undefined : store.messageIn(chat, message.replyTo);
  return replied !== undefined && isBotAuthor(replied.author) && replied.author.botId === bot.id;
}

function callbackId(context: TwinContext, store: Store): string {
  return `${context.clock.now()}${String(store.nextSerial()).padStart(6, "0")}`;
}
