import { z } from "zod";
import type { App } from "../../../http/index.ts";
import {
  type AdminDeps,
  byOf,
  deletion,
  inWorkspace,
  pageQuery,
  pageSchema,
  reason,
  workspaceOf,
} from "../../../workspaces/index.ts";
import { readTemplate, templatePage, templateVersions } from "./read.ts";
import { newVersion, templateId, templateSchema } from "./shape.ts";
import { activateVersion, removeTemplate, saveTemplateVersion } from "./write.ts";

const tags = ["templates"];
const params = z.object({ template_id: templateId });
const querystring = z.object(inWorkspace);
const version = z.int().min(1);

export function templateRoutes(app: App, deps: AdminDeps): void {
  const { sql } = deps;

  app.get(
    "/api/v1/templates",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Templates by name, each as its active version, or its newest when none is active",
        querystring: z.object({ ...inWorkspace, ...pageQuery }),
        response: { 200: pageSchema(templateSchema) },
      },
    },
    async (request) => templatePage(sql, await workspaceOf(sql, request, request.query), request.query),
  );

  app.post(
    "/api/v1/templates",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Store a version of a template; earlier ones stay",
        querystring,
        body: newVersion,
        response: { 201: templateSchema },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, ...given } = request.body;
      return reply.code(201).send(await saveTemplateVersion(deps, workspaceId, given, byOf(request, why)));
    },
  );

  app.get(
    "/api/v1/templates/:template_id",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "A template with all its versions, newest first",
        params,
        querystring,
        response: { 200: templateSchema.extend({ versions: z.array(templateSchema) }) },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const templateId = request.params.template_id;
      const current = await readTemplate(sql, workspaceId, templateId);
      return { ...current, versions: await templateVersions(sql, workspaceId, templateId) };
    },
  );

  app.post(
    "/api/v1/templates/:template_id/activate",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Write the posts that come from now on by this version",
        params,
        querystring,
        body: z.strictObject({ version, reason: reason.optional() }),
        response: { 200: templateSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { version, reason: why } = request.body;
      return activateVersion(deps, workspaceId, request.params.template_id, version, byOf(request, why));
    },
  );

  app.delete(
    "/api/v1/templates/:template_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Delete a template that no channel is written by, with all its versions",
        params,
        querystring: z.object(deletion),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, dry_run: dryRun } = request.query;
      const by = byOf(request, why);
      await removeTemplate(deps, workspaceId, request.params.template_id, by, { dryRun });
      return reply.code(204).send();
    },
  );
}
