import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { flag } from "../../../workspaces/index.ts";
import {
  addBotChat,
  changeChat,
  chatChanges,
  chatPage,
  chatSchema,
  chatTypes,
  linkChat,
  newBotChat,
  showChat,
  unlinkChat,
} from "../../chats/chats.ts";
import { loadChats, loadedChats } from "../../chats/load.ts";
import { whoOf } from "../access.ts";
import type { AccountRoutesDeps } from "./deps.ts";
import { ofAccount, ofChat, ownersRoutes, why } from "./request.ts";

/** Where is published: chats of accounts, and chats of bots with their filters. */
export function chatRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;
  const routes = ownersRoutes(app, sql);

  routes.list(
    "/chats",
    {
      scope: "read",
      summary: "Chats of one's accounts and of bots",
      query: {
        ...ofAccount.partial().shape,
        owner_type: z.enum(["bot", "user"]).optional(),
        type: z.enum(chatTypes).optional(),
        active: flag.optional(),
        text: z.string().max(200).optional().describe("A part of the title or of the user name"),
      },
      item: chatSchema,
    },
    ({ workspaceId, query, page, request }) =>
      chatPage(sql, workspaceId, whoOf(request), { ...query, ...page }),
  );
  routes.post(
    "/chats",
    {
      scope: "admin",
      summary: "Let a bot publish objects into one of its channels",
      body: newBotChat.extend(why),
      answer: chatSchema,
      status: 201,
    },
    ({ workspaceId, body, by, request }) => addBotChat(deps, workspaceId, body, whoOf(request, by.reason)),
  );
  routes.get(
    "/chats/:chat_id",
    { scope: "read", summary: "One chat", params: ofChat, answer: chatSchema },
    ({ workspaceId, params: { chat_id }, request }) => showChat(sql, workspaceId, chat_id, whoOf(request)),
  );
  routes.patch(
    "/chats/:chat_id",
    {
      scope: "write",
      summary: "Switch a chat on or off, change the filters of a bot's chat",
      params: ofChat,
      body: chatChanges.extend(why),
      answer: chatSchema,
    },
    ({ workspaceId, params: { chat_id }, body, by, request }) =>
      changeChat(deps, workspaceId, chat_id, body, whoOf(request, by.reason)),
  );

  routes.post(
    "/:account_id/chats/load",
    {
      scope: "operate",
      summary: "Ask Telegram which chats the account may write to",
      params: ofAccount,
      answer: loadedChats,
    },
    ({ workspaceId, params: { account_id }, request }) =>
      loadChats(deps, workspaceId, account_id, whoOf(request)),
  );
  const params = ofAccount.extend(ofChat.shape);
  routes.put(
    "/:account_id/chats/:chat_id",
    {
      scope: "write",
      summary: "Link a known chat with an account that is in it",
      params,
      answer: chatSchema,
    },
    ({ workspaceId, params: { account_id, chat_id }, request }) =>
      linkChat(deps, workspaceId, account_id, chat_id, whoOf(request)),
  );
  routes.delete(
    "/:account_id/chats/:chat_id",
    {
      scope: "write",
      summary: "Unlink a chat from an account, which stays a member at Telegram",
      params,
    },
    ({ workspaceId, params: { account_id, chat_id }, by, dryRun, request }) =>
      unlinkChat(deps, workspaceId, account_id, chat_id, whoOf(request, by.reason), { dryRun }),
  );
}
