/** Counts what happened to items: of a chunk, a run, a report. */
export interface PullStats {
  readonly processed: number;
  readonly accepted: number;
  readonly dropped: number;
  /** Remembered and not posted. */
  readonly seen: number;
  readonly dedup_dropped: number;
  readonly payload_rejected: number;
  readonly queued: number;
  readonly deduped: number;
  readonly failed_permanent: number;
  readonly skipped_inflight: number;
}

export const noStats: PullStats = {
  processed: 0,
  accepted: 0,
  dropped: 0,
  seen: 0,
  dedup_dropped: 0,
  payload_rejected: 0,
  queued: 0,
  deduped: 0,
  failed_permanent: 0,
  skipped_inflight: 0,
};

export function sum(one: PullStats, other: PullStats): PullStats {
  return {
    processed: one.processed + other.processed,
    accepted: one.accepted + other.accepted,
    dropped: one.dropped + other.dropped,
    seen: one.seen + other.seen,
    dedup_dropped: one.dedup_dropped + other.dedup_dropped,
    payload_rejected: one.payload_rejected + other.payload_rejected,
    queued: one.queued + other.queued,
    deduped: one.deduped + other.deduped,
    failed_permanent: one.failed_permanent + other.failed_permanent,
    skipped_inflight: one.skipped_inflight + other.skipped_inflight,
  };
}
