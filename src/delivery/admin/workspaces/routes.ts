import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { type App, callerOf, problem, requireWorkspace } from "../../../http/index.ts";
import type { AdminDeps } from "../deps.ts";
import { reason } from "../fields.ts";
import { pageQuery, pageSchema } from "../paging.ts";
import { byOf } from "../request.ts";
import { readWorkspace, workspacePage } from "./read.ts";
import { newWorkspace, type WorkspaceStatus, workspaceChanges, workspaceSchema } from "./shape.ts";
import { addWorkspace, changeWorkspace, setWorkspaceStatus } from "./write.ts";

const tags = ["workspaces"];
const params = z.object({ workspace_id: z.uuid() });

export function workspaceRoutes(app: App, deps: AdminDeps): void {
  const { sql } = deps;

  app.get(
    "/api/v1/workspaces",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Workspaces, oldest first",
        querystring: z.object(pageQuery(z.uuid())),
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

function named(request: FastifyRequest, { workspace_id }: { workspace_id: string }): string {
  requireWorkspace(request, workspace_id);
  return workspace_id;
}
