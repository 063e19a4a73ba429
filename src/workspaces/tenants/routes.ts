import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { type App, callerOf, problem, type RouteModule, requireWorkspace } from "../../http/index.ts";
import { flag, reason } from "../requests/fields.ts";
import { pageQuery, pageSchema } from "../requests/paging.ts";
import { byOf } from "../requests/request.ts";
import { type DeleteWorkspaceDeps, deleteWorkspace } from "./delete.ts";
import { exportWorkspace } from "./export.ts";
import { readWorkspace, workspacePage } from "./read.ts";
import { newWorkspace, type WorkspaceStatus, workspaceChanges, workspaceSchema } from "./shape.ts";
import { addWorkspace, changeWorkspace, setWorkspaceStatus } from "./write.ts";

const tags = ["workspaces"];
const params = z.object({ workspace_id: z.uuid() });

export function tenantRoutes(deps: DeleteWorkspaceDeps): RouteModule {
  return { name: "workspaces", routes: (app) => routes(app, deps) };
}

function routes(app: App, deps: DeleteWorkspaceDeps): void {
  const { sql } = deps;

  app.get(
    "/api/v1/workspaces",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Workspaces, oldest first",
        querystring: z.object(pageQuery),
        response: { 200: pageSchema(workspaceSchema) },
      },
    },
    (request) => workspacePage(sql, { ...request.query, only: callerOf(request).workspaceId }),
  );

  app.post(
    "/api/v1/workspaces",
    {
      config: { scope: "admin" },
      schema: { tags, summary: "Make a workspace", body: newWorkspace, response: { 201: workspaceSchema } },
    },
    async (request, reply) => {
      if (callerOf(request).workspaceId !== null) throw problem("other_workspace");
      const { reason: why, ...fields } = request.body;
      return reply.code(201).send(await addWorkspace(deps, fields, byOf(request, why)));
    },
  );

  app.get(
    "/api/v1/workspaces/:workspace_id",
    {
      config: { scope: "read" },
      schema: { tags, summary: "One workspace", params, response: { 200: workspaceSchema } },
    },
    async (request) => {
      const workspaceId = named(request, request.params);
      const workspace = await readWorkspace(sql, workspaceId);
      if (!workspace) throw problem("not_found", { detail: `There is no workspace ${workspaceId}.` });
      return workspace;
    },
  );

  app.patch(
    "/api/v1/workspaces/:workspace_id",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Change a workspace",
        params,
        body: workspaceChanges,
        response: { 200: workspaceSchema },
      },
    },
    (request) => {
      const { reason: why, ...fields } = request.body;
      return changeWorkspace(deps, named(request, request.params), fields, byOf(request, why));
    },
  );

  app.get(
    "/api/v1/workspaces/:workspace_id/export",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Everything of a workspace but its secrets and files: application/x-ndjson, a row a line",
        params,
      },
    },
    async (request, reply) => {
      const workspaceId = named(request, request.params);
      const lines = exportWorkspace(deps, workspaceId);
      // What is wrong is told before the answer begins.
      const first = await lines.next();
      return reply
        .header("cache-control", "no-store")
        .header("content-disposition", `attachment; filename="molva-${workspaceId}.ndjson"`)
        .header("x-content-type-options", "nosniff")
        .type("application/x-ndjson")
        .send(Readable.from(after(first, lines)));
    },
  );

  app.delete(
    "/api/v1/workspaces/:workspace_id",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary:
          "Delete a disabled workspace with everything of it; it has to be exported within a day before",
        params,
        querystring: z.object({
          name: z.string().max(200).describe("The workspace's name, exactly, to say that this one is meant"),
          reason,
          dry_run: flag.optional().describe("true: say whether it could be deleted, and delete nothing"),
        }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      if (callerOf(request).workspaceId !== null) throw problem("other_workspace");
      const { name, reason: why, dry_run: dryRun } = request.query;
      const { workspace_id } = request.params;
      await deleteWorkspace(deps, workspace_id, name, { dryRun });
      // Its own events are gone with it.
      const operator = callerOf(request).name;
      if (!dryRun) request.log.warn({ workspace_id, name, operator, reason: why }, "a workspace was deleted");
      return reply.code(204).send();
    },
  );

  const statusRoute = (verb: string, status: WorkspaceStatus, summary: string) =>
    app.post(
      `/api/v1/workspaces/:workspace_id/${verb}`,
      {
        config: { scope: "admin" },
        schema: {
          tags,
          summary,
          params,
          body: z.strictObject({ reason }),
          response: { 200: workspaceSchema },
        },
      },
      (request) =>
        setWorkspaceStatus(deps, named(request, request.params), status, byOf(request, request.body.reason)),
    );
  statusRoute("pause", "paused", "Stop sending from a workspace; posts are still accepted");
  statusRoute("resume", "active", "Go on sending from a workspace");
  statusRoute("disable", "disabled", "Stop a workspace: nothing is accepted, nothing is sent");
}

async function* after(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (!first.done) yield first.value;
  yield* rest;
}

function named(request: FastifyRequest, { workspace_id }: { workspace_id: string }): string {
  requireWorkspace(request, workspace_id);
  return workspace_id;
}
