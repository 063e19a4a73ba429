export interface Shares {
  readonly sent: number;
  readonly failed: number;
  readonly waiting: number;
  /** Without repeats, which the channel had already. */
  readonly all: number;
}

const ended = {
  sent: ["sent", "withdrawn"],
  failed: ["failed_permanent", "dead"],
  repeated: ["deduped"],
} as const;

/** How far a post is, from how many of its deliveries are in each status. */
export function sharesOf(deliveries: Readonly<Record<string, number>>): Shares {
  const sum = (statuses: readonly string[]) =>
    statuses.reduce((total, status) => total + (deliveries[status] ?? 0), 0);
  const all = sum(Object.keys(deliveries)) - sum(ended.repeated);
  const sent = sum(ended.sent);
  const failed = sum(ended.failed);
  return { sent, failed, waiting: all - sent - failed, all };
}
