/** YooKassa's limits. Lengths are UTF-16 units, pauses milliseconds. */
export const limits = {
  idempotenceKey: 64,
  description: 128,
  metadata: { keys: 16, key: 32, value: 512 },
  merchantCustomerId: 200,
  page: { usual: 10, most: 100 },
  receipt: { items: 100, description: 128 },
} as const;

const minute = 60_000;
const hour = 60 * minute;
export const day = 24 * hour;

export const lifetimes = {
  idempotenceMs: day,
  /** An unpaid payment is cancelled automatically. */
  confirmationMs: hour,
  /** Money that is not captured is returned. */
  captureMs: 7 * day,
} as const;

export const notifications = {
  /** After each failure a longer pause; the last one repeats until the day is over. */
  pausesMs: [minute, 5 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 4 * hour],
  forMs: day,
  answerWithinMs: 10_000,
  /** One of the networks that YooKassa names. */
  source: "185.71.76.1",
} as const;

export const rates = { count: 20, perMs: 1_000 } as const;
