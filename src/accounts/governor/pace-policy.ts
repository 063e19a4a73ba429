const hour = 3_600_000;
const day = 24 * hour;

/** Constants of the governor. Settings that people may change are in pace-settings.ts. */
export const policy = {
  /** A day that used less than this share of its limit does not raise it. */
  usedShare: 0.7,

  /** Daily limits by the account's age in days. */
  byAge: [
    { days: 1, perDay: 20 },
    { days: 2, perDay: 32 },
    { days: 3, perDay: 50 },
    { days: 5, perDay: 90 },
    { days: 7, perDay: 140 },
    { days: 14, perDay: 300 },
  ],

  /** Share of a day's limit that may be sent in 24 hours across midnight. */
  acrossMidnight: 1.1,

  /** How long warnings are remembered, and how long they slow growth. */
  memory: 14 * day,
  caution: 10 * day,

  /** Growth per clean day after a warning. */
  step: 1.15,
  /** Share of a known limit that is regained quickly, by the number of recent warnings. */
  share: [
    { warnings: 1, perDay: 0.9, copies: 0.78 },
    { warnings: 2, perDay: 0.8, copies: 0.7 },
    { warnings: Number.POSITIVE_INFINITY, perDay: 0.6, copies: 0.6 },
  ],
  /** Growth per clean day at a known limit: the more certain the limit, the less. Accounts younger than `youngDays` grow faster. */
  doubt: [
    { sureness: 0.5, young: 1.1, grown: 1.06 },
    { sureness: 1, young: 1.06, grown: 1.02 },
    { sureness: 2, young: 1.045, grown: 1.007 },
    { sureness: Number.POSITIVE_INFINITY, young: 1.03, grown: 1.004 },
  ],
  /** Growth between the quickly regained share and `brink` of the limit. */
  brink: 0.95,
  approach: { young: 1.05, grown: 1.015 },
  youngDays: 45,
  /** How much the kind of a warning shifts the blame between texts and pace, and the time within which a second warning is no accident. */
  blame: { restriction: 0.25, wait: 0.1, within: 3 * day },
  /** Cut for a warning that no load explains. */
  unexplained: { cut: 0.1 },
  /** A proven load is lowered to this share of a load that was too much. */
  disproved: 0.9,
  /** After a warning beyond the proven load, this share of the proven load is kept. */
  provenKept: 0.8,
  /** How much each kind of warning proves a limit: a short wait, a flood wait, a spam restriction. */
  sureness: { hiccup: 0.5, floodWait: 1, peerFlood: 3 },
  /** Two limits are the same if their loads differ by no more than this factor. */
  sameLimit: 0.75,

  /** Near-identical texts: growth before the first warning, and minimum and maximum by age. */
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

  /** Lower bounds after warnings. */
  least: { perDay: 5, copies: 2 },

  /** A single flood wait up to this long cuts half as much. */
  hiccupSeconds: 60,

  /** Time in which warnings add up to a stop, and lengths of stops; Telegram does not tell the length of a spam restriction. */
  breaker: { within: 2 * day, peerFloodHours: 72, frozenHours: 168, mostHours: 720 },

  /** This many chats that forbid writing within a day count as a warning about the account. */
  forbiddenStreak: { chats: 3, within: day },

  /** Allows for clock differences with Telegram. */
  slowModeMargin: 2000,
  hour,
  day,
} as const;
