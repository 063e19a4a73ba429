import { z } from "zod";
import { type App, idText, problem, wholeId } from "../../../http/index.ts";
import {
  type AdminDeps,
  byOf,
  deletion,
  flag,
  inWorkspace,
  pageQuery,
  pageSchema,
  reason,
  workspaceOf,
} from "../../../workspaces/index.ts";
import { idColumns } from "../../id-columns.ts";
import { endpointPage, readEndpoint } from "./read.ts";
import {
  endpointChanges,
  endpointFilter,
  endpointSchema,
  endpointSecret,
  endpointWithSecret,
  newEndpoint,
} from "./shape.ts";
import { addEndpoint, changeEndpoint, deleteEndpoint, rotateEndpoint } from "./write.ts";

const tags = ["endpoints"];
const params = z.object({ endpoint_id: idText });
const querystring = z.object(inWorkspace);

export function endpointRoutes(app: App, deps: AdminDeps): void {
  const { sql } = deps;
  const endpointIn = (workspaceId: string, { endpoint_id }: z.infer<typeof params>) =>
    wholeId(sql, workspaceId, idColumns.endpoint, endpoint_id, "/endpoint_id");

  app.get(
    "/api/v1/endpoints",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "The doors of a workspace, oldest first, disabled ones included",
        querystring: z.object({
          ...inWorkspace,
          ...endpointFilter,
          enabled: flag.optional(),
          ...pageQuery,
        }),
        response: { 200: pageSchema(endpointSchema) },
      },
    },
    async (request) => endpointPage(sql, await workspaceOf(sql, request, request.query), request.query),
  );

  app.post(
    "/api/v1/endpoints",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Open a door; the answer is the only place that shows its secret",
        querystring,
        body: newEndpoint,
        response: { 201: endpointWithSecret },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, ...fields } = request.body;
      const made = await addEndpoint(deps, workspaceId, fields, byOf(request, why));
      return reply.code(201).header("cache-control", "no-store").send(made);
    },
  );

  app.get(
    "/api/v1/endpoints/:endpoint_id",
    {
      config: { scope: "read" },
      schema: { tags, summary: "One endpoint", params, querystring, response: { 200: endpointSchema } },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const endpoint = await readEndpoint(sql, workspaceId, await endpointIn(workspaceId, request.params));
      if (!endpoint)
        throw problem("not_found", { detail: `There is no endpoint ${request.params.endpoint_id}.` });
      return endpoint;
    },
  );

  app.patch(
    "/api/v1/endpoints/:endpoint_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Change an endpoint's name or limits",
        params,
        querystring,
        body: endpointChanges,
        response: { 200: endpointSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, ...fields } = request.body;
      const endpointId = await endpointIn(workspaceId, request.params);
      return changeEndpoint(deps, workspaceId, endpointId, fields, byOf(request, why));
    },
  );

  app.delete(
    "/api/v1/endpoints/:endpoint_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Delete a closed door; what came through it stays",
        params,
        querystring: z.object(deletion),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, dry_run: dryRun } = request.query;
      const endpointId = await endpointIn(workspaceId, request.params);
      await deleteEndpoint(deps, workspaceId, endpointId, byOf(request, why), { dryRun });
      return reply.code(204).send();
    },
  );

  app.post(
    "/api/v1/endpoints/:endpoint_id/rotate",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Give an endpoint another secret; the old one stops working at once",
        params,
        querystring,
        body: z.strictObject({ secret: endpointSecret.optional(), reason }),
        response: { 200: endpointWithSecret },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { secret, reason: why } = request.body;
      const endpointId = await endpointIn(workspaceId, request.params);
      const made = await rotateEndpoint(deps, workspaceId, endpointId, secret, byOf(request, why));
      return reply.header("cache-control", "no-store").send(made);
    },
  );

  const switchRoute = (verb: string, enabled: boolean, summary: string) =>
    app.post(
      `/api/v1/endpoints/:endpoint_id/${verb}`,
      {
        config: { scope: "operate" },
        schema: {
          tags,
          summary,
          params,
          querystring,
          body: z.strictObject({ reason }),
          response: { 200: endpointSchema },
        },
      },
      async (request) => {
        const workspaceId = await workspaceOf(sql, request, request.query);
        const by = byOf(request, request.body.reason);
        const endpointId = await endpointIn(workspaceId, request.params);
        return changeEndpoint(deps, workspaceId, endpointId, { enabled }, by);
      },
    );
  switchRoute("disable", false, "Close a door: its secret opens nothing until it is enabled again");
  switchRoute("enable", true, "Open a closed door again with the secret it had");
}
