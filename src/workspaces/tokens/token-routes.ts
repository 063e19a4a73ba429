import type { FastifyRequest } from "fastify";
import { z } from "zod";
import {
  type ApiToken,
  type App,
  auditRequest,
  callerOf,
  createApiToken,
  lineOfText,
  listApiTokens,
  networkList,
  problem,
  type RouteModule,
  readApiToken,
  requireInstallation,
  requireWorkspace,
  revokeApiToken,
  scopeMeanings,
  scopes,
  setTokenNetworks,
  workspacesWith,
} from "../../http/index.ts";
import type { Transaction } from "../../kernel/db/index.ts";
import type { AdminDeps } from "../change/deps.ts";
import { pageOfAll, pageQuery, pageSchema } from "../requests/paging.ts";
import { listWorkspaces } from "../tenants/list-workspaces.ts";
import { daysAfter, networksBeyond, termsFor, tokenLife } from "./token-limits.ts";

const tags = ["tokens"];

const tokenSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  workspace_id: z.uuid().nullable().describe("null: every workspace"),
  created_by: z
    .uuid()
    .nullable()
    .describe("The operator who made it, whose rights it never exceeds; null: made at the command line"),
  made_by: z
    .object({ kind: z.enum(["operator", "token"]), name: z.string() })
    .nullable()
    .describe("The token that it was made with, else the operator, by their present names"),
  created_at: z.date(),
  last_used_at: z.date().nullable().describe("Exact to a minute"),
  expires_at: z.date().nullable().describe("null: never"),
  networks: z.array(z.string()).describe("From which it works; empty: from everywhere"),
});

const newTokenSchema = z
  .strictObject({
    name: lineOfText({ min: 1, max: 100 }),
    scopes: z
      .array(z.enum(scopes))
      .min(1)
      .describe(scopes.map((scope) => `\`${scope}\`: ${scopeMeanings[scope]}`).join("; ")),
    workspace_id: z.uuid().nullish().describe("Needed by who administers several workspaces, but not all"),
    expires_in_days: z.int().min(1).max(3650).optional(),
    expires_at: z.iso
      .datetime({ offset: true })
      .transform((text) => new Date(text))
      .nullish()
      .describe(
        `${tokenLife.usualDays} days from now unless given; null: never, for administrators of the installation`,
      ),
    networks: networkList.optional(),
  })
  .refine(({ expires_in_days, expires_at }) => expires_in_days === undefined || expires_at === undefined, {
    message: "Give expires_at or expires_in_days, not both",
    path: ["expires_at"],
  });
type NewToken = z.output<typeof newTokenSchema>;

/** API tokens of machines: each is valid for one workspace or for all of them. */
export function tokenRoutes(deps: AdminDeps): RouteModule {
  return { name: "tokens", routes: (app) => routes(app, deps) };
}

function routes(app: App, { sql, clock }: AdminDeps): void {
  const config = { scope: "admin", about: "workspace" } as const;
  const params = z.object({ id: z.uuid() });

  app.get(
    "/api/v1/tokens",
    {
      config,
      schema: {
        tags,
        summary: "API tokens that were not revoked, newest first",
        querystring: z.object(pageQuery),
        response: { 200: pageSchema(tokenSchema) },
      },
    },
    async (request) =>
      pageOfAll(
        await listApiTokens(sql, { workspaces: workspacesWith(callerOf(request), "admin") }),
        request.query,
      ),
  );

  app.post(
    "/api/v1/tokens",
    {
      config,
      schema: {
        tags,
        summary:
          "Make an API token, never stronger than the caller; the answer is the only place that shows it",
        body: newTokenSchema,
        response: { 201: tokenSchema.extend({ token: z.string() }) },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceFor(request, request.body);
      const caller = callerOf(request);
      const { name, scopes: wanted, networks } = request.body;
      const now = clock.now();
      const terms = termsFor(caller, { scopes: wanted, expiresAt: endOf(request.body, now), networks }, now);
      if (terms.kind === "refused")
        throw problem(terms.code, {
          detail: terms.reason,
          errors: [{ pointer: terms.pointer, detail: terms.reason }],
        });
      const made = await sql.begin(async (tx) => {
        const token = await createApiToken(tx, {
          ...{ name, scopes: wanted, workspaceId, clock },
          ...{ expiresAt: terms.expiresAt, networks: terms.networks },
          createdBy: caller.kind === "operator" ? caller.id : caller.createdBy,
          madeByToken: caller.kind === "token" ? caller.id : null,
        });
        const { scopes: given, expires_at } = token;
        await note(tx, request, "token.created", token, { scopes: given, expires_at });
        return token;
      });
      request.log.info({ api_token: made.id, scopes: made.scopes, by: caller.id }, "an API token was made");
      return reply.code(201).header("cache-control", "no-store").send(made);
    },
  );

  app.patch(
    "/api/v1/tokens/:id",
    {
      config,
      schema: {
        tags,
        summary: "Change the networks from which an API token works",
        params,
        body: z.strictObject({ networks: networkList }),
        response: { 200: tokenSchema },
      },
    },
    async (request) => {
      const token = await known(request, request.params.id);
      const caller = callerOf(request);
      const { networks } = request.body;
      const beyond = caller.kind === "token" && networksBeyond(caller.reach, networks);
      if (beyond) throw problem("token_too_strong", { detail: beyond });
      await sql.begin(async (tx) => {
        await setTokenNetworks(tx, token.id, networks);
        await note(tx, request, "token.networks_changed", token, { from: token.networks, to: networks });
      });
      return { ...token, networks };
    },
  );

  app.delete(
    "/api/v1/tokens/:id",
    {
      config,
      schema: {
        tags,
        summary: "Revoke an API token at once, and those made with it",
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const token = await known(request, request.params.id);
      await sql.begin(async (tx) => {
        const revoked = await revokeApiToken(tx, { id: token.id, clock });
        if (revoked === 0) throw unknownToken();
        await note(tx, request, "token.revoked", token, { revoked });
      });
      request.log.info({ api_token: token.id, by: callerOf(request).id }, "an API token was revoked");
      return reply.code(204).send();
    },
  );

  /** The workspace of a new token, in which the caller is an admin; null: all of them. */
  async function workspaceFor(request: FastifyRequest, { workspace_id }: NewToken): Promise<string | null> {
    const own = workspacesWith(callerOf(request), "admin");
    const workspaceId = workspace_id ?? (own?.length === 1 ? (own[0] ?? null) : null);
    if (workspaceId === null) {
      if (own && own.length > 1) throw refusedWorkspace("Say for which of your workspaces.");
      requireInstallation(request);
      return null;
    }
    requireWorkspace(request, workspaceId);
    if (!(await listWorkspaces(sql)).some(({ id }) => id === workspaceId))
      throw refusedWorkspace("There is no such workspace.");
    return workspaceId;
  }

  async function known(request: FastifyRequest, id: string): Promise<ApiToken> {
    const found = await readApiToken(sql, { id, workspaces: workspacesWith(callerOf(request), "admin") });
    if (!found) throw unknownToken();
    return found;
  }

  async function note(
    tx: Transaction,
    request: FastifyRequest,
    action: string,
    { id, name, workspace_id: workspaceId }: ApiToken,
    details: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const subject = { kind: "token", id };
    const entry = { workspaceId, action, subject, meta: { name, ...details } };
    await auditRequest({ sql: tx, clock }, request, entry);
  }
}

function endOf({ expires_at, expires_in_days: days }: NewToken, now: Date): Date | null | undefined {
  return days === undefined ? expires_at : daysAfter(now, days);
}

function unknownToken() {
  return problem("not_found", { detail: "There is no such token, or it is revoked already." });
}

function refusedWorkspace(detail: string) {
  return problem("unprocessable", { detail, errors: [{ pointer: "/workspace_id", detail }] });
}
