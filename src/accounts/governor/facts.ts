/** An account as the governor needs it. */
export interface PacedAccount {
  readonly connectedAt: number;
  readonly windowMinutes: number;
}

/** What has been sent lately, as far as it matters for one message. Lists of times are in order, oldest first. */
export interface Facts {
  readonly now: number;
  /** Midnight of the account's zone. */
  readonly dayStart: number;
  /** The account's messages since the earlier of 24 hours ago and midnight. */
  readonly sends: readonly number[];
  readonly chat: ChatFacts;
  /** Messages of the last 24 hours whose text was near-identical to this one's. */
  readonly copies: { readonly own: readonly number[]; readonly others: readonly number[] };
}

export interface ChatFacts {
  readonly slowModeSeconds: number;
  readonly lastSentAt?: number;
  /** The chat named a time itself. */
  readonly slowUntil?: number;
}

/** How many of the times are later than a moment. */
export function countSince(times: readonly number[], moment: number): number {
  let index = times.length;
  while (index > 0 && (times[index - 1] ?? 0) > moment) index--;
  return times.length - index;
}

/** A copy from another account counts less than the account's own. */
export function weighCopies(
  { copies, now }: Pick<Facts, "copies" | "now">,
  othersWeight: number,
  span: number,
): number {
  return countSince(copies.own, now - span) + othersWeight * countSince(copies.others, now - span);
}
