import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { idOf } from "../../../workspaces/index.ts";
import { accountIdColumns } from "../../id-columns.ts";
import { historyPage, markDeleted, publicationSchema } from "../../read/history.ts";
import { taskPage, taskSchema, taskStatuses } from "../../read/tasks.ts";
import { whoOf } from "../access.ts";
import type { AccountRoutesDeps } from "./deps.ts";
import { ofAccount, ofChat, ofObject, ownersRoutes, why } from "./request.ts";

const filters = ofAccount.extend(ofObject.shape).extend(ofChat.shape).partial().shape;
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** What waits and what was published. */
export function queueRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;
  const routes = ownersRoutes(app, sql);

  routes.list(
    "/queue",
    {
      scope: "read",
      summary: "Tasks of accounts and publications of bots, the latest planned time first",
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
      summary: "What was published, the latest first",
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
      summary: "Say that a message is gone from its chat, or is there after all",
      params: z.object({ publication_id: idOf(accountIdColumns.publication) }),
      body: z.strictObject({ deleted: z.boolean(), ...why }),
      answer: publicationSchema,
    },
    ({ workspaceId, params: { publication_id }, body: { deleted }, by, request }) =>
      markDeleted(deps, workspaceId, publication_id, deleted, whoOf(request, by.reason)),
  );
}
