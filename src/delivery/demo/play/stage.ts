import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../../kernel/clock/index.ts";
import { sha256Hex, type Vault } from "../../../kernel/crypto/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";
import { setCredential } from "../../admin/credentials/credentials.ts";
import { cast, type PlayPlatform } from "./cast.ts";
import { createTwinsControl, type TwinsControl } from "./twins-control.ts";

/** The running system in which the demo runs. */
export interface StageDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly serverUrl: string;
  readonly twinsUrl: string;
}

export interface StageChannel {
  readonly id: string;
  readonly platform: PlayPlatform;
  readonly chat: string;
  readonly title: string;
}

const accepted = z.object({
  message_id: z.string(),
  queued: z.int(),
  deduped: z.int(),
  skipped_inflight: z.int(),
});
export type AcceptedPost = z.infer<typeof accepted>;

export interface StageEvent {
  readonly action: string;
  readonly attempt: number;
  readonly ts: Date;
  readonly code: string | null;
  readonly next_retry_at: string | null;
}

export interface StageDelivery {
  readonly delivery_id: string;
  readonly status: string;
  readonly attempt: number;
  readonly reason: string;
  readonly expected_at: Date | null;
}

/** A workspace with an endpoint, channels and chats, and functions to inspect them. */
export interface Stage {
  readonly twins: TwinsControl;
  readonly sql: Sql;
  readonly workspaceId: string;
  /** Adds a row to `channels` that takes posts with this tag, and its chat at the twin. */
  addChannel(platform: PlayPlatform, title: string, tag: string): Promise<StageChannel>;
  /** Sends a post through the ingest endpoint, as any sender would. */
  post(text: string, tag: string): Promise<AcceptedPost>;
  /** How many times readers of the channel see this text. */
  arrived(channel: StageChannel, text: string): Promise<number>;
  delivery(channel: StageChannel, messageId: string): Promise<StageDelivery | undefined>;
  events(channel: StageChannel, messageId: string): Promise<StageEvent[]>;
  /** Removes everything that was created. */
  strike(): Promise<void>;
}

export async function setStage(deps: StageDeps): Promise<Stage> {
  const { sql, serverUrl, twinsUrl } = deps;
  const twins = createTwinsControl(twinsUrl);
  const secret = randomUUID();
  const channels: StageChannel[] = [];
  const workspaceId = await makeWorkspace(deps, secret);

  async function strike(): Promise<void> {
    await twins.liftFaults();
    for (const channel of channels) await twins.clear(channel);
    await sql`select workspaces.forget_workspace(${workspaceId})`;
  }

  return {
    twins,
    sql,
    workspaceId,
    strike,
    async addChannel(platform, title, tag) {
      const chat = String(cast.firstChat[platform] - channels.length);
      await twins.openChat(platform, chat, title);
      const [row] = await sql<[{ channel_id: string }]>`
        insert into delivery.channels (workspace_id, platform, target_id, title, auth_ref, rate_group, route_filter)
        values (${workspaceId}, ${platform}, ${chat}, ${title}, ${cast.authRef}, ${cast.authRef},
                ${sql.json({ include_any: [tag] })})
        returning channel_id`;
      const channel = { id: row.channel_id, platform, chat, title };
      channels.push(channel);
      return channel;
    },
    async post(text, tag) {
      const answer = await fetch(`${serverUrl}/api/v1/ingest`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-molva-secret": secret },
        // Each call has its own reference, so that only the content can make it a repeat.
        body: JSON.stringify({ payload: { text }, tags: [tag], source_ref: randomUUID() }),
      });
      if (!answer.ok) throw new Error(`the server refused a post: ${answer.status} ${await answer.text()}`);
      return accepted.parse(await answer.json());
    },
    arrived: async (channel, text) => (await twins.textsIn(channel)).filter((said) => said === text).length,
    async delivery(channel, messageId) {
      const [row] = await sql<StageDelivery[]>`
        select d.delivery_id, d.status, d.attempt, w.reason, w.expected_at
        from delivery.deliveries d
        cross join lateral delivery.why(d.workspace_id, d.delivery_id) w
        where d.workspace_id = ${workspaceId} and d.message_id = ${messageId} and d.channel_id = ${channel.id}`;
      return row;
    },
    events: (channel, messageId) => sql<StageEvent[]>`
      select action, attempt, ts, error ->> 'code' as code, meta ->> 'next_retry_at' as next_retry_at
      from workspaces.events
      where workspace_id = ${workspaceId} and message_id = ${messageId} and channel_id = ${channel.id}
      order by ts, id`,
  };
}

async function makeWorkspace(deps: StageDeps, secret: string): Promise<string> {
  const { sql } = deps;
  const [workspace] = await sql<[{ workspace_id: string }]>`
    insert into workspaces.workspaces (name) values (${cast.workspace}) returning workspace_id`;
  const workspaceId = workspace.workspace_id;
  await sql`
    insert into delivery.workspace_endpoints (workspace_id, kind, secret_hash, ingress_rps)
    values (${workspaceId}, 'webhook_push', ${sha256Hex(secret)}, 0)`;
  for (const platform of ["telegram", "max"] as const)
    await setCredential(
      deps,
      workspaceId,
      { platform, auth_ref: cast.authRef },
      { token: cast.bots[platform].token },
      { operator: "molva demo" },
    );
  return workspaceId;
}
