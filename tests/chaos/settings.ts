import type { Kind } from "./kinds.ts";

/** Settings of a storm; a short one is part of the tests, a long one runs on request. */
export interface StormSettings {
  readonly seed: number;
  readonly kind: Kind;
  /** How long the adversary works; posts come for as long. */
  readonly seconds: number;
  readonly kills: number;
  /** Deliveries to post in all, evenly over the time. */
  readonly deliveries: number;
  /** Chats that are not used by groups of posts are connections of a product. */
  readonly chats: { readonly telegram: number; readonly max: number };
  /** Every post goes to this many chats of each messenger. */
  readonly chatsPerPost: StormSettings["chats"];
  /** Sites, walls and boards, each so many. */
  readonly networks: number;
  readonly processes: { readonly api: number; readonly dispatcher: number; readonly monitor: number };
  /** How often PostgreSQL is ended and started again, or how often a storm of one kind strikes. */
  readonly restarts: number;
}

/**
 * Waits are shortened but keep their order: a request ends before its lease does, and a slow messenger answers before
 * the request times out.
 */
export const waits = {
  sendTimeoutSeconds: 2,
  sendingLeaseSeconds: 8,
  claimedLeaseSeconds: 4,
  slowestAnswerMs: 1_200,
  /** For everything to end after the storm; a long storm gets as much time as it took. */
  shortestDrainMs: 240_000,
} as const;

/**
 * Posts per second, every second bot as a whole too: well below what the messengers allow: a machine on which everything runs at once holds requests up for
 * a second now and then, and what is counted is when they arrive.
 */
export const pace = {
  telegram: { chat: 0.7, bot: 8, chatsPerBot: 12 },
  max: { chat: 0.7, bot: 5, chatsPerBot: 8 },
  // A page or a wall post takes several requests, each with its turn; together they end before the lease does.
  wordpress: { chat: 3, bot: 3 },
  vk: { chat: 2, bot: 2 },
  pinterest: { chat: 1, bot: 1.2 },
} as const;

/** How often a post goes to a site, a wall and a board. */
export const networkPostEveryMs = 2_000;
