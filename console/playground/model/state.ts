/** The page's state, and how each event changes it. Pure. */
import type { ChatView, MessageView, PlaceView, TwinEvent } from "../types.ts";

export type ChatKey = `${string}/${string}`;

export function keyOf(provider: string, chatId: string): ChatKey {
  return `${provider}/${chatId}`;
}

export interface State {
  readonly link: "connecting" | "live" | "lost";
  /** Absent until the first answer. */
  readonly chats: ReadonlyMap<ChatKey, ChatView> | undefined;
  /** Sites, walls and boards. */
  readonly places: ReadonlyMap<ChatKey, PlaceView>;
  /** The last request for the list failed. */
  readonly chatsFailed: boolean;
  /** Chats whose messages were requested. */
  readonly rooms: ReadonlyMap<ChatKey, Room>;
  /** How many of a chat's messages the person has seen or could have seen before opening the page. */
  readonly seen: ReadonlyMap<ChatKey, number>;
  readonly typing: ReadonlySet<ChatKey>;
  /** A bot's draft. */
  readonly drafts: ReadonlyMap<ChatKey, string>;
  /** The bot's answer to a tap on its button. */
  readonly answers: ReadonlyMap<ChatKey, string>;
}

export interface Room {
  readonly status: "loading" | "ready" | "failed";
  /** Oldest first. */
  readonly messages: readonly MessageView[];
  readonly hasOlder: boolean;
}

export type Action =
  | { readonly type: "linked"; readonly link: State["link"] }
  | { readonly type: "chats"; readonly chats: readonly ChatView[] }
  | { readonly type: "no chats" }
  | { readonly type: "places"; readonly places: readonly PlaceView[] }
  | { readonly type: "told"; readonly event: TwinEvent }
  | { readonly type: "asked"; readonly key: ChatKey }
  | {
      readonly type: "newest";
      readonly key: ChatKey;
      readonly page: Page;
      /** What was known when the page was requested: the rest arrived meanwhile and is newer than the answer. */
      readonly known: readonly MessageView[];
    }
  | { readonly type: "older"; readonly key: ChatKey; readonly page: Page }
  | { readonly type: "failed"; readonly key: ChatKey }
  | { readonly type: "seen"; readonly key: ChatKey }
  | { readonly type: "fell silent"; readonly key: ChatKey }
  | { readonly type: "draft faded"; readonly key: ChatKey }
  | { readonly type: "answer faded"; readonly key: ChatKey };

export interface Page {
  readonly messages: readonly MessageView[];
  readonly hasOlder: boolean;
}

export const initialState: State = {
  link: "connecting",
  chats: undefined,
  places: new Map(),
  chatsFailed: false,
  rooms: new Map(),
  seen: new Map(),
  typing: new Set(),
  drafts: new Map(),
  answers: new Map(),
};

export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case "linked":
      return { ...state, link: action.link };
    case "chats":
      return withChats(state, action.chats);
    case "no chats":
      return { ...state, chatsFailed: true };
    case "places":
      return {
        ...state,
        places: new Map(action.places.map((place) => [keyOf(place.provider, place.id), place])),
      };
    case "told":
      return told(state, action.event);
    case "asked":
      return withRoom(state, action.key, (room) => ({ ...room, status: "loading" }));
    case "newest":
      return withRoom(state, action.key, (room) => refreshed(room, action.page, action.known));
    case "older":
      return withRoom(state, action.key, (room) => ({
        status: "ready",
        messages: [...missing(action.page.messages, room.messages), ...room.messages],
        hasOlder: action.page.hasOlder,
      }));
    case "failed":
      return withRoom(state, action.key, (room) => ({ ...room, status: "failed" }));
    case "seen":
      return seen(state, action.key);
    case "fell silent":
      return { ...state, typing: without(state.typing, action.key) };
    case "draft faded":
      return { ...state, drafts: lacking(state.drafts, action.key) };
    case "answer faded":
      return { ...state, answers: lacking(state.answers, action.key) };
  }
}

/** How many messages came to a chat while the person was elsewhere. */
export function unreadOf(state: State, key: ChatKey): number {
  const count = state.chats?.get(key)?.count ?? 0;
  return Math.max(0, count - (state.seen.get(key) ?? 0));
}

function told(state: State, event: TwinEvent): State {
  switch (event.type) {
    case "chat":
      return withChat(state, event.chat);
    case "message":
      return withMessage(state, keyOf(event.provider, event.chatId), event.message);
    case "removed":
      return withoutMessage(state, keyOf(event.provider, event.chatId), event.messageId);
    case "typing":
      return { ...state, typing: new Set(state.typing).add(keyOf(event.provider, event.chatId)) };
    case "draft":
      return {
        ...state,
        drafts: new Map(state.drafts).set(keyOf(event.provider, event.chatId), event.text),
      };
    case "answered":
      return {
        ...state,
        answers: new Map(state.answers).set(keyOf(event.provider, event.chatId), event.text),
      };
    case "place":
      return {
        ...state,
        places: new Map(state.places).set(keyOf(event.provider, event.place.id), event.place),
      };
    case "reset":
      return { ...initialState, link: state.link, chats: state.chats, chatsFailed: state.chatsFailed };
  }
}

function withChats(state: State, chats: readonly ChatView[]): State {
  const seen = new Map(state.seen);
  for (const chat of chats) {
    const key = keyOf(chat.provider, chat.id);
    // Messages from before the page was opened are not unread; those of a chat that appeared later are.
    if (!seen.has(key)) seen.set(key, state.chats ? 0 : chat.count);
  }
  const byKey = new Map(chats.map((chat) => [keyOf(chat.provider, chat.id), chat]));
  return { ...state, seen, chats: byKey, chatsFailed: false };
}

function withChat(state: State, chat: ChatView): State {
  if (!state.chats) return state; // The list that is on its way will have it.
  return { ...state, chats: new Map(state.chats).set(keyOf(chat.provider, chat.id), chat) };
}

function withMessage(state: State, key: ChatKey, message: MessageView): State {
  const next = state.rooms.has(key)
    ? withRoom(state, key, (room) => ({ ...room, messages: placed(room.messages, message) }))
    : state;
  if (message.author.mine) return next;
  return { ...next, typing: without(next.typing, key), drafts: lacking(next.drafts, key) };
}

function withoutMessage(state: State, key: ChatKey, messageId: string): State {
  if (!state.rooms.has(key)) return state;
  return withRoom(state, key, (room) => ({
    ...room,
    messages: room.messages.filter(({ id }) => id !== messageId),
  }));
}

/** In its place when it is known, otherwise by its time, after others of the same time. */
function placed(messages: readonly MessageView[], message: MessageView): MessageView[] {
  if (messages.some(({ id }) => id === message.id)) {
    return messages.map((known) => (known.id === message.id ? message : known));
  }
  const after = messages.findLastIndex(({ at }) => at <= message.at);
  return messages.toSpliced(after + 1, 0, message);
}

function refreshed(room: Room, page: Page, known: readonly MessageView[]): Room {
  const removedMeanwhile = missing(known, room.messages);
  const arrivedMeanwhile = missing(room.messages, known);
  const newest = arrivedMeanwhile.reduce(placed, [...missing(page.messages, removedMeanwhile)]);
  // Older pages stay only if they overlap the new one; otherwise there may be a gap between them.
  const joint = known.findIndex(({ id }) => id === page.messages[0]?.id);
  if (joint <= 0) return { status: "ready", messages: newest, hasOlder: page.hasOlder };
  return { status: "ready", messages: [...known.slice(0, joint), ...newest], hasOlder: room.hasOlder };
}

/** Those of `messages` that are not among `others`. */
function missing(messages: readonly MessageView[], others: readonly MessageView[]): readonly MessageView[] {
  const ids = new Set(others.map(({ id }) => id));
  return messages.filter(({ id }) => !ids.has(id));
}

const emptyRoom: Room = { status: "loading", messages: [], hasOlder: false };

function withRoom(state: State, key: ChatKey, change: (room: Room) => Room): State {
  const room = change(state.rooms.get(key) ?? emptyRoom);
  return { ...state, rooms: new Map(state.rooms).set(key, room) };
}

function seen(state: State, key: ChatKey): State {
  const count = state.chats?.get(key)?.count ?? 0;
  return state.seen.get(key) === count ? state : { ...state, seen: new Map(state.seen).set(key, count) };
}

function lacking(texts: ReadonlyMap<ChatKey, string>, key: ChatKey): ReadonlyMap<ChatKey, string> {
  const rest = new Map(texts);
  rest.delete(key);
  return rest;
}

function without(keys: ReadonlySet<ChatKey>, key: ChatKey): ReadonlySet<ChatKey> {
  if (!keys.has(key)) return keys;
  const rest = new Set(keys);
  rest.delete(key);
  return rest;
}
