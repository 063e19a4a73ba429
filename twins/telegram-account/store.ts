import { createHash } from "node:crypto";
import type { StateStore } from "../shared/index.ts";
import { limits } from "./limits.ts";
import type { Account, Chat, Message, Session, StoredFile, World } from "./model.ts";

/** The twin's state, with the look-ups that calls need. */
export interface Store {
  readonly world: World;
  changed(): void;
  newId(): number;
  account(userId: number): Account | undefined;
  accountByPhone(phone: string): Account | undefined;
  session(key: string): Session | undefined;
  chat(id: number): Chat | undefined;
  chatByUsername(username: string): Chat | undefined;
  chatByInvite(hash: string): Chat | undefined;
  file(id: string): StoredFile | undefined;
  addMessage(chat: Chat, message: Message): void;
  reset(): void;
}

const name = "telegram-account";

export function createStore(state: StateStore): Store {
  const world = state.load<World>(name) ?? emptyWorld();
  const changed = () => state.changed(name, () => world);
  return {
    world,
    changed,
    newId() {
      world.lastId += 1;
      return world.lastId;
    },
    account: (userId) => world.accounts.find((account) => account.userId === userId),
    accountByPhone: (phone) => world.accounts.find((account) => account.phone === phone),
    session: (key) => world.sessions.find((session) => session.key === key),
    chat: (id) => world.chats.find((chat) => chat.id === id),
    chatByUsername: (username) =>
      world.chats.find((chat) => chat.username?.toLowerCase() === username.toLowerCase()),
    chatByInvite: (hash) => world.chats.find((chat) => chat.invite === hash),
    file: (id) => world.files.find((file) => file.id === id),
    addMessage(chat, message) {
      chat.messages.push(message);
      if (chat.messages.length > limits.messagesPerChat) chat.messages.shift();
      changed();
    },
    reset() {
      Object.assign(world, emptyWorld());
      changed();
    },
  };
}

/** What an account needs besides a chat's number to reach it; different for every account. */
export function accessHash(userId: number, chatId: number): string {
  const digest = createHash("sha256").update(`access ${userId} ${chatId}`).digest();
  return digest.readBigInt64BE().toString();
}

function emptyWorld(): World {
  return { accounts: [], sessions: [], chats: [], files: [], lastId: 5_000_000 };
}
