import { z } from "zod";
import type { App } from "../../../http/index.ts";
import {
  type AdminDeps,
  byOf,
  deletion,
  inWorkspace,
  pageQuery,
  pageSchema,
  workspaceOf,
} from "../../../workspaces/index.ts";
import { key, platform } from "../fields.ts";
import { deleteLimit, limitPage, readLimit, setLimit } from "./limits.ts";
import { limitChange, limitSchema } from "./shape.ts";

const tags = ["limits"];
const params = z.object({ platform, rate_group: key });
const querystring = z.object(inWorkspace);

export function limitRoutes(app: App, deps: AdminDeps): void {
  const { sql } = deps;

  app.get(
    "/api/v1/limits",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "What rate groups may send together",
        querystring: z.object({ ...inWorkspace, ...pageQuery }),
        response: { 200: pageSchema(limitSchema) },
      },
    },
    async (request) => limitPage(sql, await workspaceOf(sql, request, request.query), request.query),
  );

  app.get(
    "/api/v1/limits/:platform/:rate_group",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "The limit of one group",
        params,
        querystring,
        response: { 200: limitSchema },
      },
    },
    async (request) => readLimit(sql, await workspaceOf(sql, request, request.query), request.params),
  );

  app.put(
    "/api/v1/limits/:platform/:rate_group",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Set the limit of a group",
        params,
        querystring,
        body: limitChange,
        response: { 200: limitSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { rate_rps, reason: why } = request.body;
      return setLimit(deps, workspaceId, request.params, rate_rps, byOf(request, why));
    },
  );

  app.delete(
    "/api/v1/limits/:platform/:rate_group",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Forget the limit of a group, which then has none",
        params,
        querystring: z.object(deletion),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, dry_run: dryRun } = request.query;
      await deleteLimit(deps, workspaceId, request.params, byOf(request, why), { dryRun });
      return reply.code(204).send();
    },
  );
}
