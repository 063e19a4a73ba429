/**
 * Settings of each contestant. Each may have a thousand jobs in progress at once; within that, the values are the best
 * of those tried on a machine with two cores. docs/reference/bench.md lists what was tried.
 */
export const settings = {
  molva: { concurrency: 1_000, connections: 10 },
  pgBoss: { batchSize: 500, workers: 2, connections: 10, insertChunk: 5_000 },
  graphileWorker: { concurrency: 24, localQueue: 500 },
  bullmq: { concurrency: 500, addChunk: 1_000 },
  /** How many connections enqueue is tried with; the best of each contestant counts. */
  enqueueConnections: [1, 2, 4],
} as const;
