import { z } from "zod";
import type { App } from "../../../http/index.ts";
import {
  byOf,
  deletion,
  dryRun,
  inWorkspace,
  pageOfAll,
  pageQuery,
  pageSchema,
  reason,
  type SecretDeps,
  workspaceOf,
} from "../../../workspaces/index.ts";
import { listSources, type PullDeps, showSource } from "../../pull/index.ts";
import { givenItems, itemsReport, takeItems } from "./items.ts";
import { runSource } from "./run.ts";
import { newSource, runReport, sourceChanges, sourceId, sourceSchema } from "./shape.ts";
import { addSource, changeSource, notFound, removeSource } from "./write.ts";

const tags = ["sources"];
const params = z.object({ source_id: sourceId });
const querystring = z.object(inWorkspace);

export function sourceRoutes(app: App, deps: SecretDeps & PullDeps): void {
  const { sql } = deps;

  app.get(
    "/api/v1/sources",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Sources that are asked, by name, and how their last runs went",
        querystring: z.object({ ...inWorkspace, ...pageQuery }),
        response: { 200: pageSchema(sourceSchema) },
      },
    },
    async (request) => {
      const sources = await listSources(sql, await workspaceOf(sql, request, request.query));
      return pageOfAll(sources, request.query);
    },
  );

  app.post(
    "/api/v1/sources",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Add a source; its first run comes at once",
        description: "`secret_variable` needs the scope `admin`.",
        querystring,
        body: newSource,
        response: { 201: sourceSchema },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, ...fields } = request.body;
      return reply.code(201).send(await addSource(deps, workspaceId, fields, byOf(request, why)));
    },
  );

  app.get(
    "/api/v1/sources/:source_id",
    {
      config: { scope: "read" },
      schema: { tags, summary: "One source", params, querystring, response: { 200: sourceSchema } },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const source = await showSource(sql, { workspaceId, sourceId: request.params.source_id });
      if (!source) throw notFound(request.params.source_id);
      return source;
    },
  );

  app.patch(
    "/api/v1/sources/:source_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Change a source; it is asked anew at once",
        description:
          "Another origin asks for the secret again. Another address or query of a source that has a secret, and naming a variable, need the scope `admin`.",
        params,
        querystring,
        body: sourceChanges,
        response: { 200: sourceSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, ...fields } = request.body;
      return changeSource(deps, workspaceId, request.params.source_id, fields, byOf(request, why));
    },
  );

  app.delete(
    "/api/v1/sources/:source_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Delete a source; what it posted stays",
        params,
        querystring: z.object(deletion),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, dry_run: dryRun } = request.query;
      await removeSource(deps, workspaceId, request.params.source_id, byOf(request, why), { dryRun });
      return reply.code(204).send();
    },
  );

  const switchRoute = (verb: string, enabled: boolean, summary: string) =>
    app.post(
      `/api/v1/sources/:source_id/${verb}`,
      {
        config: { scope: "operate" },
        schema: {
          tags,
          summary,
          params,
          querystring,
          body: z.strictObject({ reason: enabled ? reason.optional() : reason }),
          response: { 200: sourceSchema },
        },
      },
      async (request) => {
        const workspaceId = await workspaceOf(sql, request, request.query);
        const by = byOf(request, request.body.reason);
        return changeSource(deps, workspaceId, request.params.source_id, { enabled }, by);
      },
    );
  switchRoute("enable", true, "Ask a source again, beginning now");
  switchRoute("disable", false, "Stop asking a source");

  app.post(
    "/api/v1/sources/:source_id/items",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Hand over items that somebody else fetched, as if the source had listed them",
        params,
        querystring,
        body: givenItems,
        response: { 200: itemsReport },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      return takeItems(deps, workspaceId, request.params.source_id, request.body.items);
    },
  );

  app.post(
    "/api/v1/sources/:source_id/run",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Ask a source at once; a rehearsal shows what would be posted",
        params,
        querystring,
        body: z.strictObject({ dry_run: dryRun }),
        response: { 200: runReport },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { dry_run } = request.body;
      return { ...(await runSource(deps, workspaceId, request.params.source_id, { dryRun: dry_run })) };
    },
  );
}
