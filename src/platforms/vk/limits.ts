import type { FileRules, PlatformLimits } from "../contract.ts";

/**
 * What VK API 5.199 accepts. Lengths are UTF-16 units of the message as it is sent. The length of a message and the
 * number of attachments are what clients commonly use; the vendor does not document them. A person's key may make three
 * requests a second.
 */
export const limits = {
  text: 16_384,
  media: 10,
  album: { min: 2, max: 10, whole: ["photo"] },
  shortensArticles: true,
  perAccountPerSecond: 3,
} as const satisfies PlatformLimits;

/** Requirements for a picture; a GIF on a wall is a still picture. */
export const pictureRules: FileRules = {
  as: "photo",
  maxBytes: 50 * 1024 * 1024,
  picture: { contentTypes: ["image/jpeg", "image/png", "image/gif"], sidesSum: 14_000, ratio: 20 },
};

/** VK detects the type by the file's extension first. */
export const fileEnds: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
};

/** Editors may change a published post for a day. */
export const editableMs = 24 * 3_600_000;

/**
 * How much earlier than the first attempt a post may be dated, since VK's clock may be behind ours; VK counts whole
 * seconds.
 */
export const clockSlackMs = 5_000;

/** Posts per request; the maximum of the API. */
export const postsRead = 100;

/** How many pages of a wall are searched. A wall accepts about fifty posts a day. */
export const pagesRead = 5;
