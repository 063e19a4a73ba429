/** The batch sizes and timeouts of retention. How long things are kept is set per workspace: `delivery.retention_of`. */
export interface RetentionSettings {
  /** Rows examined in one transaction. */
  readonly rowsPerBatch: number;
  /** Objects listed at once for deletion from storage; each is deleted in its own transaction. */
  readonly objectsPerBatch: number;
  /** How long writers of events may wait for the drop of a partition. */
  readonly lockTimeoutMs: number;
  readonly lockTries: number;
  readonly betweenLockTriesMs: number;
}

export const retentionSettings: RetentionSettings = {
  rowsPerBatch: 1_000,
  objectsPerBatch: 100,
  lockTimeoutMs: 150,
  lockTries: 20,
  betweenLockTriesMs: 250,
};
