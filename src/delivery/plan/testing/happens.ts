import type { Sql } from "../../../kernel/db/index.ts";
import { claimDeliveries, nextClaimAt, nextStartAt, settle, startDeliveries } from "../../dispatch/queue.ts";

export interface Happened {
  readonly fate: "sent" | "dropped" | "held";
  readonly at: Date;
}

/**
 * What then happens, in the order in which it does: the queue's functions as the dispatcher calls them, on a clock that is moved
 * to the next moment that the queue names. Every send succeeds at once.
 */
export async function happens(
  sql: Sql,
  workspaceId: string,
  from: Date,
  to: Date,
): Promise<Map<string, Happened>> {
  const happened = new Map<string, Happened>();
  for (let now = from; now <= to; ) {
    const claimed = await claimDeliveries(sql, workspaceId, "run", 100, now);
    const started = await startDeliveries(sql, workspaceId, "run", 100, now);
    for (const { delivery_id, departs_at } of started)
      happened.set(delivery_id, { fate: "sent", at: departs_at });
    await settle(
      sql,
      workspaceId,
      started.map(({ delivery_id, claim_token: token }) => ({
        ...{
          workspaceId,
          delivery_id,
          token,
          kind: "sent" as const,
          provider_message_id: delivery_id,
          raw: {},
        },
      })),
      now,
    );
    const [claimAt, startAt] = [
      await nextClaimAt(sql, workspaceId, now),
      await nextStartAt(sql, workspaceId, now),
    ];
    const next = Math.min(...[claimAt, startAt].map((at) => at?.getTime() ?? Number.POSITIVE_INFINITY));
    if (!Number.isFinite(next)) break;
    now = new Date(Math.max(next, now.getTime() + (claimed + started.length > 0 ? 1 : 50)));
  }
  const ended = await sql<{ id: string; at: Date; held: boolean }[]>`
    select delivery_id as id, updated_at as at, held_at is not null as held from delivery.deliveries
    where workspace_id = ${workspaceId} and (held_at is not null or last_error ->> 'code' = 'stale_dropped')`;
  for (const { id, at, held } of ended) happened.set(id, { fate: held ? "held" : "dropped", at });
  return happened;
}
