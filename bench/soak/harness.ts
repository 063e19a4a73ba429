import { createHash, randomUUID } from "node:crypto";
import { connect, migrate, readMigrationSources, type Sql } from "../../src/kernel/db/index.ts";
import { furnishTwins } from "../shared/twin-chats.ts";

export interface SoakHarness {
  readonly url: string;
  readonly sql: Sql;
  readonly workspaceId: string;
  readonly secret: string;
  readonly channels: number;
  /** Wakes the dispatcher. */
  notify(): Promise<void>;
  close(): Promise<void>;
}

export const token = `7400000001:${"S".repeat(35)}`;
const channels = 40;

/** A workspace with channels that take every post, without a rate. */
export async function prepareSoak(url: string, twinsUrl: string): Promise<SoakHarness> {
  const sql = connect({ url, max: 4, name: "soak" });
  await migrate(sql, await readMigrationSources());
  await sql`select workspaces.ensure_event_partitions(2)`;
  const chats = Array.from({ length: channels }, (_, index) => -1_004_000_000_001 - index);
  await furnishTwins(twinsUrl, { token, username: "soak_bot" }, chats);

  const [{ workspace_id: workspaceId }] = await sql<[{ workspace_id: string }]>`
    insert into workspaces.workspaces (name) values ('Выдержка') returning workspace_id`;
  await sql`
    insert into workspaces.credential_bindings (workspace_id, auth_ref, platform, secret_ref)
    values (${workspaceId}, 'soak', 'telegram', 'env:SOAK_TOKEN')`;
  await sql`
    insert into delivery.channels
      (workspace_id, platform, target_id, auth_ref, rate_group, rate_rps, max_parallel)
    select ${workspaceId}, 'telegram', chat::text, 'soak', 'soak', null, 4 from unnest(${chats}::bigint[]) as chat`;
  const secret = randomUUID();
  await sql`
    insert into delivery.workspace_endpoints (workspace_id, kind, secret_hash, ingress_rps)
    values (${workspaceId}, 'webhook_push', ${createHash("sha256").update(secret).digest("hex")}, 0)`;
  return {
    url,
    sql,
    workspaceId,
    secret,
    channels,
    async notify() {
      await sql`select pg_notify('molva_deliveries', ${workspaceId})`;
    },
    close: () => sql.end({ timeout: 5 }),
  };
}
