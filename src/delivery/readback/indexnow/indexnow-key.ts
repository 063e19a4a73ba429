/** The key with which a channel's site allows us to tell search engines of its pages: creating, checking and removing it. */
import { z } from "zod";
import { problem } from "../../../http/index.ts";
import type { Sql, Transaction } from "../../../kernel/db/index.ts";
import type { GuardedClient } from "../../../kernel/outbound/index.ts";
import { parsedUrl } from "../../../kernel/url/index.ts";
import type { Platforms } from "../../../platforms/index.ts";
import type { AdminDeps, By } from "../../../workspaces/index.ts";
import { inOneChange, noteChannelChange } from "../../admin/change.ts";
import { lockChannel, type readChannel } from "../../admin/channels/read-channels.ts";
import { checkKeyFile, covers, folderOf, newKey, rootLocation } from "./key-file.ts";

export const indexNowSchema = z
  .object({
    channel_id: z.uuid(),
    key: z.string(),
    file: z.object({
      name: z.string(),
      content: z.string().describe("All that stands in the file"),
      address: z.string().describe("Where it has to be found"),
    }),
    covers: z.string().describe("Pages at this address and below are told; no others"),
    verified_at: z
      .date()
      .nullable()
      .describe("Since when the file is known to be there; null: nothing is told to search engines"),
    fault: z
      .looseObject({ code: z.string(), message: z.string() })
      .nullable()
      .describe("Why the key is not good yet, or no longer"),
  })
  .meta({ id: "IndexNowKey" });
export type IndexNowKey = z.infer<typeof indexNowSchema>;

export interface IndexNowKeyDeps extends AdminDeps {
  readonly platforms: Platforms;
  /** The site's address comes from a user. */
  readonly guarded: GuardedClient;
}

interface KeyRow {
  readonly channel_id: string;
  readonly key: string;
  readonly location: string;
  readonly verified_at: Date | null;
  readonly fault: { code: string; message: string } | null;
}

export async function readIndexNowKey(
  sql: Sql,
  workspaceId: string,
  channelId: string,
): Promise<IndexNowKey> {
  const row = await keyRow(sql, workspaceId, channelId);
  if (!row) throw noKey(channelId);
  return shown(row);
}

/**
 * Creates a key unless there is one, and checks whether its file is on the site. `folder` is given if the file is not in the
 * root of the site's host. Called again until the file is found, and after search engines have refused the key.
 */
export async function setUpIndexNow(
  deps: IndexNowKeyDeps,
  workspaceId: string,
  channelId: string,
  { folder }: { folder?: string | undefined },
  by: By,
): Promise<IndexNowKey> {
  const { sql, clock, guarded } = deps;
  const now = clock.now();
  const row = await inOneChange(sql, async (tx) => {
    const channel = await lockChannel(tx, workspaceId, channelId, now);
    const site = siteOf(channel, deps.platforms);
    const before = await keyRow(tx, workspaceId, channelId);
    const key = before?.key ?? newKey();
    const asked = folder ? inFolder(folder, key, site) : undefined;
    const location =
      asked ?? (before && covers(before.location, site) ? before.location : rootLocation(site, key));
    if (before?.location === location) return before;
    const [made] = await tx<[KeyRow]>`
      insert into delivery.indexnow_keys as k (workspace_id, channel_id, key, location, created_at, updated_at)
      values (${workspaceId}, ${channelId}, ${key}, ${location}, ${now}, ${now})
      on conflict (workspace_id, channel_id) do update
        set location = excluded.location, verified_at = null, fault = null, updated_at = excluded.updated_at
      returning k.channel_id, k.key, k.location, k.verified_at, k.fault`;
    await noteChannelChange(tx, channelId, { workspaceId, now, by, meta: { indexnow: { file: location } } });
    return made;
  });
  const fault = await checkKeyFile(row, guarded);
  return inOneChange(sql, async (tx) => {
    const [looked] = await tx<KeyRow[]>`
      update delivery.indexnow_keys k
      set verified_at = case when ${fault === undefined} then coalesce(k.verified_at, ${now}) end,
          fault = ${fault ? JSON.stringify(fault) : null}::text::jsonb, updated_at = ${now}
      where k.workspace_id = ${workspaceId} and k.channel_id = ${channelId} and k.location = ${row.location}
      returning k.channel_id, k.key, k.location, k.verified_at, k.fault`;
    if (!looked) throw noKey(channelId);
    if ((looked.verified_at === null) !== (row.verified_at === null)) {
      const meta = { indexnow: { verified: looked.verified_at !== null, ...(fault && { fault }) } };
      await noteChannelChange(tx, channelId, { workspaceId, now, by, meta });
    }
    return shown(looked);
  });
}

/** Search engines are not told any more; the file on the site has no effect then. */
export async function dropIndexNow(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  channelId: string,
  by: By,
): Promise<void> {
  const now = clock.now();
  await inOneChange(sql, async (tx) => {
    const dropped = await tx`
      delete from delivery.indexnow_keys k where k.workspace_id = ${workspaceId} and k.channel_id = ${channelId}`;
    if (dropped.count === 0) throw noKey(channelId);
    await noteChannelChange(tx, channelId, { workspaceId, now, by, meta: { indexnow: null } });
  });
}

async function keyRow(
  sql: Sql | Transaction,
  workspaceId: string,
  channelId: string,
): Promise<KeyRow | undefined> {
  const [row] = await sql<KeyRow[]>`
    select k.channel_id, k.key, k.location, k.verified_at, k.fault from delivery.indexnow_keys k
    where k.workspace_id = ${workspaceId} and k.channel_id = ${channelId}`;
  return row;
}

function shown({ channel_id, key, location, verified_at, fault }: KeyRow): IndexNowKey {
  return {
    channel_id,
    key,
    file: { name: `${key}.txt`, content: key, address: location },
    covers: folderOf(location),
    verified_at,
    fault,
  };
}

/** The site of a channel, as an address that ends with a slash. */
function siteOf(
  { platform, target_id }: Awaited<ReturnType<typeof readChannel>>,
  platforms: Platforms,
): string {
  const site = platforms.platformOf(platform).siteOf?.(target_id);
  if (site === undefined || !parsedUrl(site))
    throw problem("unprocessable", {
      detail: `Posts of ${platform} are no pages of a site, so there is nothing to tell search engines.`,
    });
  return new URL(site.endsWith("/") ? site : `${site}/`).href;
}

/** The file in a folder that the owner chose; the folder must contain the whole site. */
function inFolder(folder: string, key: string, site: string): string {
  const refuse = (detail: string) =>
    problem("unprocessable", { detail, errors: [{ pointer: "/folder", detail }] });
  if (!parsedUrl(folder) || !/^https?:\/\//i.test(folder))
    throw refuse("Give the folder's whole address, such as https://example.com/blog/.");
  const location = new URL(`${key}.txt`, folder.endsWith("/") ? folder : `${folder}/`).href;
  if (new URL(location).host !== new URL(site).host)
    throw refuse(`The site is at ${new URL(site).host}; a key of another host says nothing about it.`);
  if (!covers(location, site))
    throw refuse(
      `A key speaks for the pages below its folder only. In ${folderOf(location)} it would not speak for those of ${site}: place it there, or above.`,
    );
  return location;
}

const noKey = (channelId: string) =>
  problem("not_found", { detail: `The channel ${channelId} has no key of IndexNow.` });
