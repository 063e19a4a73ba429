import { z } from "zod";
import { type App, problem, requireWorkspace } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { eventCursor, eventSchema, latestEvents } from "./events.ts";
import { defaultWorkspace } from "./workspaces.ts";

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
        workspace_id: z.uuid().optional(),
        limit: z
          .string()
          .regex(/^\d{1,3}$/, "A whole number from 1 to 200")
          .transform(Number)
          .refine((limit) => limit >= 1 && limit <= 200, "A whole number from 1 to 200")
          .optional(),
        before: eventCursor.optional(),
      }),
      response: { 200: z.object({ items: z.array(eventSchema), next: z.string().nullable() }) },
    },
    async handler(request) {
      const { workspace_id, limit = 50, before } = request.query;
      const workspaceId = workspace_id ?? (await defaultWorkspace(sql, request));
      if (!workspaceId)
        throw problem("not_found", { detail: "There is no workspace yet: `molva seed` makes one." });
      requireWorkspace(request, workspaceId);
      return latestEvents(sql, workspaceId, { limit, before });
    },
  });
}
