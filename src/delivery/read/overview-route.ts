import { z } from "zod";
import { type App, problem, requireWorkspace } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { defaultWorkspace } from "../../workspaces/index.ts";
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

/** `GET /api/v1/overview`: what the console shows first. */
export function overviewRoute(app: App, { sql, clock }: { sql: Sql; clock: Clock }): void {
  app.route({
    method: "GET",
    url: "/api/v1/overview",
    config: { scope: "read", quiet: true },
    schema: {
      tags: ["overview"],
      summary: "The queue by status, the channels, the last hour and the last events of a workspace",
      querystring: z.object({ workspace_id: z.uuid().optional() }),
      response: { 200: overview },
    },
    async handler(request) {
      const workspaceId = request.query.workspace_id ?? (await defaultWorkspace(sql, request));
      if (!workspaceId)
        throw problem("not_found", {
          detail: "There is no workspace yet: `molva workspace add <name>` makes one.",
        });
      requireWorkspace(request, workspaceId);
      const [row] = await sql<
        [{ overview: Omit<z.infer<typeof overview>, "events"> & { workspace: unknown } }]
      >`
        select delivery.overview(${workspaceId}, ${clock.now()}) as overview`;
      if (!row.overview.workspace)
        throw problem("not_found", { detail: `There is no workspace ${workspaceId}.` });
      const { items } = await latestEvents(sql, workspaceId, { limit: 20 });
      return { ...row.overview, events: items };
    },
  });
}
