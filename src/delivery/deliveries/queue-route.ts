import { z } from "zod";
import type { App } from "../../http/index.ts";
import { countUpTo, inWorkspace, pageLimit, workspaceOf } from "../../workspaces/index.ts";
import { eventSchema, latestEvents } from "../read/events.ts";
import { queueSchema, queueSnapshot } from "./queue.ts";
import type { DeliveriesDeps } from "./routes.ts";

/** The runbook's two looks: `GET /api/v1/queue`, what waits, and `GET /api/v1/errors`, what broke. */
export function queueRoute(app: App, { sql, clock }: DeliveriesDeps): void {
  app.route({
    method: "GET",
    url: "/api/v1/queue",
    config: { scope: "read", quiet: true },
    schema: {
      tags: ["queue"],
      summary: "What is in the queue now, by status and by channel",
      querystring: z.object(inWorkspace),
      response: { 200: queueSchema },
    },
    async handler(request) {
      const workspaceId = await workspaceOf(sql, request, request.query);
      return queueSnapshot(sql, workspaceId, clock.now());
    },
  });

  app.route({
    method: "GET",
    url: "/api/v1/errors",
    config: { scope: "read", quiet: true },
    schema: {
      tags: ["queue"],
      summary: "The errors of the last minutes, newest first",
      querystring: z.object({
        ...inWorkspace,
        minutes: countUpTo(1440).optional().describe("How far back; 30 unless given"),
        limit: countUpTo(pageLimit.most).optional(),
      }),
      response: { 200: z.object({ items: z.array(eventSchema) }) },
    },
    async handler(request) {
      const { minutes = 30, limit = 200 } = request.query;
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { items } = await recentErrors(sql, workspaceId, { minutes, limit, now: clock.now() });
      return { items };
    },
  });
}

function recentErrors(
  sql: DeliveriesDeps["sql"],
  workspaceId: string,
  { minutes, limit, now }: { minutes: number; limit: number; now: Date },
) {
  const since = new Date(now.getTime() - minutes * 60_000);
  return latestEvents(sql, workspaceId, { result: "error", since, limit });
}
