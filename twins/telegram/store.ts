import type { StateStore } from "../shared/index.ts";
import { limits } from "./limits.ts";
import type { Bot, CallbackQuery, Chat, Message, Person, StoredFile, TelegramState } from "./model.ts";
import { emptyStars, type Stars } from "./stars/model.ts";

/** The twin's state: everything that survives a restart, with the look-ups that calls need. */
export interface Store {
  bots(): readonly Bot[];
  botByToken(token: string): Bot | undefined;
  botById(id: number): Bot | undefined;
  botNamed(usernameOrToken: string): Bot | undefined;
  addBot(bot: Bot): void;

  chats(): readonly Chat[];
  chatById(id: number): Chat | undefined;
  chatByUsername(username: string): Chat | undefined;
  addChat(chat: Chat): void;

  addMessage(chat: Chat, message: Message): void;
  messageIn(chat: Chat, id: number): Message | undefined;
  removeMessage(chat: Chat, id: number): boolean;

  person(id: number): Person | undefined;
  personNamed(firstName: string): Person | undefined;
  addPerson(person: Person): void;
  file(uid: string): StoredFile | undefined;
  addFile(file: StoredFile): void;
  callback(id: string): CallbackQuery | undefined;
  addCallback(query: CallbackQuery): void;

  stars(): Stars;

  nextUpdateId(): number;
  /** A unique number, for ids that the provider creates. */
  nextSerial(): number;
  changed(): void;
  reset(): void;
}

const documentName = "telegram";
/** Older callback queries can no longer be answered. */
const callbacksKept = 10_000;

export function createStore(states: StateStore): Store {
  const saved = states.load<TelegramState>(documentName);
  let state: TelegramState = saved?.version === 1 ? saved : emptyState();
  let indexes = indexOf(state);

  const changed = () => states.changed(documentName, () => state);

  return {
    bots: () => state.bots,
    botByToken: (token) => indexes.botsByToken.get(token),
    botById: (id) => state.bots.find((bot) => bot.id === id),
    botNamed: (name) =>
      indexes.botsByToken.get(name) ??
      state.bots.find((bot) => bot.username.toLowerCase() === name.replace(/^@/, "").toLowerCase()),
    addBot(bot) {
      state.bots.push(bot);
      indexes.botsByToken.set(bot.token, bot);
    },

    chats: () => state.chats,
    chatById: (id) => indexes.chats.get(id),
    chatByUsername: (username) =>
      state.chats.find((chat) => chat.username?.toLowerCase() === username.toLowerCase()),
    addChat(chat) {
      state.chats.push(chat);
      indexes.chats.set(chat.id, chat);
    },

    addMessage(chat, message) {
      chat.messages.push(message);
      if (chat.messages.length > limits.messagesPerChat) chat.messages.shift();
      changed();
    },
    messageIn: (chat, id) => chat.messages.findLast((message) => message.id === id),
    removeMessage(chat, id) {
      const index = chat.messages.findIndex((message) => message.id === id);
      if (index < 0) return false;
      chat.messages.splice(index, 1);
      changed();
      return true;
    },

    person: (id) => state.people.find((person) => person.id === id),
    personNamed: (firstName) => state.people.find((person) => person.firstName === firstName),
    addPerson: (person) => void state.people.push(person),
    file: (uid) => indexes.files.get(uid),
    addFile(file) {
      if (indexes.files.has(file.uid)) return;
      state.files.push(file);
      indexes.files.set(file.uid, file);
    },
    callback: (id) => state.callbacks.findLast((query) => query.id === id),
    addCallback(query) {
      state.callbacks.push(query);
      if (state.callbacks.length > callbacksKept) state.callbacks.shift();
    },

    stars() {
      state.stars ??= emptyStars();
      return state.stars;
    },

    nextUpdateId: () => state.nextUpdateId++,
    nextSerial: () => state.nextSerial++,
    changed,
    reset() {
      state = emptyState();
      indexes = indexOf(state);
      changed();
    },
  };
}

function emptyState(): TelegramState {
  return {
    version: 1,
    bots: [],
    chats: [],
    people: [],
    files: [],
    callbacks: [],
    nextUpdateId: 900_001,
    nextSerial: 1,
  };
}

function indexOf(state: TelegramState) {
  return {
    botsByToken: new Map(state.bots.map((bot) => [bot.token, bot])),
    chats: new Map(state.chats.map((chat) => [chat.id, chat])),
    files: new Map(state.files.map((file) => [file.uid, file])),
  };
}
