import { z } from "zod";
import type { App } from "../../http/index.ts";
import { readAudit, readBranding } from "../audits/audits.ts";
import { auditSchema, brandingSchema } from "../audits/shape.ts";
import { person, personRoutes, readFor, whoseOf } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import { consequencesOf, type DeleteDeps, deleteDoomed } from "./delete.ts";
import { addProject, changeProject, projectPage, readProject } from "./projects.ts";
import { consequencesSchema, newProject, projectChanges, projectSchema } from "./shape.ts";

export function projectRoutes(app: App, deps: DeleteDeps): void {
  const { sql } = deps;
  const routes = personRoutes(app, deps);
  const params = z.object({ ...person, project_id: idText });
  routes.list(
    "/projects",
    {
      scope: "people",
      summary: "A person's projects, the newest first; each reading is recorded",
      params: z.object(person),
      item: projectSchema,
    },
    async (asked) => projectPage(sql, await readFor(deps, asked, "projects"), asked.page),
  );
  routes.get(
    "/projects/:project_id",
    { scope: "people", summary: "One project; each reading is recorded", params, answer: projectSchema },
    async (asked) => readProject(sql, await readFor(deps, asked, "project"), asked.params.project_id),
  );
  routes.post(
    "/projects",
    {
      ...{ scope: "write", summary: "Add a project", params: z.object(person), status: 201 },
      ...{ body: newProject, answer: projectSchema },
    },
    (asked) => addProject(deps, whoseOf(asked), asked.body, asked.by),
  );
  routes.patch(
    "/projects/:project_id",
    {
      ...{ scope: "write", summary: "Change fields of a project; null clears one", params },
      ...{ body: projectChanges, answer: projectSchema },
    },
    (asked) => changeProject(deps, whoseOf(asked), asked.params.project_id, asked.body, asked.by),
  );
  routes.get(
    "/projects/:project_id/consequences",
    {
      scope: "read",
      summary: "What a deletion of the project would take with it",
      params,
      answer: consequencesSchema,
    },
    (asked) => consequencesOf(sql, { whose: whoseOf(asked), projectId: asked.params.project_id }),
  );
  routes.delete(
    "/projects/:project_id",
    {
      scope: "write",
      summary: "Delete a project; tokens of its drafts go back, schedules and connections end",
      params,
    },
    async (asked) => {
      const doomed = { whose: whoseOf(asked), projectId: asked.params.project_id };
      await deleteDoomed(deps, doomed, { by: asked.by, dryRun: asked.dryRun });
    },
  );
  routes.get(
    "/projects/:project_id/site",
    {
      scope: "people",
      summary: "The last audit and the branding of the project's site; each reading is recorded",
      params,
      answer: z.object({ audit: auditSchema.nullable(), branding: brandingSchema.nullable() }),
    },
    async (asked) => {
      const whose = await readFor(deps, asked, "site");
      const { project_id } = asked.params;
      return {
        audit: (await readAudit(sql, whose, project_id)) ?? null,
        branding: (await readBranding(sql, whose, project_id)) ?? null,
      };
    },
  );
}
