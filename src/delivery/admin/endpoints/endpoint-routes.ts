import { z } from "zod";
import { type App, problem } from "../../../http/index.ts";
import { flag, idOf, reason, workspaceRoutes } from "../../../workspaces/index.ts";
import { idColumns } from "../../id-columns.ts";
import {
  addEndpoint,
  addSigning,
  changeEndpoint,
  deleteEndpoint,
  type EndpointDeps,
  rotateEndpoint,
} from "./change-endpoints.ts";
import { endpointRunSchema, endpointRuns } from "./endpoint-runs.ts";
import {
  type Endpoint,
  endpointChanges,
  endpointFilter,
  endpointSchema,
  endpointWithSecret,
  newEndpoint,
  newSigning,
  rotation,
} from "./endpoint-shape.ts";
import { endpointPage, readEndpoint } from "./read-endpoints.ts";

const params = z.object({ endpoint_id: idOf(idColumns.endpoint) });

export function endpointRoutes(app: App, deps: EndpointDeps): void {
  const { sql } = deps;
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/endpoints", tag: "endpoints" });

  routes.list(
    "",
    {
      scope: "read",
      summary: "The doors of a workspace, oldest first, disabled ones included",
      query: { ...endpointFilter, enabled: flag.optional() },
      item: endpointSchema,
    },
    ({ workspaceId, query, page }) => endpointPage(sql, workspaceId, { ...query, ...page }),
  );
  routes.post(
    "",
    {
      scope: "write",
      summary: "Open a door; the answer is the only place that shows its secret",
      body: newEndpoint,
      answer: endpointWithSecret,
      status: 201,
    },
    ({ workspaceId, body, by, reply }) => {
      reply.header("cache-control", "no-store");
      return addEndpoint(deps, workspaceId, body, by);
    },
  );
  routes.get(
    "/:endpoint_id",
    { scope: "read", summary: "One endpoint", params, answer: endpointSchema },
    ({ workspaceId, params: { endpoint_id } }) => known(workspaceId, endpoint_id),
  );
  routes.list(
    "/:endpoint_id/runs",
    {
      scope: "read",
      summary: "What came through an endpoint, newest first: what was accepted, and what was dropped and why",
      params,
      item: endpointRunSchema,
    },
    async ({ workspaceId, params: { endpoint_id }, page }) =>
      endpointRuns(sql, workspaceId, (await known(workspaceId, endpoint_id)).address, page),
  );
  routes.patch(
    "/:endpoint_id",
    {
      scope: "write",
      summary: "Change an endpoint's name or limits",
      params,
      body: endpointChanges,
      answer: endpointSchema,
    },
    ({ workspaceId, params: { endpoint_id }, body, by }) =>
      changeEndpoint(deps, workspaceId, endpoint_id, body, by),
  );
  routes.delete(
    "/:endpoint_id",
    { scope: "write", summary: "Delete a closed door; what came through it stays", params },
    ({ workspaceId, params: { endpoint_id }, by, dryRun }) =>
      deleteEndpoint(deps, workspaceId, endpoint_id, by, { dryRun }),
  );
  routes.post(
    "/:endpoint_id/rotate",
    {
      scope: "write",
      summary: "Give an endpoint other secrets; the old ones work until the overlap ends",
      description:
        "The answer is the new endpoint. The old one stays in the list with `ends_at` and `last_used_at`; disabling it ends the overlap early.",
      params,
      body: rotation,
      answer: endpointWithSecret,
    },
    ({ workspaceId, params: { endpoint_id }, body, by, reply }) => {
      reply.header("cache-control", "no-store");
      return rotateEndpoint(deps, workspaceId, endpoint_id, body, by);
    },
  );
  routes.post(
    "/:endpoint_id/signing",
    {
      scope: "write",
      summary:
        "Let an endpoint take signed posts; the answer is the only place that shows the signing secret",
      params,
      body: newSigning,
      answer: endpointWithSecret,
    },
    ({ workspaceId, params: { endpoint_id }, body, by, reply }) => {
      reply.header("cache-control", "no-store");
      return addSigning(deps, workspaceId, endpoint_id, body, by);
    },
  );
  for (const [verb, enabled, summary] of [
    ["disable", false, "Close a door: its secret opens nothing until it is enabled again"],
    ["enable", true, "Open a closed door again with the secret it had"],
  ] as const)
    routes.post(
      `/:endpoint_id/${verb}`,
      { scope: "operate", summary, params, body: z.strictObject({ reason }), answer: endpointSchema },
      ({ workspaceId, params: { endpoint_id }, by }) =>
        changeEndpoint(deps, workspaceId, endpoint_id, { enabled }, by),
    );

  async function known(workspaceId: string, endpointId: string): Promise<Endpoint> {
    const endpoint = await readEndpoint(sql, workspaceId, endpointId);
    if (!endpoint) throw problem("not_found", { detail: `There is no endpoint ${endpointId}.` });
    return endpoint;
  }
}
