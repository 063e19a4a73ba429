/** How gently retention works. How long things are kept is each workspace's own: `delivery.retention_of`. */
export interface RetentionSettings {
  /** Rows looked at in one transaction. */
  readonly rowsPerBatch: number;
  /** Objects listed at once for deletion from storage; each is deleted in a transaction of its own. */
  readonly objectsPerBatch: number;
  /** How long writers of events may be kept waiting for the drop of a partition. */
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
