import type { FileRules } from "../../platforms/index.ts";

/** Characters of a message and of a caption; accounts without Premium. */
export const longestText = 4096;
export const longestCaption = 1024;

export const mostPhotos = 10;

/** The same as for bots. */
export const photoRules: FileRules = {
  as: "photo",
  maxBytes: 10 * 1024 * 1024,
  picture: {
    contentTypes: ["image/jpeg", "image/png", "image/webp", "image/gif"],
    sidesSum: 10_000,
    ratio: 20,
  },
};
