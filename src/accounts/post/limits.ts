import type { FileRules } from "../../platforms/index.ts";

/** Characters of a message, and of the caption of an account without Premium. */
export const longestText = 4096;
export const longestCaption = 1024;

/** Of an album. */
export const mostPhotos = 10;

/** What a photo may be; the same as for bots. */
export const photoRules: FileRules = {
  as: "photo",
  maxBytes: 10 * 1024 * 1024,
  picture: {
    contentTypes: ["image/jpeg", "image/png", "image/webp", "image/gif"],
    sidesSum: 10_000,
    ratio: 20,
  },
};
