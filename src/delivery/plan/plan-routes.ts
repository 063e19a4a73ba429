import { z } from "zod";
import type { RouteModule } from "../../http/index.ts";
import { idOf, workspaceRoutes } from "../../workspaces/index.ts";
import { moment } from "../deliveries/request.ts";
import { idColumns } from "../id-columns.ts";
import { changesSchema, comparePlans } from "./compare-plans.ts";
import { createTurns, planProblems } from "./in-turn.ts";
import { makePlan, type PlanDeps } from "./plan.ts";
import { comparisonSchema, planSchema } from "./plan-shape.ts";

const query = {
  from: moment.optional().describe("Now unless given"),
  to: moment.optional().describe("7 days after `from` unless given, 35 at most"),
  channel_id: idOf(idColumns.channel).optional().describe("Only what goes there"),
};

const about =
  "Calculated on a virtual clock from the functions that decide about windows, pauses, rates and age when posts are sent: it assumes that every send succeeds at once and nothing new comes in.";

/** `GET /api/v1/plan` and `POST /api/v1/plan/compare`. */
export function planRoutes(deps: PlanDeps): RouteModule {
  const inTurn = createTurns();
  return {
    name: "plan",
    problems: planProblems,
    routes(app) {
      const routes = workspaceRoutes(app, deps.sql, { under: "/api/v1/plan", tag: "plan" });
      routes.get(
        "",
        {
          scope: "read",
          summary: "What will go out where and when, and what decides it",
          description: `${about} Articles and posts of SEO Master's schedules and objects of accounts are in it too.`,
          query,
          answer: planSchema,
        },
        ({ workspaceId, query }) => inTurn(() => makePlan(deps, workspaceId, query)),
      );
      routes.post(
        "/compare",
        {
          scope: "read",
          summary: "Which deliveries would go out at another time if the configuration were changed",
          description: `${about} Nothing is changed.`,
          query,
          body: z.strictObject({ changes: changesSchema }),
          answer: comparisonSchema,
        },
        ({ workspaceId, query, body: { changes } }) =>
          inTurn(() => comparePlans(deps, workspaceId, query, changes)),
      );
    },
  };
}
