import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { SendError } from "../../platforms/index.ts";
import type { StartedDelivery } from "../dispatch/started-delivery.ts";

/** A channel of the workspace with what its adapter needs, and the reason why it may not send now, if any. */
export interface SendingChannel
  extends Pick<
    StartedDelivery,
    "platform" | "target_id" | "send_mode" | "settings" | "secret_ref" | "unknown_policy"
  > {
  readonly block: string | null;
  /** When the block ends by itself; null if a person has to end it. */
  readonly opens_at: Date | null;
}

export async function readChannel(
  { sql, clock }: { sql: Sql; clock: Clock },
  workspaceId: string,
  channelId: string,
): Promise<SendingChannel | undefined> {
  const now = clock.now();
  const [channel] = await sql<SendingChannel[]>`
    select c.platform, c.target_id, c.send_mode, c.settings, delivery.secret_ref_of(c) as secret_ref, c.unknown_policy, b.block,
      case b.block
        when 'channel_paused' then nullif(c.paused_until, 'infinity')
        when 'group_cooldown' then g.cooldown_until
        when 'window_closed' then delivery.channel_opens_at(c, w.timezone, ${now})
      end as opens_at
    from delivery.channels c
    join workspaces.workspaces w using (workspace_id)
    left join delivery.platform_limits g using (workspace_id, platform, rate_group)
    cross join lateral (select delivery.block_of(c, w, g, ${now}) as block) b
    where c.workspace_id = ${workspaceId} and c.channel_id = ${channelId}`;
  return channel;
}

/** The reason why nothing may be sent to the channel now, as an adapter's error. Pure. */
export function blockError({ block, opens_at }: SendingChannel, now: Date): SendError | undefined {
  if (block === null) return undefined;
  const message = `Nothing was sent: ${block.replaceAll("_", " ")}.`;
  if (opens_at === null) return { category: "PERMANENT", scope: "channel", code: block, message };
  const retryAfterMs = Math.max(0, opens_at.getTime() - now.getTime());
  const scope = block === "group_cooldown" ? "platform" : "channel";
  return { category: "TRANSIENT", scope, code: block, message, retryAfterMs };
}
