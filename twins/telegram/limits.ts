const megabyte = 1024 * 1024;

/** What the Bot API accepts. Text lengths are Unicode code points after entities are parsed. */
export const limits = {
  text: 4096,
  caption: 1024,
  rawTextBytes: 32_768,
  entities: 100,
  album: 10,
  callbackDataBytes: 64,
  copyText: 256,
  callbackAnswer: 200,
  commands: 100,
  upload: { photo: 10 * megabyte, other: 50 * megabyte },
  byUrl: { photo: 5 * megabyte, other: 20 * megabyte },
  download: 20 * megabyte,
  photo: { sidesSum: 10_000, ratio: 20 },
  deleteWithinMs: 48 * 3_600_000,
  callbackAnswerWithinMs: 15 * 60_000,
  updateLifetimeMs: 24 * 3_600_000,
  /** How many messages the twin keeps per chat. */
  messagesPerChat: 500,
} as const;

/** The longest sides of the copies that the provider makes of a photo. */
export const photoSides = [90, 320, 800, 1280, 2560] as const;
