import { z } from "zod";
import { type App, idText } from "../../../http/index.ts";
import { countUpTo, pageSchema } from "../../../workspaces/index.ts";
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
import type { AccountRoutesDeps } from "./deps.ts";
import { asked, flag, querystring, why } from "./request.ts";

const tags = ["accounts"];
const chatParams = z.object({ chat_id: idText });
const accountParams = z.object({ account_id: idText });

/** Where is published: chats of accounts, and chats of bots with their filters. */
export function chatRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;

  app.get(
    "/api/v1/accounts/chats",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Chats of one's accounts and of bots",
        querystring: querystring.extend({
          account_id: idText.optional(),
          owner_type: z.enum(["bot", "user"]).optional(),
          type: z.enum(chatTypes).optional(),
          active: flag.optional(),
          text: z.string().max(200).optional().describe("A part of the title or of the user name"),
          limit: countUpTo(200).optional(),
          after: z.uuid().optional(),
        }),
        response: { 200: pageSchema(chatSchema) },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      const { account_id, owner_type, ...query } = request.query;
      return chatPage(sql, workspaceId, who, { ...query, accountId: account_id, ownerType: owner_type });
    },
  );

  app.post(
    "/api/v1/accounts/chats",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Let a bot publish objects into one of its channels",
        querystring,
        body: newBotChat.extend({ reason: why }),
        response: { 201: chatSchema },
      },
    },
    async (request, reply) => {
      const { reason, ...chat } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      return reply.code(201).send(await addBotChat(deps, workspaceId, chat, who));
    },
  );

  app.get(
    "/api/v1/accounts/chats/:chat_id",
    {
      config: { scope: "read" },
      schema: { tags, summary: "One chat", params: chatParams, querystring, response: { 200: chatSchema } },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return showChat(sql, workspaceId, request.params.chat_id, who);
    },
  );

  app.patch(
    "/api/v1/accounts/chats/:chat_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Switch a chat on or off, change the filters of a bot's chat",
        params: chatParams,
        querystring,
        body: chatChanges.extend({ reason: why }),
        response: { 200: chatSchema },
      },
    },
    async (request) => {
      const { reason, ...changes } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      return changeChat(deps, workspaceId, request.params.chat_id, changes, who);
    },
  );

  app.post(
    "/api/v1/accounts/:account_id/chats/load",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Ask Telegram which chats the account may write to",
        params: accountParams,
        querystring,
        response: { 200: loadedChats },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return loadChats(deps, workspaceId, request.params.account_id, who);
    },
  );

  app.put(
    "/api/v1/accounts/:account_id/chats/:chat_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Link a known chat with an account that is in it",
        params: accountParams.extend(chatParams.shape),
        querystring,
        response: { 200: chatSchema },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      const { account_id, chat_id } = request.params;
      return linkChat(deps, workspaceId, account_id, chat_id, who);
    },
  );

  app.delete(
    "/api/v1/accounts/:account_id/chats/:chat_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Unlink a chat from an account, which stays a member at Telegram",
        params: accountParams.extend(chatParams.shape),
        querystring: querystring.extend({ reason: why }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { workspaceId, who } = await asked(sql, request, request.query.reason);
      const { account_id, chat_id } = request.params;
      await unlinkChat(deps, workspaceId, account_id, chat_id, who);
      return reply.code(204).send();
    },
  );
}
