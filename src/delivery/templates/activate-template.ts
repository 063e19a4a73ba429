import type { Sql } from "../../kernel/db/index.ts";

/** Makes a version the one that new posts are written by; posts already enqueued keep their text. False: no such version. */
export async function activateTemplate(
  sql: Sql,
  { workspaceId, templateId, version }: { workspaceId: string; templateId: string; version: number },
): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select delivery.activate_template(${workspaceId}, ${templateId}, ${version}) as found`;
  return row.found;
}
