import { z } from "zod";
import type { App } from "../../http/index.ts";
import type { SeoDeps } from "../parts.ts";
import { person, personRoutes, readFor, whoseOf } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import { connectPlatform, reconnectPlatform, removeConnection } from "./connect.ts";
import { checkConnection, connectionPage, readConnection } from "./connections.ts";
import { connectionCheckSchema, connectionSchema, newConnection, renewedConnection } from "./shape.ts";
import { changeSiteMetadata, siteMetadataChanges } from "./site-metadata.ts";

export function connectionRoutes(app: App, deps: SeoDeps): void {
  const { sql } = deps;
  const routes = personRoutes(app, deps);
  const params = z.object({ ...person, connection_id: idText });
  const ofProject = z.object({ ...person, project_id: idText });
  routes.list(
    "/projects/:project_id/connections",
    {
      scope: "people",
      summary: "The connections of a project, the newest first; each reading is recorded",
      params: ofProject,
      item: connectionSchema,
    },
    async (asked) =>
      connectionPage(sql, await readFor(deps, asked, "connections"), asked.params.project_id, asked.page),
  );
  routes.post(
    "/projects/:project_id/connections",
    {
      scope: "admin",
      summary: "Connect a project to a platform; the platform is asked first",
      params: ofProject,
      status: 201,
      body: newConnection,
      answer: connectionSchema,
    },
    (asked) => connectPlatform(deps, whoseOf(asked), asked.params.project_id, asked.body, asked.by),
  );
  routes.get(
    "/connections/:connection_id",
    {
      scope: "people",
      summary: "One connection; each reading is recorded",
      params,
      answer: connectionSchema,
    },
    async (asked) =>
      readConnection(sql, await readFor(deps, asked, "connection"), asked.params.connection_id),
  );
  routes.post(
    "/connections/:connection_id/check",
    {
      scope: "operate",
      summary: "Ask the platform whether the connection may publish; nothing is posted",
      params,
      answer: connectionCheckSchema,
    },
    (asked) => checkConnection(deps, whoseOf(asked), asked.params.connection_id),
  );
  routes.put(
    "/connections/:connection_id/account",
    {
      scope: "admin",
      summary: "Give a connection another account, and take it up again",
      params,
      body: renewedConnection,
      answer: connectionSchema,
    },
    (asked) =>
      reconnectPlatform(deps, whoseOf(asked), asked.params.connection_id, asked.body.fields, asked.by),
  );
  routes.patch(
    "/connections/:connection_id/metadata",
    {
      scope: "write",
      summary: "Change how a WordPress site publishes: labels, links, canonical, robots, type of schema.org",
      params,
      body: siteMetadataChanges,
      answer: connectionSchema,
    },
    (asked) => changeSiteMetadata(deps, whoseOf(asked), asked.params.connection_id, asked.body, asked.by),
  );
  routes.delete(
    "/connections/:connection_id",
    { scope: "write", summary: "Remove a connection; what was published stays", params },
    ({ dryRun, ...asked }) => removeConnection(deps, whoseOf(asked), asked.params.connection_id, { dryRun }),
  );
}
