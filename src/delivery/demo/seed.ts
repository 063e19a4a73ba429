import { readFile } from "node:fs/promises";
import type { Vault } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { paths } from "../../kernel/paths/index.ts";
import { setCredential } from "../admin/credentials/credentials.ts";
import { acceptPost, type IngestDeps } from "../ingest/accept-post.ts";
import { pushBody } from "../ingest/body.ts";
import { demo } from "./names.ts";
import { demoPosts } from "./posts.ts";
import { introduceSpares } from "./spares.ts";
import { introduceToTwins, type Unmirrored } from "./twins.ts";

export interface SeedDeps extends IngestDeps {
  readonly vault: Vault;
  /** Where the twins run; without them there is nobody to introduce the chats to. */
  readonly twinsUrl?: string | undefined;
}

export interface SeedReport {
  readonly channels: number;
  readonly posts: number;
  /** Channels whose chats the twins cannot play. */
  readonly unmirrored: readonly Unmirrored[];
}

/** Fills the demo workspace. Running it again changes nothing that is there. */
export async function seedDemo(deps: SeedDeps): Promise<SeedReport> {
  const { sql } = deps;
  await sql.unsafe(await readFile(paths.seed, "utf8"));
  await bindDemoBots(deps);
  if (!deps.twinsUrl) return { channels: await countChannels(sql), posts: 0, unmirrored: [] };

  // First, so that a spare chat that became a channel keeps the channel's title.
  await introduceSpares(deps.twinsUrl);
  const { chats, unmirrored } = await introduceToTwins(sql, deps.twinsUrl);
  const channels = chats + unmirrored.length;
  return { channels, unmirrored, posts: await postOnce(deps, `${deps.twinsUrl}/demo`) };
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

/** Whether a token of the demo is still where db/seed.sql has put it: in a variable of whoever sends without this server. */
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
