import { buffer } from "node:stream/consumers";
import type { AdvisorDeps } from "../deps.ts";
import { Refusal } from "../v1/refusal.ts";

export async function readMedia(
  { sql, storage }: Pick<AdvisorDeps, "sql" | "storage">,
  workspaceId: string,
  mediaId: string,
): Promise<{ bytes: Uint8Array; mime: string }> {
  const [row] = await sql<{ storage_url: string; mime: string }[]>`
    select storage_url, mime from advisor.media_assets
    where workspace_id = ${workspaceId} and id = ${mediaId} and deleted_at is null`;
  const object = row && (await storage.get(row.storage_url));
  if (!row || !object)
    throw new Refusal("not_found", "media_not_found", "The file is gone: upload it again.");
  return { bytes: await buffer(object.body), mime: row.mime };
}
