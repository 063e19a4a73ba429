import { z } from "zod";
import {
  type App,
  type Caller,
  callerOf,
  createApiToken,
  lineOfText,
  listApiTokens,
  problem,
  type RouteModule,
  requireWorkspace,
  revokeApiToken,
  type Scope,
  scopeMeanings,
  scopes,
} from "../../http/index.ts";
import type { AdminDeps } from "../change/deps.ts";
import { pageOfAll, pageQuery, pageSchema } from "../requests/paging.ts";
import { listWorkspaces } from "../tenants/list-workspaces.ts";

const tags = ["tokens"];
const day = 24 * 60 * 60 * 1000;

const tokenSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  workspace_id: z.uuid().nullable().describe("null: every workspace"),
  created_at: z.date(),
  last_used_at: z.date().nullable().describe("Exact to a minute"),
  expires_at: z.date().nullable().describe("null: never"),
});

const newTokenSchema = z.strictObject({
  name: lineOfText({ min: 1, max: 100 }),
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .describe(scopes.map((scope) => `\`${scope}\`: ${scopeMeanings[scope]}`).join("; ")),
  workspace_id: z.uuid().nullish(),
  expires_in_days: z.int().min(1).max(3650).nullish(),
});

/** API tokens of machines: each is valid for one workspace or for all of them. */
export function tokenRoutes(deps: AdminDeps): RouteModule {
  return { name: "tokens", routes: (app) => routes(app, deps) };
}

function routes(app: App, { sql, clock }: AdminDeps): void {
  app.get(
    "/api/v1/tokens",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "API tokens that were not revoked, newest first",
        querystring: z.object(pageQuery),
        response: { 200: pageSchema(tokenSchema) },
      },
    },
    async (request) =>
      pageOfAll(await listApiTokens(sql, { workspaceId: callerOf(request).workspaceId }), request.query),
  );

  app.post(
    "/api/v1/tokens",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Make an API token; the answer is the only place that shows it",
        body: newTokenSchema,
        response: { 201: tokenSchema.extend({ token: z.string() }) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { name, scopes: wanted, expires_in_days: days } = request.body;
      const workspaceId = request.body.workspace_id ?? caller.workspaceId;
      refuseMoreThanOwn(caller, wanted);
      if (workspaceId) {
        requireWorkspace(request, workspaceId);
        if (!(await listWorkspaces(sql)).some(({ id }) => id === workspaceId)) throw unknownWorkspace();
      }
      const made = await createApiToken(sql, {
        name,
        scopes: wanted,
        workspaceId,
        createdBy: caller.kind === "operator" ? caller.id : caller.createdBy,
        expiresAt: days ? new Date(clock.now().getTime() + days * day) : null,
        clock,
      });
      request.log.info({ api_token: made.id, scopes: made.scopes, by: caller.id }, "an API token was made");
      return reply.code(201).header("cache-control", "no-store").send(made);
    },
  );

  app.delete(
    "/api/v1/tokens/:id",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Revoke an API token at once",
        params: z.object({ id: z.uuid() }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const caller = callerOf(request);
      const revoked = await revokeApiToken(sql, { id, workspaceId: caller.workspaceId, clock });
      if (!revoked)
        throw problem("not_found", { detail: "There is no such token, or it is revoked already." });
      request.log.info({ api_token: id, by: caller.id }, "an API token was revoked");
      return reply.code(204).send();
    },
  );
}

/** A token must not create a token with more scopes. */
function refuseMoreThanOwn(caller: Caller, wanted: readonly Scope[]): void {
  const missing = wanted.filter((scope) => !caller.scopes.includes(scope));
  if (missing.length === 0) return;
  throw problem("scope_missing", {
    detail: `A token cannot give what it does not have: ${missing.join(", ")}.`,
  });
}

function unknownWorkspace() {
  const detail = "There is no such workspace.";
  return problem("unprocessable", { detail, errors: [{ pointer: "/workspace_id", detail }] });
}
