import type { MediaKind } from "../../content/index.ts";
import type { FileRules, PlatformLimits } from "../contract.ts";

/**
 * What the Bot API accepts. The Bot API server counts code points; the unit of the data centre behind it is not
 * documented, so lengths are UTF-16 units, which is never too lenient.
 */
export const limits = {
  text: 4096,
  media: 10,
  caption: 1024,
  album: { min: 2, max: 10, whole: ["photo", "video"] },
  perAccountPerSecond: 30,
} as const satisfies PlatformLimits;

/** Bytes of a text with its HTML, before Telegram parses it. */
export const rawTextBytes = 32_768;

/** Entities beyond this count are accepted but may not be shown. */
export const entitiesShown = 100;

const MB = 1024 * 1024;

/** Requirements for uploaded files. */
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

/** URL schemes that a link in a text or a button may have. */
export const linkSchemes: ReadonlySet<string> = new Set(["http:", "https:", "tg:"]);

/** How long a bot may delete its post without the right to delete messages. */
export const deletableMs = 48 * 3_600_000;

/** Messages that one call deletes. */
export const deletedAtOnce = 100;
