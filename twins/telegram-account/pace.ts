import type { Deps } from "./call.ts";
import { day, longestFloodSeconds, peerFloodMs, type Quota, quotaWindows } from "./limits.ts";
import type { Account, Chat } from "./model.ts";
import { bad, wait } from "./rpc-error.ts";

const quotaOf = {
  send: "sendsPerMinute",
  join: "joinsPerHour",
  resolve: "resolvesPerDay",
} as const satisfies Record<Quota, string>;

/** How long a first flood wait of each quota lasts, as a multiple of the account's setting. */
const severity: Record<Quota, number> = { send: 1, join: 10, resolve: 1_000 };

/** Refuses during a wait, and starts one if the quota is used up. A wait that follows another is twice as long. */
export function demandPace(account: Account, quota: Quota, { context, store }: Deps): void {
  const now = context.clock.now();
  const flood = account.floods[quota];
  if (flood && now < flood.until) throw wait("FLOOD_WAIT_%d", flood.until - now);
  if (!context.options.rateLimits) return;

  const calls = (account.calls[quota] ?? []).filter((at) => at > now - quotaWindows[quota]);
  account.calls[quota] = calls;
  if (calls.length >= account.limits[quotaOf[quota]]) {
    const recent = flood && now - flood.until < day ? flood.seconds * 2 : undefined;
    const seconds = Math.min(longestFloodSeconds, recent ?? account.limits.floodSeconds * severity[quota]);
    beginFlood(account, quota, seconds, now);
    store.changed();
    throw wait("FLOOD_WAIT_%d", seconds * 1000);
  }
  calls.push(now);
  store.changed();
}

export function beginFlood(account: Account, quota: Quota, seconds: number, now: number): void {
  account.floods[quota] = { until: now + seconds * 1000, seconds };
}

/** Strangers are people who are not contacts; after too many of them in a day the account may write to none. */
export function demandNoPeerFlood(account: Account, chat: Chat, { context, store }: Deps): void {
  const now = context.clock.now();
  if (account.peerFloodUntil !== undefined && now < account.peerFloodUntil) throw bad("PEER_FLOOD");
  if (chat.type !== "private" || account.contacts.includes(chat.id)) return;
  for (const [id, at] of Object.entries(account.strangers)) {
    if (at <= now - day) delete account.strangers[id];
  }
  const known = String(chat.id) in account.strangers;
  if (!known && Object.keys(account.strangers).length >= account.limits.strangersPerDay) {
    account.peerFloodUntil = now + peerFloodMs;
    store.changed();
    throw bad("PEER_FLOOD");
  }
  account.strangers[chat.id] ??= now;
}
