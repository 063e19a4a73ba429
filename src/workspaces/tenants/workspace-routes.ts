import { Readable } from "node:stream";
import { z } from "zod";
import {
  type App,
  callerOf,
  type RouteModule,
  requireInstallation,
  requireScope,
  workspacesWith,
} from "../../http/index.ts";
import { reason } from "../requests/fields.ts";
import { pageQuery, pageSchema } from "../requests/paging.ts";
import { byOf } from "../requests/request.ts";
import { workspaceRoutes } from "../requests/route.ts";
import { addWorkspace, changeWorkspace, setWorkspaceStatus } from "./change-workspace.ts";
import { type DeleteWorkspaceDeps, deleteWorkspace } from "./delete-workspace.ts";
import { exportWorkspace } from "./export-workspace.ts";
import { readWorkspace, workspacePage } from "./read-workspaces.ts";
import { newWorkspace, workspaceChanges, workspaceSchema } from "./workspace-shape.ts";

const tag = "workspaces";

export function tenantRoutes(deps: DeleteWorkspaceDeps): RouteModule {
  return { name: "workspaces", routes: (app) => routes(app, deps) };
}

function routes(app: App, deps: DeleteWorkspaceDeps): void {
  const { sql } = deps;

  app.get(
    "/api/v1/workspaces",
    {
      config: { scope: "read", about: "workspace" },
      schema: {
        tags: [tag],
        summary: "Workspaces that the caller may use, oldest first",
        querystring: z.object(pageQuery),
        response: { 200: pageSchema(workspaceSchema) },
      },
    },
    (request) => workspacePage(sql, { ...request.query, only: workspacesWith(callerOf(request), "read") }),
  );

  app.post(
    "/api/v1/workspaces",
    {
      config: { scope: "admin" },
      schema: {
        tags: [tag],
        summary: "Make a workspace; for callers whose rights cover all of them",
        body: newWorkspace,
        response: { 201: workspaceSchema },
      },
    },
    async (request, reply) => {
      const { reason: why, ...fields } = request.body;
      return reply.code(201).send(await addWorkspace(deps, fields, byOf(request, why)));
    },
  );

  const one = workspaceRoutes(app, sql, { under: "/api/v1/workspaces/:workspace_id", tag });

  one.get("", { scope: "read", summary: "One workspace", answer: workspaceSchema }, ({ workspaceId }) =>
    readWorkspace(sql, workspaceId),
  );
  one.patch(
    "",
    { scope: "admin", summary: "Change a workspace", body: workspaceChanges, answer: workspaceSchema },
    ({ workspaceId, body, by }) => changeWorkspace(deps, workspaceId, body, by),
  );
  one.get(
    "/export",
    {
      scope: "admin",
      summary: "Everything of a workspace but its secrets and files: application/x-ndjson, a row a line",
      description:
        "It holds people and what was posted, so it needs the scopes `people` and `payload`, too; it is recorded.",
      query: { reason },
    },
    async ({ workspaceId, query, request, reply }) => {
      for (const scope of ["people", "payload"] as const) requireScope(callerOf(request), scope);
      const lines = exportWorkspace(deps, workspaceId, byOf(request, query.reason));
      // Errors must be found before the answer begins.
      const first = await lines.next();
      return reply
        .header("cache-control", "no-store")
        .header("content-disposition", `attachment; filename="molva-${workspaceId}.ndjson"`)
        .header("x-content-type-options", "nosniff")
        .type("application/x-ndjson")
        .send(Readable.from(after(first, lines)));
    },
  );
  one.delete(
    "",
    {
      scope: "admin",
      summary: "Delete a disabled workspace with everything of it; it has to be exported within a day before",
      query: {
        name: z.string().max(200).describe("The workspace's name, exactly, to say that this one is meant"),
        reason,
      },
    },
    async ({ workspaceId, query: { name }, by, dryRun, request }) => {
      requireInstallation(request);
      await deleteWorkspace(deps, workspaceId, name, by, { dryRun });
      // The workspace's own events were deleted with it.
      const deleted = { workspace_id: workspaceId, name, operator: by.operator, reason: by.reason };
      if (!dryRun) request.log.warn(deleted, "a workspace was deleted");
    },
  );
  for (const [verb, status, summary] of [
    ["pause", "paused", "Stop sending from a workspace; posts are still accepted"],
    ["resume", "active", "Go on sending from a workspace"],
    ["disable", "disabled", "Stop a workspace: nothing is accepted, nothing is sent"],
  ] as const)
    one.post(
      `/${verb}`,
      { scope: "admin", summary, body: z.strictObject({ reason }), answer: workspaceSchema },
      ({ workspaceId, by }) => setWorkspaceStatus(deps, workspaceId, status, by),
    );
}

async function* after(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (!first.done) yield first.value;
  yield* rest;
}
