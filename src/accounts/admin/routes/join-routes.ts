import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { idOf, pageOfAll } from "../../../workspaces/index.ts";
import { accountIdColumns } from "../../id-columns.ts";
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
} from "../../joins/chat-lists.ts";
import {
  beginJoining,
  joinActions,
  joinPage,
  joinSummary,
  joinTask,
  newJoin,
  readJoin,
  steerJoin,
} from "../../joins/join-tasks.ts";
import { whoOf } from "../access.ts";
import { type AccountRoutesDeps, ofAccount, ownersRoutes, why } from "./owners-routes.ts";

const actionSummaries = {
  pause: "Pause a join task",
  continue: "Continue a paused task, or one whose flood wait is over",
  cancel: "Cancel a join task",
  retry: "Resume a failed task where it stopped",
} as const;

export function joinRoutes(app: App, deps: AccountRoutesDeps): void {
  listRoutes(app, deps);
  taskRoutes(app, deps);
}

function listRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;
  const routes = ownersRoutes(app, sql);
  const params = z.object({ list_id: idOf(accountIdColumns.list) });

  routes.list(
    "/lists",
    { scope: "read", summary: "Your own lists of chats and public ones", item: chatListSummary },
    async ({ workspaceId, page, request }) =>
      pageOfAll(await listChatLists(sql, workspaceId, whoOf(request)), page),
  );
  routes.post(
    "/lists",
    {
      scope: "write",
      summary: "Make a list of chats from t.me links",
      body: newChatList.extend(why),
      answer: savedChatList,
      status: 201,
    },
    ({ workspaceId, body, by, request }) => addChatList(deps, workspaceId, body, whoOf(request, by.reason)),
  );
  routes.get(
    "/lists/:list_id",
    { scope: "read", summary: "One list with its links", params, answer: chatList },
    ({ workspaceId, params: { list_id }, request }) =>
      readChatList(sql, workspaceId, list_id, whoOf(request)),
  );
  routes.patch(
    "/lists/:list_id",
    {
      scope: "write",
      summary: "Change a list; running tasks keep the links they started with",
      params,
      body: chatListChanges.extend(why),
      answer: savedChatList,
    },
    ({ workspaceId, params: { list_id }, body, by, request }) =>
      changeChatList(deps, workspaceId, list_id, body, whoOf(request, by.reason)),
  );
  routes.delete(
    "/lists/:list_id",
    { scope: "write", summary: "Delete a list; running tasks keep the links they started with", params },
    ({ workspaceId, params: { list_id }, by, dryRun, request }) =>
      removeChatList(deps, workspaceId, list_id, whoOf(request, by.reason), { dryRun }),
  );
}

function taskRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;
  const routes = ownersRoutes(app, sql);
  const params = z.object({ join_id: idOf(accountIdColumns.join) });

  routes.list(
    "/joins",
    {
      scope: "read",
      summary: "Join tasks, newest first, with remaining chats and time",
      query: ofAccount.partial().shape,
      item: joinSummary,
    },
    ({ workspaceId, query, page, request }) =>
      joinPage(sql, workspaceId, whoOf(request), { ...query, ...page }),
  );
  routes.post(
    "/joins",
    {
      scope: "operate",
      summary: "Let an account join the chats of a list one by one",
      body: newJoin.extend(why),
      answer: joinTask,
      status: 201,
    },
    ({ workspaceId, body, by, request }) => beginJoining(deps, workspaceId, body, whoOf(request, by.reason)),
  );
  routes.get(
    "/joins/:join_id",
    { scope: "read", summary: "One join task, chat by chat", params, answer: joinTask },
    ({ workspaceId, params: { join_id }, request }) => readJoin(sql, workspaceId, join_id, whoOf(request)),
  );
  for (const action of joinActions)
    routes.post(
      `/joins/:join_id/${action}`,
      { scope: "operate", summary: actionSummaries[action], params, query: why, answer: joinTask },
      ({ workspaceId, params: { join_id }, query, request }) =>
        steerJoin(deps, workspaceId, join_id, action, whoOf(request, query.reason)),
    );
}
