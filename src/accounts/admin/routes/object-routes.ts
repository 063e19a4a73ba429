import { z } from "zod";
import { type App, idText } from "../../../http/index.ts";
import { countUpTo, pageSchema } from "../../../workspaces/index.ts";
import { archiveObject } from "../../objects/archive.ts";
import { addObject, changeObject, importObjects, objectPage, readObject } from "../../objects/objects.ts";
import {
  importedObjects,
  importReport,
  newObject,
  objectChanges,
  objectSchema,
} from "../../objects/shape.ts";
import { lifeSchema, objectLife } from "../../read/life.ts";
import { objectReadiness, readinessSchema } from "../../read/readiness.ts";
import type { AccountRoutesDeps } from "./deps.ts";
import { asked, flag, querystring, why } from "./request.ts";

const tags = ["accounts"];
const params = z.object({ object_id: idText });

/** What is published. */
export function objectRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;

  app.get(
    "/api/v1/accounts/objects",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Objects, the newest first",
        querystring: querystring.extend({
          archived: flag.optional().describe("true: only archived ones"),
          text: z.string().max(200).optional().describe("A part of the title or of the reference"),
          limit: countUpTo(200).optional(),
          after: z.uuid().optional(),
        }),
        response: { 200: pageSchema(objectSchema) },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return objectPage(sql, workspaceId, who, request.query);
    },
  );

  app.post(
    "/api/v1/accounts/objects",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Add an object",
        querystring,
        body: newObject.extend({ reason: why }),
        response: { 201: objectSchema },
      },
    },
    async (request, reply) => {
      const { reason, ...object } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      return reply.code(201).send(await addObject(deps, workspaceId, object, who));
    },
  );

  app.post(
    "/api/v1/accounts/objects/import",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Add and update objects by their `external_ref`: all of them, or none",
        querystring,
        body: importedObjects.safeExtend({ reason: why }),
        response: { 200: importReport },
      },
    },
    async (request) => {
      const { reason, objects } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      return importObjects(deps, workspaceId, { objects }, who);
    },
  );

  app.get(
    "/api/v1/accounts/objects/:object_id",
    {
      config: { scope: "read" },
      schema: { tags, summary: "One object", params, querystring, response: { 200: objectSchema } },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return readObject(sql, workspaceId, request.params.object_id, who);
    },
  );

  app.patch(
    "/api/v1/accounts/objects/:object_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Change an object; what is published from now on has the new text",
        params,
        querystring,
        body: objectChanges.extend({ reason: why }),
        response: { 200: objectSchema },
      },
    },
    async (request) => {
      const { reason, ...changes } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      return changeObject(deps, workspaceId, request.params.object_id, changes, who);
    },
  );

  for (const [verb, archived, summary] of [
    ["archive", true, "Archive an object and call off what waits of it"],
    ["restore", false, "Take an object out of the archive"],
  ] as const)
    app.post(
      `/api/v1/accounts/objects/:object_id/${verb}`,
      {
        config: { scope: "write" },
        schema: {
          tags,
          summary,
          params,
          querystring: querystring.extend({ reason: why }),
          response: { 200: objectSchema },
        },
      },
      async (request) => {
        const { workspaceId, who } = await asked(sql, request, request.query.reason);
        return archiveObject(deps, workspaceId, request.params.object_id, archived, who);
      },
    );

  app.get(
    "/api/v1/accounts/objects/:object_id/readiness",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Why accounts publish it, or do not",
        params,
        querystring,
        response: { 200: readinessSchema },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return objectReadiness(sql, workspaceId, request.params.object_id, who);
    },
  );

  app.get(
    "/api/v1/accounts/objects/:object_id/life",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "The object's life: configuration, tasks, history, and a verdict",
        params,
        querystring,
        response: { 200: lifeSchema },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return objectLife(deps, workspaceId, request.params.object_id, who);
    },
  );
}
