import { readFile } from "node:fs/promises";
import type { Vault } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { paths } from "../../kernel/paths/index.ts";
import { setCredential } from "../admin/credentials/credentials.ts";
import { acceptPost, type IngestDeps } from "../ingest/accept-post.ts";
import { pushBody } from "../ingest/body.ts";
import { demo } from "./names.ts";
import { introducePinterest } from "./pinterest.ts";
import { demoPosts } from "./posts.ts";
import { introduceSpares } from "./spares.ts";
import { introduceToTwins, type Unmirrored } from "./twins.ts";
import { introduceVk } from "./vk.ts";
import { introduceWordPress } from "./wordpress.ts";

export interface SeedDeps extends IngestDeps {
  readonly vault: Vault;
  /** The twins' address; without twins no chats can be created. */
  readonly twinsUrl?: string | undefined;
  /** The public address of this installation: Pinterest's twin redirects people there. */
  readonly publicUrl?: string | undefined;
}

export interface SeedReport {
  readonly channels: number;
  readonly posts: number;
  /** Channels whose chats the twins cannot emulate. */
  readonly unmirrored: readonly Unmirrored[];
}

/** Fills the demo workspace. Running it again changes nothing that exists. */
export async function seedDemo(deps: SeedDeps): Promise<SeedReport> {
  const { sql } = deps;
  await sql.unsafe(await readFile(paths.seed, "utf8"));
  await bindDemoBots(deps);
  if (!deps.twinsUrl) return { channels: await countChannels(sql), posts: 0, unmirrored: [] };

  // First, so that a spare chat that became a channel keeps the channel's title.
  await introduceSpares(deps.twinsUrl);
  const { unmirrored } = await introduceToTwins(sql, deps.twinsUrl);
  await introduceVk(deps, deps.twinsUrl);
  await introducePinterest(deps, deps.twinsUrl);
  await introduceWordPress(deps, deps.twinsUrl);
  return {
    channels: await countChannels(sql),
    unmirrored,
    posts: await postOnce(deps, `${deps.twinsUrl}/demo`),
  };
}

async function bindDemoBots(deps: SeedDeps): Promise<void> {
  for (const { platform, authRef, token } of demo.bots)
    if (await isUnbound(deps.sql, platform, authRef))
      await setCredential(
        deps,
        demo.workspaceId,
        { platform, auth_ref: authRef },
        { token },
        { operator: "molva seed" },
      );
}

/**
 * Whether the demo's token is still in the environment variable that db/seed.sql names, which is for senders without this
 * server.
 */
export async function isUnbound(sql: Sql, platform: string, authRef: string): Promise<boolean> {
  const [binding] = await sql<{ secret_ref: string }[]>`
    select secret_ref from workspaces.credential_bindings
    where workspace_id = ${demo.workspaceId} and auth_ref = ${authRef} and platform = ${platform}`;
  return binding === undefined || binding.secret_ref.startsWith("env:DEMO_");
}

async function postOnce(deps: SeedDeps, pictures: string): Promise<number> {
  const known =
    await deps.sql`select from delivery.messages where workspace_id = ${demo.workspaceId} limit 1`;
  if (known.length > 0) return 0;
  const endpoint = { workspaceId: demo.workspaceId, endpointId: demo.endpointId, maxPayloadBytes: 0 };
  const posts = demoPosts(pictures);
  for (const post of posts) await acceptPost(pushBody.parse(post), endpoint, deps);
  return posts.length;
}

async function countChannels(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int from delivery.channels where workspace_id = ${demo.workspaceId}`;
  return row.count;
}
