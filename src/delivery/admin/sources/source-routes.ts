import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { dryRun, pageOfAll, reason, type SecretDeps, workspaceRoutes } from "../../../workspaces/index.ts";
import { listSources, type PullDeps, showSource, sourceRuns } from "../../pull/index.ts";
import { addSource, changeSource, notFound, removeSource } from "./change-sources.ts";
import { runSource } from "./run-source.ts";
import {
  newSource,
  runReport,
  sourceChanges,
  sourceId,
  sourceRunSchema,
  sourceSchema,
  triedSource,
} from "./source-shape.ts";
import { givenItems, itemsReport, takeItems } from "./take-items.ts";
import { trySource } from "./try-source.ts";

const params = z.object({ source_id: sourceId });

export function sourceRoutes(app: App, deps: SecretDeps & PullDeps): void {
  const { sql } = deps;
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/sources", tag: "sources" });

  routes.list(
    "",
    {
      scope: "read",
      summary: "Sources that are asked, by name, and how their last runs went",
      item: sourceSchema,
    },
    async ({ workspaceId, page }) => pageOfAll(await listSources(sql, workspaceId), page),
  );
  routes.post(
    "",
    {
      scope: "write",
      summary: "Add a source; its first run comes at once",
      description: "`secret_variable` needs the scope `admin`.",
      body: newSource,
      answer: sourceSchema,
      status: 201,
    },
    ({ workspaceId, body, by }) => addSource(deps, workspaceId, body, by),
  );
  routes.get(
    "/:source_id",
    { scope: "read", summary: "One source", params, answer: sourceSchema },
    async ({ workspaceId, params: { source_id: sourceId } }) => {
      const source = await showSource(sql, { workspaceId, sourceId });
      if (!source) throw notFound(sourceId);
      return source;
    },
  );
  routes.patch(
    "/:source_id",
    {
      scope: "write",
      summary: "Change a source; it is asked anew at once",
      description:
        "Another origin asks for the secret again. Another address or query of a source that has a secret, and naming a variable, need the scope `admin`.",
      params,
      body: sourceChanges,
      answer: sourceSchema,
    },
    ({ workspaceId, params: { source_id }, body, by }) =>
      changeSource(deps, workspaceId, source_id, body, by),
  );
  routes.delete(
    "/:source_id",
    { scope: "write", summary: "Delete a source; what it posted stays", params },
    ({ workspaceId, params: { source_id }, by, dryRun }) =>
      removeSource(deps, workspaceId, source_id, by, { dryRun }),
  );
  routes.post(
    "/rehearse",
    {
      scope: "write",
      summary: "What a source would post, before it is saved; nothing is stored",
      body: triedSource,
      answer: runReport,
    },
    async ({ workspaceId, body }) => ({ ...(await trySource(deps, workspaceId, body)) }),
  );
  routes.list(
    "/:source_id/runs",
    {
      scope: "read",
      summary: "Runs of a source, the newest first, with what was refused and why",
      params,
      item: sourceRunSchema,
    },
    async ({ workspaceId, params: { source_id: sourceId }, page }) => {
      const name = { workspaceId, sourceId };
      if (!(await showSource(sql, name))) throw notFound(sourceId);
      return sourceRuns(sql, name, page);
    },
  );
  for (const [verb, enabled, why, summary] of [
    ["enable", true, reason.optional(), "Ask a source again, beginning now"],
    ["disable", false, reason, "Stop asking a source"],
  ] as const)
    routes.post(
      `/:source_id/${verb}`,
      { scope: "operate", summary, params, body: z.strictObject({ reason: why }), answer: sourceSchema },
      ({ workspaceId, params: { source_id }, by }) =>
        changeSource(deps, workspaceId, source_id, { enabled }, by),
    );
  routes.post(
    "/:source_id/items",
    {
      scope: "write",
      summary: "Hand over items that somebody else fetched, as if the source had listed them",
      params,
      body: givenItems,
      answer: itemsReport,
    },
    ({ workspaceId, params: { source_id }, body }) => takeItems(deps, workspaceId, source_id, body.items),
  );
  routes.post(
    "/:source_id/run",
    {
      scope: "operate",
      summary: "Ask a source at once; a rehearsal shows what would be posted",
      params,
      body: z.strictObject({ dry_run: dryRun }),
      answer: runReport,
    },
    async ({ workspaceId, params: { source_id }, dryRun }) => ({
      ...(await runSource(deps, workspaceId, source_id, { dryRun })),
    }),
  );
}
