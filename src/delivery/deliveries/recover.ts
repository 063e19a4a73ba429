import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { inOneChange } from "../admin/change.ts";
import { byChannel, byChannelSchema } from "./by-channel.ts";
import type { Act } from "./operations.ts";

/** What to recover: one channel, all channels of a credential, or the whole workspace. */
export interface RecoverScope {
  readonly since: Date;
  readonly channel_id?: string | undefined;
  readonly credential?: { readonly platform: string; readonly auth_ref: string } | undefined;
  /** Also resumes channels that stopped because they refused posts. */
  readonly resume: boolean;
}

export const recoveredSchema = z.object({
  dry_run: z.boolean(),
  recovered: z.int().describe("Deliveries that go out again"),
  channels: byChannelSchema,
  resumed: z.int().describe("Channels that stood still because they refused posts, and go on"),
  still_stopped: z.int().describe("Channels that stand still all the same: what is recovered waits for them"),
});
export type Recovered = z.infer<typeof recoveredSchema>;

/** Per transaction: locks are held only briefly. */
const atOnce = 1_000;

/** Requeues deliveries that failed since then because of their channel or platform, or because their attempts were used up. */
export async function recover(
  sql: Sql,
  workspaceId: string,
  scope: RecoverScope,
  act: Act,
): Promise<Recovered> {
  const channels = await channelsIn(sql, workspaceId, scope);
  const { operator, reason, now, dryRun = false } = act;
  const { resumed, stopped } = await inOneChange(
    sql,
    async (tx) => {
      const [row] = await tx<[{ resumed: number }]>`
        select coalesce(cardinality(delivery.resume_refused(
          ${workspaceId}, ${scope.resume ? channels : []}, ${operator}, ${reason}, ${now})), 0) as resumed`;
      const standing = await tx<{ channel_id: string }[]>`
        select channel_id from delivery.channels
        where workspace_id = ${workspaceId} and (not enabled or paused_until > ${now})`;
      return { resumed: row.resumed, stopped: new Set(standing.map(({ channel_id }) => channel_id)) };
    },
    act,
  );
  const recovered = dryRun
    ? await sql<{ channel_id: string }[]>`
        select channel_id from delivery.recoverable(${workspaceId}, ${scope.since}, ${channels}, null, ${now})`
    : await recoverAll(sql, workspaceId, { since: scope.since, channels }, act);
  const counted = await byChannel(
    sql,
    workspaceId,
    recovered.map(({ channel_id }) => channel_id),
  );
  return {
    dry_run: dryRun,
    recovered: recovered.length,
    channels: counted,
    resumed,
    still_stopped: counted.filter(({ channel_id }) => stopped.has(channel_id)).length,
  };
}

async function recoverAll(
  sql: Sql,
  workspaceId: string,
  { since, channels }: { since: Date; channels: string[] | null },
  { operator, reason, now }: Act,
): Promise<{ channel_id: string }[]> {
  const recovered: { channel_id: string }[] = [];
  for (let more = true; more; ) {
    const rows = await inOneChange(
      sql,
      (tx) => tx<{ channel_id: string }[]>`
        select channel_id from delivery.recover(
          ${workspaceId}, ${since}, ${channels}, ${operator}, ${reason}, ${atOnce}, ${now})`,
    );
    recovered.push(...rows);
    more = rows.length > 0;
  }
  return recovered;
}

/** Null means all channels. */
async function channelsIn(
  sql: Sql,
  workspaceId: string,
  { channel_id, credential }: RecoverScope,
): Promise<string[] | null> {
  if (channel_id) return [channel_id];
  if (!credential) return null;
  const [row] = await sql<[{ ids: string[] }]>`
    select delivery.channels_of_credential(${workspaceId}, ${credential.platform}, ${credential.auth_ref}) as ids`;
  return row.ids;
}
