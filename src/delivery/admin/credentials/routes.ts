import { z } from "zod";
import type { App } from "../../../http/index.ts";
import {
  byOf,
  type CredentialDeps,
  deleteCredential,
  deletion,
  inWorkspace,
  pageQuery,
  pageSchema,
  workspaceOf,
} from "../../../workspaces/index.ts";
import { key, platform } from "../fields.ts";
import { credentialPage, setCredential } from "./credentials.ts";
import { credentialSchema, newToken, setCredentialSchema } from "./shape.ts";

const tags = ["credentials"];
const params = z.object({ platform, auth_ref: key });
const querystring = z.object(inWorkspace);

/** Secrets go in here and never come out. */
export function credentialRoutes(app: App, deps: CredentialDeps): void {
  const { sql } = deps;

  app.get(
    "/api/v1/credentials",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Which credentials there are; never their tokens",
        querystring: z.object({ ...inWorkspace, ...pageQuery }),
        response: { 200: pageSchema(credentialSchema) },
      },
    },
    async (request) => credentialPage(deps, await workspaceOf(sql, request, request.query), request.query),
  );

  app.put(
    "/api/v1/credentials/:platform/:auth_ref",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Store a token, encrypted, under the name that channels use; replaces the one before",
        params,
        querystring,
        body: newToken,
        response: { 200: setCredentialSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { token, resume, reason: why } = request.body;
      return setCredential(deps, workspaceId, request.params, { token }, byOf(request, why), { resume });
    },
  );

  app.delete(
    "/api/v1/credentials/:platform/:auth_ref",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Forget a credential that no channel uses",
        params,
        querystring: z.object(deletion),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, dry_run: dryRun } = request.query;
      await deleteCredential(deps, workspaceId, request.params, byOf(request, why), { dryRun });
      return reply.code(204).send();
    },
  );
}
