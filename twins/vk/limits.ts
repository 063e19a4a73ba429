/** VK's limits. Lengths are UTF-16 units. */
export const limits = {
  message: 16_384,
  attachments: 10,
  caption: 2048,
  photo: { bytes: 50 * 1024 * 1024, sides: 14_000, ratio: 20 },
  wallPage: 100,
  groupsPage: 1000,
  usersPage: 1000,
} as const;

/** Requests a second by kind of token. */
export const requestsPerSecond = { community: 20, user: 3, vkid: 3 } as const;

const minute = 60_000;
const hour = 60 * minute;

export const lifetimes = {
  /** A new upload address is needed for every post. */
  uploadMs: 15 * minute,
  captchaMs: 10 * minute,
  codeMs: 10 * minute,
  vkIdTokenMs: hour,
  refreshTokenMs: 180 * 24 * hour,
  /** A post can be scheduled up to a year ahead. */
  planAheadMs: 365 * 24 * hour,
} as const;

/** How often a community may post ads. */
export const ads = { perDay: 5, restMs: hour } as const;

export const dayMs = 24 * hour;
