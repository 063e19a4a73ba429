const hour = 3_600_000;
const day = 24 * hour;

/** How the governor judges. What people may move is in settings.ts. */
export const policy = {
  /** A day that used less than this of what it was trusted with proves nothing, so it adds nothing. */
  usedShare: 0.7,

  /** No account gets past this before it is so many days old, whatever it has proved. */
  byAge: [
    { days: 1, perDay: 20 },
    { days: 2, perDay: 32 },
    { days: 3, perDay: 50 },
    { days: 5, perDay: 90 },
    { days: 7, perDay: 140 },
    { days: 14, perDay: 300 },
  ],

  /** In 24 hours that lie across midnight, so much of a day's messages may go out. */
  acrossMidnight: 1.1,

  /** Warnings are remembered for so long, and make careful for so long. */
  memory: 14 * day,
  caution: 10 * day,

  /** After a warning: by how much a clean day brings the pace back. */
  step: 1.15,
  /** How near to a limit the pace quickly returns, by how many warnings make careful. */
  share: [
    { warnings: 1, perDay: 0.9, copies: 0.78 },
    { warnings: 2, perDay: 0.8, copies: 0.7 },
    { warnings: Number.POSITIVE_INFINITY, perDay: 0.6, copies: 0.6 },
  ],
  /** By how much a clean day at a limit moves it: the surer it is, the less. An account younger than so many days ripens. */
  doubt: [
    { sureness: 0.5, young: 1.1, grown: 1.06 },
    { sureness: 1, young: 1.06, grown: 1.02 },
    { sureness: 2, young: 1.045, grown: 1.007 },
    { sureness: Number.POSITIVE_INFINITY, young: 1.03, grown: 1.004 },
  ],
  /** From there to the brink of the limit. */
  brink: 0.95,
  approach: { young: 1.05, grown: 1.015 },
  youngDays: 45,
  /** How far a warning's kind tips the scale between texts and pace; within which time a warning is no accident. */
  blame: { restriction: 0.25, wait: 0.1, within: 3 * day },
  /** A warning that nothing explains takes this away. */
  unexplained: { cut: 0.1 },
  /** What was carried before is proven no more beyond this part of a load that was too much. */
  disproved: 0.9,
  /** What is proven is kept up to this part when something beyond it was too much. */
  provenKept: 0.8,
  /** A flood wait says more or less by its length; a spam restriction is surer than either and costs days. */
  sureness: { hiccup: 0.5, floodWait: 1, peerFlood: 3 },
  /** A warning at this part of a limit's load or more, and not beyond its inverse, speaks of the same limit. */
  sameLimit: 0.75,

  /** Near-identical texts: growth before the first warning, what age alone gives, and what it keeps back. */
  copies: {
    growth: 1.2,
    byAge: [
      { days: 3, least: 1, most: 5 },
      { days: 7, least: 1, most: 7 },
      { days: 14, least: 5, most: 11 },
      { days: 21, least: 7, most: 14 },
      { days: 35, least: 9, most: 20 },
      { days: Number.POSITIVE_INFINITY, least: 11, most: Number.POSITIVE_INFINITY },
    ],
  },

  /** A warning never takes the account below these. */
  least: { perDay: 5, copies: 2 },

  /** A flood wait up to so many seconds, with no other warning about, takes half as much away: Telegram has hiccups. */
  hiccupSeconds: 60,

  /** Within which warnings add up to a stop; a spam restriction has no length that Telegram tells. */
  breaker: { within: 2 * day, peerFloodHours: 72, frozenHours: 168, mostHours: 720 },

  /** So many chats that forbid writing within a day are a warning about the account. */
  forbiddenStreak: { chats: 3, within: day },

  /** Telegram's clock is not ours. */
  slowModeMargin: 2000,
  hour,
  day,
} as const;
