import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { countUpTo, pageOfAll } from "../../../workspaces/index.ts";
import { accountStatuses, accountStatusSchema } from "../../read/account-status.ts";
import { overview, overviewSchema, stuckTasks } from "../../read/overview.ts";
import { readinessSchema, systemReadiness } from "../../read/readiness.ts";
import { taskSchema } from "../../read/task-list.ts";
import { whoOf } from "../access.ts";
import { resetReport, resetStuck } from "../reset-stuck.ts";
import { type AccountRoutesDeps, ownersRoutes, why } from "./owners-routes.ts";

const threshold = {
  threshold_minutes: countUpTo(1440).optional().describe("After how long a task counts as stuck; default: 5"),
};

export function diagnosticRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;
  const routes = ownersRoutes(app, sql);

  routes.get(
    "/overview",
    {
      scope: "read",
      summary: "Accounts, counts, due tasks, stuck tasks and hints",
      query: threshold,
      answer: overviewSchema,
    },
    ({ workspaceId, query, request }) =>
      overview(deps, workspaceId, whoOf(request), { thresholdMinutes: query.threshold_minutes }),
  );
  routes.get(
    "/readiness",
    {
      scope: "read",
      summary: "Which objects accounts can publish, and why the others cannot be published",
      answer: z.object({ ready: z.int(), not_ready: z.int(), objects: z.array(readinessSchema) }),
    },
    async ({ workspaceId, request }) => {
      const objects = await systemReadiness(sql, workspaceId, whoOf(request));
      const ready = objects.filter((object) => object.ready).length;
      return { ready, not_ready: objects.length - ready, objects };
    },
  );
  routes.list(
    "/status",
    {
      scope: "read",
      summary: "Every account with its queue, next times and last error",
      item: accountStatusSchema,
    },
    async ({ workspaceId, page, request }) =>
      pageOfAll(await accountStatuses(deps, workspaceId, whoOf(request)), page),
  );
  routes.list(
    "/stuck",
    {
      scope: "read",
      summary: "Tasks that have been in progress for too long",
      query: threshold,
      item: taskSchema,
    },
    async ({ workspaceId, query: { threshold_minutes = 5 }, page, request }) =>
      pageOfAll(await stuckTasks(deps, workspaceId, whoOf(request), threshold_minutes), page),
  );
  routes.post(
    "/stuck/reset",
    {
      scope: "admin",
      summary: "Return stuck tasks to the queue: each counts an attempt, the last attempt fails the task",
      body: z.strictObject({
        threshold_minutes: z.int().min(1).max(1440).default(5),
        max_attempts: z.int().min(1).max(100).default(3),
        ...why,
      }),
      answer: resetReport,
    },
    ({ workspaceId, body, by, request }) => {
      const given = { thresholdMinutes: body.threshold_minutes, maxAttempts: body.max_attempts };
      return resetStuck(deps, workspaceId, given, whoOf(request, by.reason));
    },
  );
}
