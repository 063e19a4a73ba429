import { createHash } from "node:crypto";
import type { TwinContext } from "../shared/index.ts";
import type { Bot, Chat, Media, MediaType, Message, World } from "./model.ts";

/** The twin's state, with the look-ups that calls need. */
export interface Store {
  readonly world: World;
  readonly changed: () => void;
  newId(): number;
  /** Grows with time, so that message ids stay unique even after a reset. */
  newSeq(): number;
  /** An opaque random key. */
  newKey(kind: string): string;
  botByToken(token: string | undefined): Bot | undefined;
  botById(id: number): Bot | undefined;
  chat(id: number): Chat | undefined;
  dialog(bot: Bot, userId: number): Chat | undefined;
  message(mid: string): Message | undefined;
  /** Everything ever written in a chat, oldest first, deleted messages included. */
  messagesOf(chatId: number): readonly Message[];
  addMessage(message: Message): void;
  media(token: string, type: MediaType): Media | undefined;
  addMedia(media: Media): void;
  reset(): void;
}

const name = "max";

export function createStore({ state, clock }: Pick<TwinContext, "state" | "clock">): Store {
  const world = state.load<World>(name) ?? emptyWorld();
  const byMid = new Map<string, Message>();
  const byChat = new Map<number, Message[]>();
  const byToken = new Map<string, Media>();

  function index(message: Message): void {
    byMid.set(message.body.mid, message);
    const inChat = byChat.get(message.chat_id);
    if (inChat) inChat.push(message);
    else byChat.set(message.chat_id, [message]);
  }
  for (const message of world.messages) index(message);
  for (const media of world.media) byToken.set(media.token, media);

  const changed = () => state.changed(name, () => world);
  const newId = () => {
    world.lastId += 1;
    return world.lastId;
  };

  return {
    world,
    changed,
    newId,
    newSeq() {
      world.lastSeq = Math.max(world.lastSeq + 1, clock.now() * 1000);
      return world.lastSeq;
    },
    newKey: (kind) =>
      createHash("sha256").update(`${kind} ${newId()} ${clock.now()}`).digest("base64url").slice(0, 32),
    botByToken: (token) => world.bots.find((bot) => bot.token === token),
    botById: (id) => world.bots.find((bot) => bot.user.user_id === id),
    chat: (id) => world.chats.find((chat) => chat.chat_id === id),
    dialog: (bot, userId) =>
      world.chats.find(
        (chat) =>
          chat.type === "dialog" &&
          chat.user?.user_id === userId &&
          chat.members.some((member) => member.botId === bot.user.user_id),
      ),
    message: (mid) => byMid.get(mid),
    messagesOf: (chatId) => byChat.get(chatId) ?? [],
    addMessage(message) {
      world.messages.push(message);
      index(message);
      changed();
    },
    media(token, type) {
      const media = byToken.get(token);
      return media?.type === type ? media : undefined;
    },
    addMedia(media) {
      world.media.push(media);
      byToken.set(media.token, media);
      changed();
    },
    reset() {
      Object.assign(world, emptyWorld(), { lastSeq: world.lastSeq });
      byMid.clear();
      byChat.clear();
      byToken.clear();
      changed();
    },
  };
}

function emptyWorld(): World {
  return {
    bots: [],
    chats: [],
    messages: [],
    media: [],
    uploads: [],
    callbacks: [],
    notices: [],
    options: { not_ready_sends: 1, duplicate_updates: 0, chat_list: true },
    lastId: 1000,
    lastSeq: 0,
  };
}
