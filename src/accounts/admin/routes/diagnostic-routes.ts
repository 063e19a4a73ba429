import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { countUpTo } from "../../../workspaces/index.ts";
import { overview, overviewSchema, stuckTasks } from "../../read/overview.ts";
import { readinessSchema, systemReadiness } from "../../read/readiness.ts";
import { accountStatuses, accountStatusSchema } from "../../read/status.ts";
import { taskSchema } from "../../read/tasks.ts";
import { resetReport, resetStuck } from "../stuck.ts";
import type { AccountRoutesDeps } from "./deps.ts";
import { asked, querystring, why } from "./request.ts";

const tags = ["accounts"];
const threshold = {
  threshold_minutes: countUpTo(1440).optional().describe("How long in work is too long; 5 unless given"),
};

/** What is going on, and why nothing is. */
export function diagnosticRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;

  app.get(
    "/api/v1/accounts/overview",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Accounts, counts, what is due, what is stuck, and hints",
        querystring: querystring.extend(threshold),
        response: { 200: overviewSchema },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return overview(deps, workspaceId, who, { thresholdMinutes: request.query.threshold_minutes });
    },
  );

  app.get(
    "/api/v1/accounts/readiness",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Which objects accounts can publish, and why not the others",
        querystring,
        response: {
          200: z.object({ ready: z.int(), not_ready: z.int(), objects: z.array(readinessSchema) }),
        },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      const objects = await systemReadiness(sql, workspaceId, who);
      const ready = objects.filter((object) => object.ready).length;
      return { ready, not_ready: objects.length - ready, objects };
    },
  );

  app.get(
    "/api/v1/accounts/status",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Every account with its queue, its next times and its last error",
        querystring,
        response: { 200: z.object({ items: z.array(accountStatusSchema) }) },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return { items: await accountStatuses(deps, workspaceId, who) };
    },
  );

  app.get(
    "/api/v1/accounts/stuck",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Tasks that have been in work for too long",
        querystring: querystring.extend(threshold),
        response: { 200: z.object({ items: z.array(taskSchema) }) },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return { items: await stuckTasks(deps, workspaceId, who, request.query.threshold_minutes ?? 5) };
    },
  );

  app.post(
    "/api/v1/accounts/stuck/reset",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Take stuck tasks back: each counts a try, and the last one ends it",
        querystring,
        body: z.strictObject({
          threshold_minutes: z.int().min(1).max(1440).default(5),
          max_attempts: z.int().min(1).max(100).default(3),
          reason: why,
        }),
        response: { 200: resetReport },
      },
    },
    async (request) => {
      const { threshold_minutes, max_attempts, reason } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      const given = { thresholdMinutes: threshold_minutes, maxAttempts: max_attempts };
      return resetStuck(deps, workspaceId, given, who);
    },
  );
}
