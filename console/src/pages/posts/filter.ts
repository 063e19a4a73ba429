/** The filter of deliveries, as the address has it. */

import type { Status } from "./shapes.ts";
import { isStatus } from "./status.ts";

export const filterNames = ["status", "channel", "since"] as const;
export type FilterQuery = Partial<Record<(typeof filterNames)[number], string>>;

export interface DeliveryFilter {
  readonly status: readonly Status[];
  readonly channel: string | undefined;
  /** A moment. */
  readonly since: string | undefined;
}

/** How far back one may look, by the word in the address. */
export const periods = { hour: 1, day: 24, week: 168, month: 720 } as const;
export type Period = keyof typeof periods;

const isPeriod = (word: string | undefined): word is Period => word !== undefined && word in periods;

export const periodOf = ({ since }: FilterQuery): Period | "" => (isPeriod(since) ? since : "");

/** Words of the address that mean nothing are left out: an old link still opens. */
export function filterOf(query: FilterQuery, now: Date): DeliveryFilter {
  const period = periodOf(query);
  return {
    status: (query.status ?? "").split(",").filter(isStatus),
    channel: query.channel,
    since: period === "" ? undefined : new Date(now.getTime() - periods[period] * 3_600_000).toISOString(),
  };
}

/** The query of the address without its empty parts, always in one order. */
export function addressOf(query: FilterQuery): string {
  const given = new URLSearchParams();
  for (const name of filterNames) {
    const value = query[name];
    if (value) given.set(name, value);
  }
  return given.toString();
}
