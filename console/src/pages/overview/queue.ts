/** The states of deliveries in simple terms: claimed and sending are shown as one. */
import type { Queue } from "../../api/index.ts";

export const statuses = ["queued", "sending", "retry", "sent", "deduped", "failed", "dead"] as const;
export type Status = (typeof statuses)[number];

export function countsOf(queue: Queue): Record<Status, number> {
  return {
    queued: queue.queued,
    sending: queue.claimed + queue.sending,
    retry: queue.retry,
    sent: queue.sent,
    deduped: queue.deduped,
    failed: queue.failed_permanent,
    dead: queue.dead,
  };
}

export function totalOf(queue: Queue): number {
  return Object.values(queue).reduce((sum, count) => sum + count, 0);
}
