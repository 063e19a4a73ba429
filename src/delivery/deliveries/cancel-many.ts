import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { inOneChange } from "../admin/change.ts";
import { byChannel, byChannelSchema } from "./by-channel.ts";
import { type Act, operate } from "./operations.ts";

/** The states in which an operator can still cancel: statuses, and `held`. */
export const waitingStates = ["queued", "claimed", "retry", "held"] as const;

/** Selects waiting deliveries; all given conditions must match. */
export interface WaitingFilter {
  readonly channel_ids?: readonly string[] | undefined;
  /** Any of these tags of the post. */
  readonly tags?: readonly string[] | undefined;
  readonly states?: readonly (typeof waitingStates)[number][] | undefined;
  /** A pull source by its name, or an endpoint by its id. */
  readonly source?: string | undefined;
  readonly created_after?: Date | undefined;
  readonly created_before?: Date | undefined;
}

export const cancelledSchema = z.object({
  dry_run: z.boolean(),
  changed: z.int(),
  channels: byChannelSchema,
});
export type Cancelled = z.infer<typeof cancelledSchema>;

/** Per transaction: locks are held only briefly, and the dispatcher works in between. */
const atOnce = 2_000;

/** Cancels all waiting deliveries that match, each with its event. An unknown source matches nothing. */
export async function cancelMany(
  sql: Sql,
  workspaceId: string,
  filter: WaitingFilter,
  act: Act,
): Promise<Cancelled> {
  const { operator, reason, now, dryRun = false } = act;
  const endpoints = await endpointsOf(sql, workspaceId, filter.source);
  const waiting = (tx: Sql | Transaction, limit: number | null) => tx`
    select w.delivery_id, w.channel_id from delivery.waiting_like(
      ${workspaceId}, ${list(filter.channel_ids)}, ${list(filter.tags)}, ${list(filter.states)}, ${endpoints},
      ${filter.created_after ?? null}, ${filter.created_before ?? null}, ${limit}) w`;
  const cancelled: string[] = [];
  if (dryRun) {
    const rows = await sql<{ channel_id: string }[]>`select channel_id from (${waiting(sql, null)}) w`;
    cancelled.push(...rows.map(({ channel_id }) => channel_id));
  } else {
    for (let more = true; more; ) {
      const rows = await inOneChange(
        sql,
        (tx) => tx<{ channel_id: string }[]>`
          with chosen as materialized (${waiting(tx, atOnce)})
          select c.channel_id from delivery.cancel(
            ${workspaceId}, array(select delivery_id from chosen), ${operator}, ${reason}, ${now}) o
          join chosen c using (delivery_id)
          where o.refusal is null`,
      );
      cancelled.push(...rows.map(({ channel_id }) => channel_id));
      more = rows.length > 0;
    }
  }
  return {
    dry_run: dryRun,
    changed: cancelled.length,
    channels: await byChannel(sql, workspaceId, cancelled),
  };
}

/** Cancels these, as far as they wait; the others stay as they are. */
export async function cancelThese(
  sql: Sql,
  workspaceId: string,
  ids: readonly string[],
  act: Act,
): Promise<Cancelled> {
  const operated = await operate(sql, workspaceId, "cancel", ids, act);
  const done = operated.flatMap(({ delivery_id, refusal }) => (refusal === null ? [delivery_id] : []));
  const rows = await sql<{ channel_id: string }[]>`
    select channel_id from delivery.deliveries where workspace_id = ${workspaceId} and delivery_id = any (${done})`;
  return {
    dry_run: act.dryRun ?? false,
    changed: rows.length,
    channels: await byChannel(
      sql,
      workspaceId,
      rows.map(({ channel_id }) => channel_id),
    ),
  };
}

const list = <T>(given: readonly T[] | undefined) => (given === undefined ? null : [...given]);

async function endpointsOf(sql: Sql, workspaceId: string, source: string | undefined) {
  if (source === undefined) return null;
  const [row] = await sql<[{ ids: string[] }]>`
    select delivery.endpoints_of_source(${workspaceId}, ${source}) as ids`;
  return row.ids;
}
