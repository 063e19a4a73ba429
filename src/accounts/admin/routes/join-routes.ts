import { z } from "zod";
import { type App, idText } from "../../../http/index.ts";
import {
  addChatList,
  changeChatList,
  chatList,
  chatListChanges,
  chatListSummary,
  listChatLists,
  newChatList,
  readChatList,
  removeChatList,
  savedChatList,
} from "../../joins/lists.ts";
import {
  beginJoining,
  joinActions,
  joinSummary,
  joinTask,
  listJoins,
  newJoin,
  readJoin,
  steerJoin,
} from "../../joins/tasks.ts";
import type { AccountRoutesDeps } from "./deps.ts";
import { asked, deletion, querystring, why } from "./request.ts";
import { wholeIdsIn } from "./whole-ids.ts";

const tags = ["accounts"];
const listParams = z.object({ list_id: idText });
const joinParams = z.object({ join_id: idText });

const actionSummaries = {
  pause: "Pause a join task; its place is kept",
  continue: "Let a paused task go on, or a flooded one whose wait is over",
  cancel: "Call a join task off",
  retry: "Take a failed task up again where it stopped",
} as const;

/** Lists of chats, and joining them with an account. */
export function joinRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;

  app.get(
    "/api/v1/accounts/lists",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "One's own lists of chats, and public ones",
        querystring,
        response: { 200: z.object({ items: z.array(chatListSummary) }) },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return { items: await listChatLists(sql, workspaceId, who) };
    },
  );

  app.post(
    "/api/v1/accounts/lists",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Make a list of chats out of t.me links",
        querystring,
        body: newChatList.extend({ reason: why }),
        response: { 201: savedChatList },
      },
    },
    async (request, reply) => {
      const { reason, ...list } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      return reply.code(201).send(await addChatList(deps, workspaceId, list, who));
    },
  );

  app.get(
    "/api/v1/accounts/lists/:list_id",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "One list with its links",
        params: listParams,
        querystring,
        response: { 200: chatList },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return readChatList(sql, workspaceId, request.params.list_id, who);
    },
  );

  app.patch(
    "/api/v1/accounts/lists/:list_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Change a list; tasks that run keep the links they began with",
        params: listParams,
        querystring,
        body: chatListChanges.extend({ reason: why }),
        response: { 200: savedChatList },
      },
    },
    async (request) => {
      const { reason, ...changes } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      return changeChatList(deps, workspaceId, request.params.list_id, changes, who);
    },
  );

  app.delete(
    "/api/v1/accounts/lists/:list_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Delete a list; tasks that run keep the links they began with",
        params: listParams,
        querystring: deletion,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { reason, dry_run } = request.query;
      const { workspaceId, who } = await asked(sql, request, reason);
      await removeChatList(deps, workspaceId, request.params.list_id, who, { dryRun: dry_run });
      return reply.code(204).send();
    },
  );

  app.get(
    "/api/v1/accounts/joins",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Join tasks, the newest first, with what remains and how long it takes",
        querystring: querystring.extend({ account_id: idText.optional() }),
        response: { 200: z.object({ items: z.array(joinSummary) }) },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return { items: await listJoins(sql, workspaceId, who, { accountId: request.query.account_id }) };
    },
  );

  app.post(
    "/api/v1/accounts/joins",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Let an account join the chats of a list, one after the other",
        querystring,
        body: newJoin.extend({ reason: why }),
        response: { 201: joinTask },
      },
    },
    async (request, reply) => {
      const { reason, ...join } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      const whole = await wholeIdsIn(sql, workspaceId, join);
      return reply.code(201).send(await beginJoining(deps, workspaceId, whole, who));
    },
  );

  app.get(
    "/api/v1/accounts/joins/:join_id",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "One join task, chat by chat",
        params: joinParams,
        querystring,
        response: { 200: joinTask },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return readJoin(sql, workspaceId, request.params.join_id, who);
    },
  );

  for (const action of joinActions)
    app.post(
      `/api/v1/accounts/joins/:join_id/${action}`,
      {
        config: { scope: "operate" },
        schema: {
          tags,
          summary: actionSummaries[action],
          params: joinParams,
          querystring: querystring.extend({ reason: why }),
          response: { 200: joinTask },
        },
      },
      async (request) => {
        const { workspaceId, who } = await asked(sql, request, request.query.reason);
        return steerJoin(deps, workspaceId, request.params.join_id, action, who);
      },
    );
}
