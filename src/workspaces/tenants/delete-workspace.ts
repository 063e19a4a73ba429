import { noteAudit } from "../../audit/index.ts";
import { problem } from "../../http/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";
import type { AdminDeps, By } from "../change/deps.ts";
import { ofInstallation } from "./of-installation.ts";

export interface DeleteWorkspaceDeps extends AdminDeps {
  readonly storage: ObjectStorage;
}

/** Folders with files of workspaces: `<folder>/<workspace>/…`. */
export const fileFolders: readonly string[] = ["media", "payloads", "advisor", "seo"];

/**
 * Deletes a workspace with all its data, files included. Files are deleted first: if that fails, the rows that refer to them
 * still exist, and the deletion can be repeated. What stays is its audit, until its retention ends.
 */
export async function deleteWorkspace(
  { sql, clock, storage }: DeleteWorkspaceDeps,
  workspaceId: string,
  name: string,
  by: By,
  { dryRun = false }: { dryRun?: boolean | undefined } = {},
): Promise<void> {
  const now = clock.now();
  const [asked] = await sql<[{ refusal: Refusal | "" }]>`
    select workspaces.workspace_deletion_refusal(${workspaceId}, ${name}, ${now}) as refusal`;
  if (asked.refusal) throw refusals[asked.refusal](workspaceId);
  if (dryRun) return;
  for (const folder of fileFolders)
    for await (const { key } of storage.list(`${folder}/${workspaceId}/`)) await storage.delete(key);
  await sql.begin(async (tx) => {
    const [ended] = await tx<[{ outcome: Refusal | "deleted" }]>`
      select workspaces.delete_workspace(${workspaceId}, ${name}, ${now}) as outcome`;
    if (ended.outcome !== "deleted") throw refusals[ended.outcome](workspaceId);
    const entry = ofInstallation("workspace.deleted", workspaceId, by, { name });
    await noteAudit(tx, entry, now);
    await noteAudit(tx, { ...entry, workspaceId }, now);
  });
}

const conflict = (detail: string) => () => problem("conflict", { detail });

const refusals = {
  not_found: (workspaceId: string) =>
    problem("not_found", { detail: `There is no workspace ${workspaceId}.` }),
  other_name: conflict("The name that was given is not the workspace's: nothing was deleted."),
  not_disabled: conflict("Disable the workspace first: then nothing is accepted and nothing is sent."),
  not_exported: conflict("Export the workspace first, and delete it within a day of that."),
  busy: conflict("Something is being sent this moment. Delete the workspace when that has ended."),
};
type Refusal = keyof typeof refusals;
