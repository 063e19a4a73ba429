import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { idOf } from "../../../workspaces/index.ts";
import { accountIdColumns } from "../../id-columns.ts";
import { historyPage, markDeleted, publicationSchema } from "../../read/publications.ts";
import { taskPage, taskSchema, taskStatuses } from "../../read/task-list.ts";
import { whoOf } from "../access.ts";
import { type AccountRoutesDeps, ofAccount, ofChat, ofObject, ownersRoutes, why } from "./owners-routes.ts";

const filters = ofAccount.extend(ofObject.shape).extend(ofChat.shape).partial().shape;
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

export function queueRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;
  const routes = ownersRoutes(app, sql);

  routes.list(
    "/queue",
    {
      scope: "read",
      summary: "Tasks of accounts and publications of bots, latest scheduled time first",
      query: {
        type: z.enum(["account", "bot", "all"]).optional(),
        status: z.enum(taskStatuses).optional(),
        ...filters,
      },
      item: taskSchema,
    },
    ({ workspaceId, query, page, request }) =>
      taskPage(sql, workspaceId, whoOf(request), { ...query, ...page }),
  );
  routes.list(
    "/history",
    {
      scope: "read",
      summary: "Publications, latest first",
      query: { ...filters, since: moment.optional(), until: moment.optional() },
      item: publicationSchema,
    },
    ({ workspaceId, query, page, request }) =>
      historyPage(sql, workspaceId, whoOf(request), { ...query, ...page }),
  );
  routes.patch(
    "/history/:publication_id",
    {
      scope: "operate",
      summary: "Mark a message as deleted from its chat, or undo that",
      params: z.object({ publication_id: idOf(accountIdColumns.publication) }),
      body: z.strictObject({ deleted: z.boolean(), ...why }),
      answer: publicationSchema,
    },
    ({ workspaceId, params: { publication_id }, body: { deleted }, by, request }) =>
      markDeleted(deps, workspaceId, publication_id, deleted, whoOf(request, by.reason)),
  );
}
