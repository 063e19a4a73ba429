import type { MediaKind } from "../../content/index.ts";
import type { FileRules, PlatformLimits } from "../contract.ts";

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

/** What is asked of a file that is uploaded. */
const files: Record<MediaKind, Omit<FileRules, "as">> = {
  photo: {
    maxBytes: 10 * MB,
    picture: {
      contentTypes: ["image/jpeg", "image/png", "image/webp", "image/gif"],
      sidesSum: 10_000,
      ratio: 20,
    },
  },
  video: { maxBytes: 50 * MB },
  animation: { maxBytes: 50 * MB },
  audio: { maxBytes: 50 * MB },
  document: { maxBytes: 50 * MB },
};

export function fileRules({ kind }: { readonly kind: MediaKind }): FileRules {
  return { as: kind, ...files[kind] };
}

/** Schemes that a link in a text or under a button may have. */
export const linkSchemes: ReadonlySet<string> = new Set(["http:", "https:", "tg:"]);
