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
import { loadChats, loadedChats } from "../../chats/load-chats.ts";
import { whoOf } from "../access.ts";
import { type AccountRoutesDeps, ofAccount, ofChat, ownersRoutes, why } from "./owners-routes.ts";

/** Chats of accounts, and chats of bots with their filters. */
export function chatRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;
  const routes = ownersRoutes(app, sql);

  routes.list(
    "/chats",
    {
      scope: "read",
      summary: "Chats of your accounts and of bots",
      query: {
        ...ofAccount.partial().shape,
        owner_type: z.enum(["bot", "user"]).optional(),
        type: z.enum(chatTypes).optional(),
        active: flag.optional(),
        text: z.string().max(200).optional().describe("Part of the title or username"),
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
      summary: "Let a bot publish objects to one of its channels",
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
      summary: "Switch a chat on or off, or change a bot chat's filters",
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
      summary: "Ask Telegram which chats the account can write to",
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
      summary: "Link a known chat to an account that is in it",
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
      summary: "Unlink a chat from an account; it stays a member in Telegram",
      params,
    },
    ({ workspaceId, params: { account_id, chat_id }, by, dryRun, request }) =>
      unlinkChat(deps, workspaceId, account_id, chat_id, whoOf(request, by.reason), { dryRun }),
  );
}
