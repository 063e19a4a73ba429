import { z } from "zod";
import { type App, idText } from "../../../http/index.ts";
import { countUpTo, pageQuery, pageSchema } from "../../../workspaces/index.ts";
import { historyPage, markDeleted, publicationSchema } from "../../read/history.ts";
import { taskPage, taskSchema, taskStatuses } from "../../read/tasks.ts";
import type { AccountRoutesDeps } from "./deps.ts";
import { asked, querystring, why } from "./request.ts";

const tags = ["accounts"];
const filters = {
  account_id: idText.optional(),
  object_id: idText.optional(),
  chat_id: idText.optional(),
};
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** What waits and what was published. */
export function queueRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;

  app.get(
    "/api/v1/accounts/queue",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Tasks of accounts and publications of bots, the latest planned time first",
        querystring: querystring.extend({
          type: z.enum(["account", "bot", "all"]).optional(),
          status: z.enum(taskStatuses).optional(),
          ...filters,
          limit: countUpTo(200).optional(),
          after: pageQuery.after,
        }),
        response: { 200: pageSchema(taskSchema) },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      const { account_id, object_id, chat_id, ...query } = request.query;
      return taskPage(sql, workspaceId, who, {
        ...query,
        accountId: account_id,
        objectId: object_id,
        chatId: chat_id,
      });
    },
  );

  app.get(
    "/api/v1/accounts/history",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "What was published, the latest first",
        querystring: querystring.extend({
          ...filters,
          since: moment.optional(),
          until: moment.optional(),
          limit: countUpTo(200).optional(),
          after: pageQuery.after,
        }),
        response: { 200: pageSchema(publicationSchema) },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      const { account_id, object_id, chat_id, ...query } = request.query;
      return historyPage(sql, workspaceId, who, {
        ...query,
        accountId: account_id,
        objectId: object_id,
        chatId: chat_id,
      });
    },
  );

  app.patch(
    "/api/v1/accounts/history/:publication_id",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Say that a message is gone from its chat, or is there after all",
        params: z.object({ publication_id: idText }),
        querystring,
        body: z.strictObject({ deleted: z.boolean(), reason: why }),
        response: { 200: publicationSchema },
      },
    },
    async (request) => {
      const { deleted, reason } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      return markDeleted(deps, workspaceId, request.params.publication_id, deleted, who);
    },
  );
}
