import type { Role } from "../../src/module/index.ts";

/**
 * Where a process may be killed: at a statement or a request of its own, before the other side receives it or after the
 * other side did its work and before the answer came back. Together they cover every gap between two statements.
 */
export interface Point {
  readonly role: Exclude<Role, "jobs">;
  readonly name: string;
  /** In the text of the statement; absent for a request to a messenger. */
  readonly statement?: string;
}

export const points: readonly Point[] = [
  { role: "api", name: "prepare a post", statement: "delivery.prepare_post" },
  { role: "api", name: "accept a post", statement: "delivery.accept_push" },
  { role: "dispatcher", name: "claim", statement: "delivery.claim_deliveries" },
  { role: "dispatcher", name: "start", statement: "delivery.start_until" },
  { role: "dispatcher", name: "send" },
  { role: "dispatcher", name: "save progress", statement: "delivery.save_progress" },
  { role: "dispatcher", name: "take a turn", statement: "delivery.take_turn" },
  { role: "dispatcher", name: "settle", statement: "delivery.settle_deliveries" },
  { role: "monitor", name: "recover leases", statement: "delivery.recover_leases" },
];

export const moments = ["before", "after"] as const;
export type Moment = (typeof moments)[number];
