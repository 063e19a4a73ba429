import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { definitionOf } from "../../../platforms/index.ts";
import { type CredentialDeps, deleteCredential, workspaceRoutes } from "../../../workspaces/index.ts";
import { key, platform } from "../fields.ts";
import { credentialSchema, newSecret, setCredentialSchema } from "./credential-shape.ts";
import { credentialPage, setCredential } from "./credentials.ts";
import { secretOf } from "./given-secret.ts";

const params = z.object({ platform, auth_ref: key });

/** Secrets can be written here and are never returned. */
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
      summary:
        "Store a token or the fields of an account, encrypted, under the name that channels use; replaces the one before",
      params,
      body: newSecret,
      answer: setCredentialSchema,
    },
    ({ workspaceId, params, body: { token, fields, resume }, by }) => {
      const secret = secretOf(definitionOf(params.platform), { token, fields });
      return setCredential(deps, workspaceId, params, { token: secret }, by, { resume });
    },
  );
  routes.delete(
    "/:platform/:auth_ref",
    { scope: "admin", summary: "Forget a credential that no channel uses", params },
    ({ workspaceId, params, by, dryRun }) => deleteCredential(deps, workspaceId, params, by, { dryRun }),
  );
}
