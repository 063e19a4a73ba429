import { z } from "zod";
import type { App } from "../../http/index.ts";
import { byOf, deletion, inWorkspace, workspaceOf } from "../../workspaces/index.ts";
import type { RouteDeps } from "../admin/deps.ts";
import { listBudgets, removeBudget, setBudget } from "./budgets.ts";
import { budgetCap, budgetKey, budgetSchema } from "./shape.ts";

const tags = ["llm"];
const querystring = z.object(inWorkspace);

export function budgetRoutes(app: App, deps: RouteDeps): void {
  const { sql, clock } = deps;

  app.get(
    "/api/v1/llm/budgets",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Caps, with what counts against each now",
        querystring,
        response: { 200: z.object({ items: z.array(budgetSchema) }) },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      return { items: await listBudgets(sql, workspaceId, clock.now()) };
    },
  );

  app.put(
    "/api/v1/llm/budgets/:scope/:subject/:period/:unit",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Set a cap for the workspace, for users or for policies; * is each of them for itself",
        params: budgetKey,
        querystring,
        body: budgetCap,
        response: { 200: budgetSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, cap } = request.body;
      return setBudget(deps, workspaceId, request.params, cap, byOf(request, why));
    },
  );

  app.delete(
    "/api/v1/llm/budgets/:scope/:subject/:period/:unit",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Lift a cap",
        params: budgetKey,
        querystring: z.object(deletion),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, dry_run: dryRun } = request.query;
      await removeBudget(deps, workspaceId, request.params, byOf(request, why), { dryRun });
      return reply.code(204).send();
    },
  );
}
