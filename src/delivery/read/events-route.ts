import { z } from "zod";
import type { App } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { idOf, workspaceRoutes } from "../../workspaces/index.ts";
import { moment, wordsOf } from "../deliveries/request.ts";
import { type EventAction, eventActions } from "../events.ts";
import { idColumns } from "../id-columns.ts";
import { eventSchema, latestEvents } from "./events.ts";

const actions = Object.keys(eventActions).filter((name): name is EventAction => name in eventActions);

const filter = {
  action: wordsOf(actions).optional().describe("One or several, separated by commas"),
  result: z.enum(["ok", "error"]).optional(),
  channel_id: idOf(idColumns.channel).optional(),
  delivery_id: idOf(idColumns.delivery).optional(),
  message_id: idOf(idColumns.message).optional(),
  since: moment.optional(),
  until: moment.optional(),
};

/** `GET /api/v1/events`: the audit trail, newest first. */
export function eventsRoute(app: App, { sql }: { sql: Sql }): void {
  workspaceRoutes(app, sql, { under: "/api/v1/events", tag: "events" }).list(
    "",
    {
      scope: "read",
      quiet: true,
      summary: "The audit trail of a workspace, newest first",
      query: filter,
      item: eventSchema,
    },
    ({ workspaceId, query, page }) => latestEvents(sql, workspaceId, { ...query, ...page }),
  );
}
