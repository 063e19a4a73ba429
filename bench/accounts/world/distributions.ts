/**
 * The world that accounts publish in, as figures. Telegram publishes none of its thresholds; these are drawn wide
 * around what people report: limits that grow with an account's age, waits from seconds to a day, restrictions of half a
 * day to three days, bans for those who go on regardless. They were fixed before the governor was written and are
 * never tuned: the governor is.
 */
export const distributions = {
  /** How much an account is trusted on the day it is connected, as a part of what it will be trusted with later. */
  kinds: {
    fresh: { weight: 0.3, start: [0.1, 0.25] },
    ordinary: { weight: 0.45, start: [0.3, 0.6] },
    old: { weight: 0.25, start: [0.6, 0.9] },
  },
  /** Days in which two thirds of the missing trust come. */
  ripening: [10, 30],
  /** Tolerated in 24 hours by a ripe account; nobody is held below the floor. */
  perDay: { median: 140, sigma: 0.45, min: 30, max: 600, floor: 12 },
  /** Tolerated in 60 minutes, as a part of the day's. */
  perHour: { share: [0.12, 0.3], floor: 5 },
  /** Seconds between two messages of a ripe account; longer as trust is lower. */
  gap: { median: 20, sigma: 0.6, max: 600 },
  /** Near-identical texts in 24 hours; those of the owner's other accounts count with the account's weight. */
  copies: { median: 25, sigma: 0.5, floor: 4, othersWeight: [0, 0.5] },

  /** From which part of a threshold warnings begin; how likely one is at the threshold, and how fast that grows beyond. */
  warning: { from: 0.85, atThreshold: 0.04, beyond: 0.5, most: 0.9 },
  /** Which warning it is. The rest are flood waits. */
  peerFlood: { copies: 0.8, day: 0.2, hour: 0, gap: 0 },
  /** Seconds of a flood wait: median at the beginning of warnings, growth with the load, doubled by each earlier warning. */
  floodWait: { median: 60, growth: 4, sigma: 0.7, doublings: 6, min: 5, max: 86_400 },
  /** Hours of a spam restriction, which Telegram does not tell. */
  restriction: [12, 72],
  /** Flood waits that nobody deserved. */
  hiccup: { perSend: 1 / 4000, seconds: [5, 60] },

  /** How many warnings in how many days are forgiven; each later one bans as often as this. */
  patience: { warnings: [3, 8], days: 14, ban: 0.3 },
  /** Writing while a wait or a restriction lasts: one more warning, and a ban as often as this. */
  ignored: { ban: 0.05 },
  /** How far past a threshold every message may bring a ban. */
  far: { factor: [1.5, 2.5], ban: 0.02 },

  /** Chats with slow mode, how long it is, how many show it beforehand, how many change it in a day. */
  slowMode: {
    share: 0.25,
    seconds: [10, 30, 60, 300, 900, 3600],
    shown: 0.5,
    changes: 0.005,
    refusalsPerWarning: 5,
  },
  /** Chats that take away the right to write in a day. */
  rightsLost: 0.001,

  /** The people who publish. */
  demand: {
    accountsInWorkspace: 5,
    chats: { median: 10, sigma: 0.5, min: 3, max: 40 },
    objects: { median: 8, sigma: 0.5, min: 2, max: 30 },
    /** The workspace's objects, in sizes of its largest account's selection. */
    pool: 1.5,
    objectLifeDays: 20,
    /** Objects whose text differs from another's by a floor and a price. */
    twinObjects: 0.2,
    modes: { safe: 0.15, normal: 0.5, aggressive: 0.15, smart: 0.15, fix: 0.05 },
    fixMinutes: [3, 15],
    dailyLimits: { "200": 0.7, "100": 0.2, "50": 0.1 },
  },
  /** Somebody looks at stopped accounts between these hours, so many hours apart on average, and starts what may start. */
  operator: { from: 9, to: 21, everyHours: 3 },
} as const;
