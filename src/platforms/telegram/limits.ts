import type { MediaKind } from "../../content/index.ts";
import type { PlatformLimits } from "../contract.ts";

/**
 * What the Bot API accepts. The server counts code points; which unit the data centre behind it counts is
 * not said, so lengths are UTF-16 units, which is never too lenient.
 */
export const limits = {
  text: 4096,
  caption: 1024,
  album: { min: 2, max: 10 },
  perChatPerSecond: 1,
  perBotPerSecond: 30,
} as const satisfies PlatformLimits;

/** Bytes of a text with its HTML, before Telegram parses it. */
export const rawTextBytes = 32_768;

/** Entities beyond this count are accepted but may not be shown. */
export const entitiesShown = 100;

const MB = 1024 * 1024;

/** Bytes of a file that is uploaded. */
export const uploadLimits: Record<MediaKind, number> = {
  photo: 10 * MB,
  video: 50 * MB,
  animation: 50 * MB,
  audio: 50 * MB,
  document: 50 * MB,
};

/** Schemes that a link in a text or under a button may have. */
export const linkSchemes: ReadonlySet<string> = new Set(["http:", "https:", "tg:"]);
