import { z } from "zod";
import { type App, idText, wholeId } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { countUpTo, inWorkspace, pageLimit, workspaceOf } from "../../workspaces/index.ts";
import { moment, wordsOf } from "../deliveries/request.ts";
import { type EventAction, eventActions } from "../events.ts";
import { idColumns } from "../id-columns.ts";
import { eventCursor, eventSchema, latestEvents } from "./events.ts";

const actions = Object.keys(eventActions).filter((name): name is EventAction => name in eventActions);

/** `GET /api/v1/events`: the audit trail, newest first. */
export function eventsRoute(app: App, { sql }: { sql: Sql }): void {
  app.route({
    method: "GET",
    url: "/api/v1/events",
    config: { scope: "read", quiet: true },
    schema: {
      tags: ["events"],
      summary: "The audit trail of a workspace, newest first",
      querystring: z.object({
        ...inWorkspace,
        action: wordsOf(actions).optional().describe("One or several, separated by commas"),
        result: z.enum(["ok", "error"]).optional(),
        channel_id: idText.optional(),
        delivery_id: idText.optional(),
        message_id: idText.optional(),
        since: moment.optional(),
        until: moment.optional(),
        limit: countUpTo(pageLimit.most).optional(),
        before: eventCursor.optional(),
      }),
      response: { 200: z.object({ items: z.array(eventSchema), next: z.string().nullable() }) },
    },
    async handler(request) {
      const {
        workspace_id,
        action,
        channel_id,
        delivery_id,
        message_id,
        limit = pageLimit.usual,
        ...rest
      } = request.query;
      const workspaceId = await workspaceOf(sql, request, { workspace_id });
      return latestEvents(sql, workspaceId, {
        ...rest,
        limit,
        actions: action,
        channelId: channel_id && (await wholeId(sql, workspaceId, idColumns.channel, channel_id)),
        deliveryId: delivery_id && (await wholeId(sql, workspaceId, idColumns.delivery, delivery_id)),
        messageId: message_id && (await wholeId(sql, workspaceId, idColumns.message, message_id)),
      });
    },
  });
}
