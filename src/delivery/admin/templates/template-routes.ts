import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { type AdminDeps, reason, workspaceRoutes } from "../../../workspaces/index.ts";
import { activateVersion, removeTemplate, saveTemplateVersion } from "./change-templates.ts";
import { readTemplate, templatePage, templateVersions } from "./read-templates.ts";
import { newVersion, templateId, templateSchema } from "./template-shape.ts";

const params = z.object({ template_id: templateId });

export function templateRoutes(app: App, deps: AdminDeps): void {
  const { sql } = deps;
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/templates", tag: "templates" });

  routes.list(
    "",
    {
      scope: "read",
      summary: "Templates by name, each as its active version, or its newest when none is active",
      item: templateSchema,
    },
    ({ workspaceId, page }) => templatePage(sql, workspaceId, page),
  );
  routes.post(
    "",
    {
      scope: "write",
      summary: "Store a version of a template; earlier ones stay",
      body: newVersion,
      answer: templateSchema,
      status: 201,
    },
    ({ workspaceId, body, by }) => saveTemplateVersion(deps, workspaceId, body, by),
  );
  routes.get(
    "/:template_id",
    {
      scope: "read",
      summary: "A template with all its versions, newest first",
      params,
      answer: templateSchema.extend({ versions: z.array(templateSchema) }),
    },
    async ({ workspaceId, params: { template_id } }) => ({
      ...(await readTemplate(sql, workspaceId, template_id)),
      versions: await templateVersions(sql, workspaceId, template_id),
    }),
  );
  routes.post(
    "/:template_id/activate",
    {
      scope: "write",
      summary: "Write the posts that come from now on by this version",
      params,
      body: z.strictObject({ version: z.int().min(1), reason: reason.optional() }),
      answer: templateSchema,
    },
    ({ workspaceId, params: { template_id }, body, by }) =>
      activateVersion(deps, workspaceId, template_id, body.version, by),
  );
  routes.delete(
    "/:template_id",
    {
      scope: "write",
      summary: "Delete a template that no channel is written by, with all its versions",
      params,
    },
    ({ workspaceId, params: { template_id }, by, dryRun }) =>
      removeTemplate(deps, workspaceId, template_id, by, { dryRun }),
  );
}
