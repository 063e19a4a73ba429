import type { App } from "../../http/index.ts";
import { countUpTo, pageLimit, workspaceRoutes } from "../../workspaces/index.ts";
import { eventSchema, latestEvents } from "../read/events.ts";
import { queueSchema, queueSnapshot } from "./queue.ts";
import type { DeliveriesDeps } from "./routes.ts";

/** Two queries of the runbook: `GET /api/v1/queue` (what waits) and `GET /api/v1/errors` (what failed). */
export function queueRoute(app: App, { sql, clock }: DeliveriesDeps): void {
  const routes = workspaceRoutes(app, sql, { under: "/api/v1", tag: "queue" });

  routes.get(
    "/queue",
    {
      scope: "read",
      quiet: true,
      summary: "What is in the queue now, by status and by channel",
      answer: queueSchema,
    },
    ({ workspaceId }) => queueSnapshot(sql, workspaceId, clock.now()),
  );
  routes.list(
    "/errors",
    {
      scope: "read",
      quiet: true,
      summary: "The errors of the last minutes, newest first",
      query: { minutes: countUpTo(1440).optional().describe("How far back; 30 unless given") },
      item: eventSchema,
    },
    ({ workspaceId, query: { minutes = 30 }, page: { limit = pageLimit.most, after } }) => {
      const since = new Date(clock.now().getTime() - minutes * 60_000);
      return latestEvents(sql, workspaceId, { result: "error", since, limit, after });
    },
  );
}
