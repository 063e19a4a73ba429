/** Finds uses of secrets that are printed in Molva's documents, and says how to replace them. */

import { endpointsWithPublishedSecrets, type PublishedEndpoint } from "../delivery/index.ts";
import { isPublished } from "../kernel/crypto/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { UserError } from "../terminal/index.ts";
import type { Credentials } from "../workspaces/index.ts";

/** Production does not start while published secrets are in use. */
export async function refusePublishedSecrets(sql: Sql): Promise<void> {
  const doors = await endpointsWithPublishedSecrets(sql);
  if (doors.length === 0) return;
  throw new UserError(
    [
      "The database was used by the demo and keeps secrets that anybody can read in Molva's documents. Production does not start with them:",
      ...doors.map(describeDoor),
    ].join("\n  "),
  );
}

/** Every endpoint and credential with a published secret, a line each. */
export async function findPublishedSecrets(
  sql: Sql,
  credentials: Pick<Credentials, "token">,
): Promise<string[]> {
  const doors = await endpointsWithPublishedSecrets(sql);
  return [...doors.map(describeDoor), ...(await publishedTokens(sql, credentials))];
}

function describeDoor({ endpoint_id, kind, name, workspace }: PublishedEndpoint): string {
  const where = `--workspace '${workspace}'`;
  const close = `\`molva endpoint disable ${endpoint_id} ${where} --reason published\``;
  const renew =
    kind === "bot_webhook"
      ? `\`molva bot subscribe --new-secret ${where}\``
      : `\`molva endpoint rotate ${endpoint_id} ${where} --overlap 0 --reason published\``;
  return `endpoint “${name ?? endpoint_id}” of “${workspace}”: ${renew}, or ${close}`;
}

async function publishedTokens(sql: Sql, credentials: Pick<Credentials, "token">): Promise<string[]> {
  const bindings = await sql<
    { workspace_id: string; workspace: string; platform: string; auth_ref: string; secret_ref: string }[]
  >`
    select b.workspace_id, w.name as workspace, b.platform, b.auth_ref, b.secret_ref
    from workspaces.credential_bindings b join workspaces.workspaces w using (workspace_id)
    order by w.created_at, b.platform, b.auth_ref`;
  const lines: string[] = [];
  for (const { workspace_id, workspace, platform, auth_ref, secret_ref } of bindings) {
    // Lost keys are reported by the check of the keys.
    const token = await credentials.token(workspace_id, secret_ref).catch(() => undefined);
    if (token && isPublished(token))
      lines.push(
        `${platform} credential ${auth_ref} of “${workspace}”: \`molva credential set ${platform} ${auth_ref} --workspace '${workspace}'\` with a token of yours`,
      );
  }
  return lines;
}
