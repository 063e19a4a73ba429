export interface PacedAccount {
  readonly connectedAt: number;
  readonly windowMinutes: number;
}

/** Recent sends that matter for one message. Lists of times are oldest first. */
export interface Facts {
  readonly now: number;
  /** Midnight in the account's time zone. */
  readonly dayStart: number;
  /** The account's messages since the earlier of 24 hours ago and midnight. */
  readonly sends: readonly number[];
  readonly chat: ChatFacts;
  /** Messages of the last 24 hours with a near-identical text. */
  readonly copies: { readonly own: readonly number[]; readonly others: readonly number[] };
}

export interface ChatFacts {
  readonly slowModeSeconds: number;
  readonly lastSentAt?: number;
  /** A time given by the chat itself. */
  readonly slowUntil?: number;
}

/** How many of the times are after `moment`. */
export function countSince(times: readonly number[], moment: number): number {
  let index = times.length;
  while (index > 0 && (times[index - 1] ?? 0) > moment) index--;
  return times.length - index;
}

/** Copies by other accounts count less than the account's own. */
export function weighCopies(
  { copies, now }: Pick<Facts, "copies" | "now">,
  othersWeight: number,
  span: number,
): number {
  return countSince(copies.own, now - span) + othersWeight * countSince(copies.others, now - span);
}
