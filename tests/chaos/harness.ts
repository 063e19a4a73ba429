import { createHash, randomUUID } from "node:crypto";
import { connect, migrate, readMigrationSources, type Sql } from "../../src/kernel/db/index.ts";
import { runWorkerMigrations } from "../../src/kernel/jobs/index.ts";
import type { Chat } from "./messengers.ts";
import { networks } from "./networks.ts";
import { pace, type StormSettings } from "./settings.ts";

/** The workspace of the storm. */
export interface Harness {
  readonly sql: Sql;
  readonly workspaceId: string;
  /** Of the endpoint that takes the posts. */
  readonly secret: string;
  /** A post with one of these tags goes to the chats of the same place in `groups`. */
  readonly tags: readonly string[];
  readonly groups: readonly (readonly Chat[])[];
  /** The groups from this place on are sites, walls and boards: one of each. */
  readonly firstNetworkGroup: number;
  /** Chats that are in no group: each is the connection of a product's user. */
  readonly connections: readonly Connection[];
}

export interface Connection {
  readonly channelId: string;
  readonly chat: Chat;
}

export async function prepareHarness(
  url: string,
  { chats, places }: { readonly chats: readonly Chat[]; readonly places: readonly Chat[] },
  chatsPerPost: StormSettings["chatsPerPost"],
): Promise<Harness> {
  const sql = connect({ url, max: 4, name: "chaos" });
  await migrate(sql, await readMigrationSources());
  // No process runs the jobs, so that they can be counted at the end.
  await runWorkerMigrations(url);
  await sql`select workspaces.ensure_event_partitions(2)`;
  const [{ workspace_id: workspaceId }] = await sql<[{ workspace_id: string }]>`
    insert into workspaces.workspaces (name) values ('Шторм') returning workspace_id`;

  const secret = randomUUID();
  await sql`
    insert into delivery.workspace_endpoints ${sql({
      workspace_id: workspaceId,
      kind: "webhook_push",
      secret_hash: createHash("sha256").update(secret).digest("hex"),
      ingress_rps: 0,
    })}`;
  const bots = new Map([...chats, ...places].map(({ bot, messenger }) => [bot, messenger]));
  for (const [index, [bot, messenger]] of [...bots].entries()) {
    await sql`
      insert into workspaces.credential_bindings (workspace_id, platform, auth_ref, secret_ref)
      values (${workspaceId}, ${messenger}, ${bot}, ${`env:CHAOS_${bot.toUpperCase()}`})`;
    if (index % 2 === 0 || messenger === "vk" || messenger === "pinterest")
      await sql`
      insert into delivery.platform_limits (workspace_id, platform, rate_group, rate_rps)
      values (${workspaceId}, ${messenger}, ${bot}, ${pace[messenger].bot})`;
  }
  const ofMessengers = groupsOf(chats, chatsPerPost);
  const groups = [...ofMessengers, ...inThrees(places)];
  for (const [group, members] of groups.entries())
    for (const chat of members) await addChannel(sql, workspaceId, chat, tagOf(group));
  const connections: Connection[] = [];
  for (const chat of chats.filter((each) => !groups.flat().includes(each)))
    connections.push({ chat, channelId: await addConnection(sql, workspaceId, chat) });
  return {
    ...{ sql, workspaceId, secret, connections, groups, firstNetworkGroup: ofMessengers.length },
    tags: groups.map((_, group) => tagOf(group)),
  };
}

/** A site, a wall and a board each. */
const inThrees = (places: readonly Chat[]): Chat[][] =>
  Array.from({ length: places.length / networks.length }, (_, group) =>
    places.slice(group * networks.length, (group + 1) * networks.length),
  );

const tagOf = (group: number) => `group-${group}`;

async function addChannel(sql: Sql, workspaceId: string, chat: Chat, tag: string): Promise<void> {
  const routed = { ...rowOf(workspaceId, chat), route_filter: sql.json({ include_any: [tag] }) };
  await sql`insert into delivery.channels ${sql(routed)}`;
}

async function addConnection(sql: Sql, workspaceId: string, chat: Chat): Promise<string> {
  const owner = { owner_product: product, owner_user: chat.id, connection_key: chat.id };
  const [made] = await sql<[{ channel_id: string }]>`
    insert into delivery.channels ${sql({ ...rowOf(workspaceId, chat), addressed_only: true, ...owner })}
    returning channel_id`;
  return made.channel_id;
}

/** The product whose users have the connections. */
export const product = "press";

const rowOf = (workspaceId: string, chat: Chat) => ({
  workspace_id: workspaceId,
  platform: chat.messenger,
  target_id: chat.target ?? chat.id,
  title: chat.id,
  auth_ref: chat.bot,
  rate_group: chat.bot,
  rate_rps: pace[chat.messenger].chat,
  max_parallel: 1,
  unknown_policy: policyOf(chat),
});

/** Every second Telegram chat prefers losing a post to a duplicate; MAX can be read back. */
export function policyOf({ messenger, id }: Chat): "at_least_once" | "at_most_once" {
  return messenger === "telegram" && Number(id) % 2 === 0 ? "at_most_once" : "at_least_once";
}

/** Chats of both messengers in every group; each chat is in one. */
function groupsOf(chats: readonly Chat[], chatsPerPost: StormSettings["chatsPerPost"]): Chat[][] {
  const of = (messenger: Chat["messenger"]) => chats.filter((chat) => chat.messenger === messenger);
  const [telegram, max] = [of("telegram"), of("max")];
  const count = Math.floor(Math.min(telegram.length / chatsPerPost.telegram, max.length / chatsPerPost.max));
  return Array.from({ length: count }, (_, group) => [
    ...telegram.slice(group * chatsPerPost.telegram, (group + 1) * chatsPerPost.telegram),
    ...max.slice(group * chatsPerPost.max, (group + 1) * chatsPerPost.max),
  ]);
}
