import { z } from "zod";
import { type App, problem } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { idOf, workspaceRoutes } from "../../workspaces/index.ts";
import { userIdText } from "../people/whose.ts";
import type { Runs } from "./create-runs.ts";
import { readRun, runColumn, runDetailSchema, runPage, runSchema } from "./read-runs.ts";
import { runStatuses } from "./run-row.ts";

const params = z.object({ run_id: idOf(runColumn) });

/** Runs for operators: what is done for whom, what each step read, asked and cost, and how to stop it. */
export function runRoutes(app: App, { sql, runs }: { sql: Sql; runs: Pick<Runs, "cancel"> }): void {
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/seo/runs", tag: "seo" });

  routes.list(
    "",
    {
      scope: "read",
      summary: "Runs, the newest first",
      query: {
        user_id: userIdText.optional(),
        kind: z.string().optional(),
        status: z.enum(runStatuses).optional(),
      },
      item: runSchema,
    },
    ({ workspaceId, query, page }) => runPage(sql, workspaceId, { ...query, ...page }),
  );

  routes.get(
    "/:run_id",
    {
      scope: "read",
      summary: "A run: what each step read, asked, cost and how long it took, and its tokens",
      params,
      answer: runDetailSchema,
    },
    ({ workspaceId, params: { run_id } }) => readRun(sql, workspaceId, run_id),
  );

  routes.post(
    "/:run_id/cancel",
    {
      scope: "operate",
      summary:
        "Stop a run: before its next step if it is worked on, otherwise at once; its tokens are returned",
      params,
      answer: runDetailSchema,
    },
    async ({ workspaceId, params: { run_id: runId } }) => {
      await cancelRun(runs, sql, workspaceId, runId);
      return readRun(sql, workspaceId, runId);
    },
  );
}

/** Stops anybody's run; throws if it cannot be stopped any more. */
export async function cancelRun(
  runs: Pick<Runs, "cancel">,
  sql: Sql,
  workspaceId: string,
  runId: string,
): Promise<"cancelled" | "stopping"> {
  const { user_id: userId } = await readRun(sql, workspaceId, runId);
  const status = await runs.cancel({ workspaceId, userId, runId });
  if (status === "cancelled") return "cancelled";
  if (status === "running") return "stopping";
  throw problem("conflict", {
    detail:
      status === "publishing"
        ? "It is being published and cannot be stopped; `molva delivery` shows how that goes."
        : "It has ended already.",
  });
}
