import { createUpload } from "../files/uploads.ts";
import type { Bot } from "../model.ts";
import type { Max } from "../twin.ts";
import { answerCallback } from "./answers.ts";
import {
  deletePin,
  editChat,
  getChat,
  getOwnMembership,
  getPin,
  leaveChat,
  listAdmins,
  listChats,
  listMembers,
  putPin,
  sendAction,
} from "./chats.ts";
import { getMe, setCommands } from "./me.ts";
import { deleteMessage, editMessage, getMessage, listMessages, sendMessage } from "./messages.ts";
import { getUpdates } from "./polling.ts";
import { listSubscriptions, subscribe, unsubscribe } from "./subscriptions.ts";
import { getVideo } from "./videos.ts";

/** One call of an authorised bot. */
export interface ApiCall {
  readonly bot: Bot;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Parsed JSON; absent when nothing was sent. */
  readonly body: unknown;
  /** Aborted when the client leaves. */
  readonly closed: AbortSignal;
}

export interface Reply {
  readonly body: unknown;
  /** 200 when absent. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ids of the messages that the call made. */
  readonly created?: readonly string[];
}

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  handle(max: Max, call: ApiCall): Reply | Promise<Reply>;
}

/** The whole API. Anything else gets 405 if the path is known and 404 otherwise. */
export const routes: readonly Route[] = [
  { method: "GET", path: "/me", handle: getMe },
  { method: "PATCH", path: "/me/commands", handle: setCommands },

  { method: "POST", path: "/messages", handle: sendMessage },
  { method: "PUT", path: "/messages", handle: editMessage },
  { method: "DELETE", path: "/messages", handle: deleteMessage },
  { method: "GET", path: "/messages", handle: listMessages },
  { method: "GET", path: "/messages/:mid", handle: getMessage },
  { method: "POST", path: "/answers", handle: answerCallback },

  { method: "POST", path: "/uploads", handle: createUpload },
  { method: "GET", path: "/videos/:token", handle: getVideo },

  { method: "GET", path: "/chats", handle: listChats },
  { method: "GET", path: "/chats/:chatId", handle: getChat },
  { method: "PATCH", path: "/chats/:chatId", handle: editChat },
  { method: "POST", path: "/chats/:chatId/actions", handle: sendAction },
  { method: "GET", path: "/chats/:chatId/pin", handle: getPin },
  { method: "PUT", path: "/chats/:chatId/pin", handle: putPin },
  { method: "DELETE", path: "/chats/:chatId/pin", handle: deletePin },
  { method: "GET", path: "/chats/:chatId/members/me", handle: getOwnMembership },
  { method: "DELETE", path: "/chats/:chatId/members/me", handle: leaveChat },
  { method: "GET", path: "/chats/:chatId/members/admins", handle: listAdmins },
  { method: "GET", path: "/chats/:chatId/members", handle: listMembers },

  { method: "GET", path: "/subscriptions", handle: listSubscriptions },
  { method: "POST", path: "/subscriptions", handle: subscribe },
  { method: "DELETE", path: "/subscriptions", handle: unsubscribe },
  { method: "GET", path: "/updates", handle: getUpdates },
];
