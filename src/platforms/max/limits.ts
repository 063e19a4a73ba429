import type { FileRules, PlatformLimits } from "../contract.ts";

/**
 * What the MAX Bot API accepts. Lengths are UTF-16 units of the field as it is sent, markup included; there are no
 * separate captions, so the limit of the text is also that of a caption. Twelve attachments come from a digest, not
 * from the vendor, and a keyboard is counted as one of them to be safe.
 */
export const limits = {
  text: 4000,
  media: 12,
  caption: 4000,
  album: { min: 2, max: 12 },
  perAccountPerSecond: 30,
} as const satisfies PlatformLimits;

export const keyboardLimits = { rows: 30, linksPerRow: 3, buttons: 210, text: 128, url: 2048 } as const;

const MB = 1024 * 1024;

/** Kinds of files as MAX names them. */
export type UploadType = "image" | "video" | "audio" | "file";

/** Requirements for uploaded files. Video formats are left to MAX, which refuses those it cannot play. */
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
 * How long a token is reused. The vendor calls tokens reusable without a time; the specification calls them
 * short-lived. A token that expires earlier is refused, and the file is uploaded again.
 */
export const tokenGoodForMs = 3_600_000;

/** URL schemes that a link in a text may have. */
export const linkSchemes: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:", "max:"]);

/** How much earlier than the first attempt a message may be dated, since the provider's clock may be behind ours. */
export const clockSlackMs = 5_000;

/** Messages per request; the maximum of the API. */
export const messagesRead = 100;

/** How many pages are read: at two messages a second this covers more than a lease and the wait after it. */
export const pagesRead = 20;

/** How long a message without buttons can be changed in a dialog; in chats and channels there is no limit. */
export const editableInDialogMs = 7 * 24 * 3_600_000;
