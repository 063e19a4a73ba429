import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { inOneChange } from "../admin/change.ts";
import { type DeliveryFilter, listDeliveries } from "./list-deliveries.ts";
import { statuses } from "./statuses.ts";

/** The result of an operation for one delivery. */
export const operatedSchema = z.object({
  delivery_id: z.string(),
  was: z.enum(statuses).nullable().describe("null: there is no such delivery"),
  status: z.enum(statuses).nullable(),
  refusal: z.string().nullable().describe("Why it was left as it was; null when it was changed"),
});

export type Operated = z.infer<typeof operatedSchema>;

/** Who acts and why; stored with every change. A dry run changes nothing and returns what would happen. */
export interface Act {
  readonly operator: string;
  readonly reason: string;
  readonly now: Date;
  readonly dryRun?: boolean | undefined;
}

export const operations = ["requeue", "cancel", "hold", "release", "send_now"] as const;
export type Operation = (typeof operations)[number];

export function operate(
  sql: Sql,
  workspaceId: string,
  operation: Operation,
  ids: readonly string[],
  act: Act,
): Promise<Operated[]> {
  return inOneChange(
    sql,
    (tx) => tx<Operated[]>`
      select delivery_id, was, status, refusal
      from ${tx(`delivery.${operation}`)}(${workspaceId}, ${[...ids]}, ${act.operator}, ${act.reason}, ${act.now})`,
    act,
  );
}

/** Gives waiting deliveries another exact time; refuses one in the past or more than a year ahead. */
export function reschedule(
  sql: Sql,
  workspaceId: string,
  ids: readonly string[],
  at: Date,
  act: Act,
): Promise<Operated[]> {
  return inOneChange(
    sql,
    (tx) => tx<Operated[]>`
      select delivery_id, was, status, refusal
      from delivery.reschedule(${workspaceId}, ${[...ids]}, ${at}, ${act.operator}, ${act.reason}, ${act.now})`,
    act,
  );
}

/** Releases deliveries that have been claimed or sending for longer than this. */
export function releaseStuck(
  sql: Sql,
  workspaceId: string,
  olderThanSeconds: number,
  act: Act,
): Promise<Operated[]> {
  return inOneChange(
    sql,
    (tx) => tx<Operated[]>`
      select delivery_id, was, status, refusal from delivery.release_stuck(
        ${workspaceId}, make_interval(secs => ${olderThanSeconds}), ${act.operator}, ${act.reason}, ${act.now})`,
    act,
  );
}

/** The most deliveries that one operation takes. */
export const mostAtOnce = 1_000;

/** The newest dead deliveries that match, or failed ones if the filter asks for them. */
export async function requeueCandidates(
  sql: Sql,
  workspaceId: string,
  filter: DeliveryFilter,
): Promise<string[]> {
  const { items } = await listDeliveries(sql, workspaceId, {
    ...filter,
    status: filter.status ?? ["dead"],
    limit: mostAtOnce,
  });
  return items.map(({ id }) => id);
}
