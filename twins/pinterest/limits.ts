/** Pinterest's limits. Lengths are UTF-16 units. */
export const limits = {
  title: 100,
  description: 800,
  altText: 500,
  link: 2048,
  boardName: 50,
  boardDescription: 500,
  imageBytes: 20 * 1024 * 1024,
  page: { usual: 25, most: 250 },
} as const;

const day = 24 * 60 * 60 * 1000;

export const lifetimes = { codeMs: 10 * 60_000, accessMs: 30 * day, refreshMs: 60 * day } as const;

/** A trial app's requests are limited by the day, everybody's by the minute and kind. */
export const rates = {
  trialPerDay: { count: 1000, perMs: day },
  read: { count: 1000, perMs: 60_000 },
  write: { count: 100, perMs: 60_000 },
} as const;

/** Short links hide their target, and are refused. */
export const shorteners = ["bit.ly", "tinyurl.com", "goo.gl", "t.co", "clck.ru", "cutt.ly", "ow.ly", "is.gd"];
