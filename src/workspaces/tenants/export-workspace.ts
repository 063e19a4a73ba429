import { noteAudit } from "../../audit/index.ts";
import type { AdminDeps, By } from "../change/deps.ts";
import { ofInstallation } from "./of-installation.ts";
import { readWorkspace } from "./read-workspaces.ts";

/** An export leaves out secrets, with which somebody could act as the workspace, and the bytes of files. */
const leftOutColumns = ["ciphertext", "secret_hash", "token_sha256", "code_hash", "claim_token", "bytes"];
const secretTables = new Set([
  "accounts.proxies",
  "accounts.session_leases",
  "accounts.session_values",
  "workspaces.secrets",
]);

const rowsAtOnce = 500;

/**
 * Exports a workspace as one line of JSON per row: `{"table", "row"}`, and `{"rows"}` at the end. Secrets, sessions and files are
 * left out, and so is the audit, which has an export of its own. After a complete export the workspace may be deleted for a day.
 */
export async function* exportWorkspace(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  by: By,
): AsyncGenerator<string, void, undefined> {
  await readWorkspace(sql, workspaceId);
  // Before the first row: an export that was broken off has been read, too.
  await noteAudit(
    sql,
    { ...ofInstallation("workspace.exported", workspaceId, by, {}), workspaceId },
    clock.now(),
  );
  const tables = await sql<{ name: string }[]>`select name from workspaces.workspace_tables()`;
  let rows = 0;
  for (const { name } of tables) {
    if (secretTables.has(name)) continue;
    const pages = sql<{ row: unknown }[]>`
      select to_jsonb(t) - ${leftOutColumns}::text[] as row from ${sql(name)} t
      where t.workspace_id = ${workspaceId}`.cursor(rowsAtOnce);
    for await (const page of pages) {
      rows += page.length;
      yield page.map(({ row }) => `${JSON.stringify({ table: name, row })}\n`).join("");
    }
  }
  yield `${JSON.stringify({ rows })}\n`;
  await sql`update workspaces.workspaces set exported_at = ${clock.now()} where workspace_id = ${workspaceId}`;
}
