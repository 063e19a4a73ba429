import type { Answer } from "./world/telegram.ts";

/** The results of a run. */
export interface Tally {
  accountDays: number;
  sent: number;
  bans: number;
  readonly answers: Record<Answer["kind"], number>;
  /** Messages by week of the account's life and by its kind: where the losses are. */
  readonly byWeek: number[];
  readonly byKind: Record<string, number>;
}

export function newTally(): Tally {
  return {
    accountDays: 0,
    sent: 0,
    bans: 0,
    answers: { sent: 0, flood_wait: 0, slow_mode: 0, peer_flood: 0, no_rights: 0, banned: 0 },
    byWeek: [],
    byKind: {},
  };
}

export function countSent(tally: Tally, week: number, kind: string): void {
  tally.sent++;
  tally.byWeek[week] = (tally.byWeek[week] ?? 0) + 1;
  tally.byKind[kind] = (tally.byKind[kind] ?? 0) + 1;
}
