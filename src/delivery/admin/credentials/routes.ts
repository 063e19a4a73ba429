import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { type CredentialDeps, deleteCredential, workspaceRoutes } from "../../../workspaces/index.ts";
import { key, platform } from "../fields.ts";
import { credentialPage, setCredential } from "./credentials.ts";
import { credentialSchema, newToken, setCredentialSchema } from "./shape.ts";

const params = z.object({ platform, auth_ref: key });

/** Secrets go in here and never come out. */
export function credentialRoutes(app: App, deps: CredentialDeps): void {
  const routes = workspaceRoutes(app, deps.sql, { under: "/api/v1/credentials", tag: "credentials" });

  routes.list(
    "",
    { scope: "admin", summary: "Which credentials there are; never their tokens", item: credentialSchema },
    ({ workspaceId, page }) => credentialPage(deps, workspaceId, page),
  );
  routes.put(
    "/:platform/:auth_ref",
    {
      scope: "admin",
      summary: "Store a token, encrypted, under the name that channels use; replaces the one before",
      params,
      body: newToken,
      answer: setCredentialSchema,
    },
    ({ workspaceId, params, body: { token, resume }, by }) =>
      setCredential(deps, workspaceId, params, { token }, by, { resume }),
  );
  routes.delete(
    "/:platform/:auth_ref",
    { scope: "admin", summary: "Forget a credential that no channel uses", params },
    ({ workspaceId, params, by, dryRun }) => deleteCredential(deps, workspaceId, params, by, { dryRun }),
  );
}
