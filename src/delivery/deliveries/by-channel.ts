import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";

/** How many deliveries of each channel an operation changed, or would change. */
export const byChannelSchema = z.array(
  z.object({
    channel_id: z.string(),
    title: z.string().nullable(),
    target: z.string(),
    platform: z.string(),
    auth_ref: z.string().describe("The credential that it sends with"),
    deliveries: z.int(),
  }),
);
export type ByChannel = z.infer<typeof byChannelSchema>;

/** Channels with the most deliveries first. */
export async function byChannel(
  sql: Sql | Transaction,
  workspaceId: string,
  channelIds: readonly string[],
): Promise<ByChannel> {
  return sql<ByChannel[number][]>`
    select n.channel_id, c.title, coalesce(c.target_name, c.target_id) as target, c.platform, coalesce(a.auth_ref, c.auth_ref) as auth_ref, n.deliveries
    from (select i.channel_id, count(*)::int as deliveries from unnest(${[...channelIds]}::uuid[]) as i (channel_id) group by 1) n
    join delivery.channels c on c.workspace_id = ${workspaceId} and c.channel_id = n.channel_id
    left join delivery.channel_auth a on a.workspace_id = c.workspace_id and a.channel_id = c.channel_id
    order by n.deliveries desc, n.channel_id`;
}
