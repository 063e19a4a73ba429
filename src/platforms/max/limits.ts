import type { FileRules, PlatformLimits } from "../contract.ts";

/**
 * What the MAX Bot API accepts. Lengths are UTF-16 units of the field as it is sent, markup included; a
 * message has no caption of its own, so the text's limit is also the caption's. Twelve attachments come
 * from a digest, not from the vendor, and a keyboard is counted as one of them to be safe.
 */
export const limits = {
  text: 4000,
  caption: 4000,
  album: { min: 2, max: 12 },
  perChatPerSecond: 2,
  perBotPerSecond: 30,
} as const satisfies PlatformLimits;

export const keyboardLimits = { rows: 30, linksPerRow: 3, buttons: 210, text: 128, url: 2048 } as const;

const MB = 1024 * 1024;

/** Kinds of files as MAX names them. */
export type UploadType = "image" | "video" | "audio" | "file";

/** What is asked of a file that is uploaded. Formats of video are left to MAX, which says so when it cannot play one. */
export const uploadRules: Record<UploadType, Omit<FileRules, "as">> = {
  image: {
    maxBytes: 50 * MB,
    picture: {
      contentTypes: ["image/jpeg", "image/png", "image/gif", "image/tiff", "image/bmp", "image/heic"],
      longestSide: 7680,
    },
  },
  video: { maxBytes: 250 * MB },
  audio: { maxBytes: 256 * MB },
  file: { maxBytes: 4096 * MB },
};

/**
 * How long a token is trusted. The vendor calls tokens reusable and gives no time; the document calls them short-lived. One
 * that has lapsed earlier is noticed and the file uploaded again.
 */
export const tokenGoodForMs = 3_600_000;

/** Schemes that a link in a text may have. */
export const linkSchemes: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:", "max:"]);

/** How far back of the first try a message may lie when the provider's clock is behind ours. */
export const clockSlackMs = 5_000;

/** How many of a chat's messages one request reads; the most the API gives. */
export const messagesRead = 100;

/** How far a look goes back: at two messages a second longer than a lease and the wait after it. */
export const pagesRead = 20;
