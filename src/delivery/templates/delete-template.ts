import type { Sql } from "../../kernel/db/index.ts";

/** Removes a template with all its versions, unless a channel is written by it. */
export async function deleteTemplate(
  sql: Sql,
  { workspaceId, templateId }: { workspaceId: string; templateId: string },
): Promise<"deleted" | "in_use" | "not_found"> {
  const [row] = await sql<[{ outcome: "deleted" | "in_use" | "not_found" }]>`
    select delivery.delete_template(${workspaceId}, ${templateId}) as outcome`;
  return row.outcome;
}
