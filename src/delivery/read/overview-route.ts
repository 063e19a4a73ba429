import { z } from "zod";
import type { App } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { workspaceRoutes } from "../../workspaces/index.ts";
import { eventSchema, latestEvents } from "./events.ts";

const count = z.int();

const overview = z.object({
  workspace: z.object({ id: z.string(), name: z.string(), status: z.string() }),
  queue: z.object({
    queued: count,
    claimed: count,
    sending: count,
    retry: count,
    sent: count,
    deduped: count,
    failed_permanent: count,
    dead: count,
  }),
  channels: z.object({
    total: count,
    enabled: count,
    paused: count,
    disabled: count,
    by_platform: z.record(z.string(), count),
  }),
  activity: z
    .array(z.object({ at: z.string(), sent: count, failed: count }))
    .describe("The last hour by the minute"),
  events: z.array(eventSchema),
});

/** `GET /api/v1/overview`: the first page of the console. */
export function overviewRoute(app: App, { sql, clock }: { sql: Sql; clock: Clock }): void {
  workspaceRoutes(app, sql, { under: "/api/v1/overview", tag: "overview" }).get(
    "",
    {
      scope: "read",
      quiet: true,
      summary: "The queue by status, the channels, the last hour and the last events of a workspace",
      answer: overview,
    },
    async ({ workspaceId }) => {
      const [row] = await sql<[{ overview: Omit<z.infer<typeof overview>, "events"> }]>`
        select delivery.overview(${workspaceId}, ${clock.now()}) as overview`;
      const { items: events } = await latestEvents(sql, workspaceId, { limit: 20 });
      return { ...row.overview, events };
    },
  );
}
