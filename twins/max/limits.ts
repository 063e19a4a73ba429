const MB = 1024 * 1024;
const second = 1000;
const hour = 3600 * second;

/** What the MAX Bot API accepts. Lengths are UTF-16 units of the field as it is sent, markup included. */
export const limits = {
  text: 4000,
  attachments: 12,
  commands: { count: 32, name: 64, description: 128 },
  keyboard: { rows: 30, perRow: 7, perRowWithWide: 3, total: 210 },
  button: { text: 128, payload: 1024, url: 2048, appPayload: 512 },
  chatTitle: 200,
  chatDescription: 16_000,
  page: { messages: 100, members: 100, updates: 1000 },
  pollTimeoutSeconds: 90,
  editInDialogMs: 7 * 24 * hour,
} as const;

/** Rates are counted over a sliding second. */
export const rates = { windowMs: second, requestsPerBot: 30, messagesPerChat: 2 } as const;

/** The provider states megabytes without saying which kind, so the larger is used. */
export const uploadLimits = {
  image: { bytes: 50 * MB, width: 7680, height: 7680 },
  video: { bytes: 250 * MB },
  audio: { bytes: 256 * MB, seconds: 3600 },
  file: { bytes: 4096 * MB },
} as const;

export const webhooks = {
  answerWithinMs: 30 * second,
  retries: 10,
  firstRetryMs: 60 * second,
  retryFactor: 2.5,
  unsubscribeAfterMs: 8 * hour,
} as const;

/** How many updates are kept for a bot that neither polls nor subscribes. */
export const updatesKept = 10_000;
