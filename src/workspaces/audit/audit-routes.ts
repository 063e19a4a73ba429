import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import {
  exportAudit,
  exportFormats,
  installationChain,
  noteAudit,
  verdictSchema,
  verifyAudit,
} from "../../audit/index.ts";
import {
  type App,
  callerOf,
  coversInstallation,
  type RouteModule,
  requireInstallation,
  requireWorkspace,
} from "../../http/index.ts";
import type { Vault } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { AdminDeps } from "../change/deps.ts";
import { pageQuery, pageSchema } from "../requests/paging.ts";
import { workspaceOf } from "../requests/request.ts";
import { auditEntrySchema, auditPage } from "./audit-page.ts";

export interface AuditRouteDeps extends AdminDeps {
  readonly vault: Vault;
}

const tags = ["audit"];
const config = { scope: "admin", about: "workspace" } as const;
/** PostgreSQL has no year 0, and nothing here is older than the Unix epoch. */
const moment = z.iso
  .datetime({ offset: true })
  .refine((text) => !(Date.parse(text) < 0), "A time after 1970 is needed")
  .transform((text) => new Date(text));

/** Which chains: a caller who is bound to a workspace sees its own only. */
const ofChain = {
  workspace_id: z
    .union([z.uuid(), z.literal("installation")])
    .optional()
    .describe(
      "Of one workspace, also of a deleted one, or `installation`; else everything if the caller administers the installation, else the caller's own workspace",
    ),
};

const listQuery = z.object({
  ...ofChain,
  ...pageQuery,
  action: z.string().max(100).optional().describe("Such as `signin.refused` or `config_changed`"),
  actor: z
    .string()
    .max(200)
    .optional()
    .describe("The id of an operator or a token, or a kind such as `command`"),
  since: moment.optional(),
  until: moment.optional(),
});

/** The audit for administrators: read, exported and verified; nothing here changes or shortens it. */
export function auditRoutes(deps: AuditRouteDeps): RouteModule {
  return { name: "audit", routes: (app) => routes(app, deps) };
}

function routes(app: App, { sql, clock, vault }: AuditRouteDeps): void {
  app.get(
    "/api/v1/audit",
    {
      config,
      schema: {
        tags,
        summary: "Who signed in, changed something or read personal data, newest first",
        querystring: listQuery,
        response: { 200: pageSchema(auditEntrySchema) },
      },
    },
    async (request) => {
      const { workspace_id: _, ...query } = request.query;
      return auditPage(sql, { ...query, chainId: await chainOf(sql, request, request.query) });
    },
  );

  app.get(
    "/api/v1/audit/export",
    {
      config,
      schema: {
        tags,
        summary:
          "The audit as application/x-ndjson, signed: `molva audit verify <file>` checks it anywhere; or as CSV",
        querystring: z.object({ ...ofChain, format: z.enum(exportFormats).optional() }),
      },
    },
    async (request, reply) => {
      const { format = "jsonl" } = request.query;
      const chainId = await chainOf(sql, request, request.query);
      const { kind, id } = callerOf(request);
      await noteAudit(
        sql,
        {
          workspaceId: chainId === undefined || chainId === installationChain ? null : chainId,
          actor: { kind, id },
          action: "audit.exported",
          result: "ok",
          address: request.ip,
          meta: { format },
        },
        clock.now(),
      );
      return reply
        .header("cache-control", "no-store")
        .header("content-disposition", `attachment; filename="molva-audit.${format}"`)
        .header("x-content-type-options", "nosniff")
        .type(format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson")
        .send(Readable.from(exportAudit({ sql, vault, clock }, format, chainId)));
    },
  );

  app.get(
    "/api/v1/audit/verify",
    {
      config,
      schema: {
        tags,
        summary: "Whether the audit is whole and unchanged, and where it is not",
        querystring: z.object(ofChain),
        response: { 200: verdictSchema },
      },
    },
    async (request) => {
      const chainId = await chainOf(sql, request, request.query);
      const { acceptedNames: _, ...verdict } = await verifyAudit(sql, { vault }, { chainId });
      return verdict;
    },
  );
}

/** The chain that is asked for; undefined for all, which only a caller whose rights cover the installation may see. */
async function chainOf(
  sql: Sql,
  request: FastifyRequest,
  { workspace_id: asked }: { workspace_id?: string | undefined },
): Promise<string | undefined> {
  if (asked === "installation") {
    requireInstallation(request);
    return installationChain;
  }
  if (asked === undefined && coversInstallation(callerOf(request))) return undefined;
  const chainId = asked ?? (await workspaceOf(sql, request, {}));
  requireWorkspace(request, chainId);
  return chainId;
}
