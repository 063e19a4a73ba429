import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { flag } from "../../../workspaces/index.ts";
import { archiveObject } from "../../objects/archive-object.ts";
import {
  importedObjects,
  importReport,
  newObject,
  objectChanges,
  objectSchema,
} from "../../objects/object-schema.ts";
import { addObject, changeObject, importObjects, objectPage, readObject } from "../../objects/objects.ts";
import { lifeSchema, objectLife } from "../../read/object-life.ts";
import { objectReadiness, readinessSchema } from "../../read/readiness.ts";
import { whoOf } from "../access.ts";
import { type AccountRoutesDeps, ownersRoutes, ofObject as params, why } from "./owners-routes.ts";

export function objectRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;
  const routes = ownersRoutes(app, sql);

  routes.list(
    "/objects",
    {
      scope: "read",
      summary: "Objects, newest first",
      query: {
        archived: flag.optional().describe("true: only archived ones"),
        text: z.string().max(200).optional().describe("Part of the title or reference"),
      },
      item: objectSchema,
    },
    ({ workspaceId, query, page, request }) =>
      objectPage(sql, workspaceId, whoOf(request), { ...query, ...page }),
  );
  routes.post(
    "/objects",
    {
      scope: "write",
      summary: "Add an object",
      body: newObject.extend(why),
      answer: objectSchema,
      status: 201,
    },
    ({ workspaceId, body, by, request }) => addObject(deps, workspaceId, body, whoOf(request, by.reason)),
  );
  routes.post(
    "/objects/import",
    {
      scope: "write",
      summary: "Add and update objects by their `external_ref`: all of them, or none",
      body: importedObjects.safeExtend(why),
      answer: importReport,
    },
    ({ workspaceId, body, by, request }) => importObjects(deps, workspaceId, body, whoOf(request, by.reason)),
  );
  routes.get(
    "/objects/:object_id",
    { scope: "read", summary: "One object", params, answer: objectSchema },
    ({ workspaceId, params: { object_id }, request }) =>
      readObject(sql, workspaceId, object_id, whoOf(request)),
  );
  routes.patch(
    "/objects/:object_id",
    {
      scope: "write",
      summary: "Change an object; later publications use the new text",
      params,
      body: objectChanges.extend(why),
      answer: objectSchema,
    },
    ({ workspaceId, params: { object_id }, body, by, request }) =>
      changeObject(deps, workspaceId, object_id, body, whoOf(request, by.reason)),
  );
  for (const [verb, archived, summary] of [
    ["archive", true, "Archive an object and cancel its pending tasks"],
    ["restore", false, "Restore an object from the archive"],
  ] as const)
    routes.post(
      `/objects/:object_id/${verb}`,
      { scope: "write", summary, params, query: why, answer: objectSchema },
      ({ workspaceId, params: { object_id }, query, request }) =>
        archiveObject(deps, workspaceId, object_id, archived, whoOf(request, query.reason)),
    );
  routes.get(
    "/objects/:object_id/readiness",
    {
      scope: "read",
      summary: "Whether accounts can publish it, and why not",
      params,
      answer: readinessSchema,
    },
    ({ workspaceId, params: { object_id }, request }) =>
      objectReadiness(sql, workspaceId, object_id, whoOf(request)),
  );
  routes.get(
    "/objects/:object_id/life",
    {
      scope: "read",
      summary: "The object's configuration, tasks and history, with a summary",
      params,
      answer: lifeSchema,
    },
    ({ workspaceId, params: { object_id }, request }) =>
      objectLife(deps, workspaceId, object_id, whoOf(request)),
  );
}
