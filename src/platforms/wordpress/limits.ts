import type { FileRules, PlatformLimits } from "../contract.ts";

/**
 * WordPress does not limit text; this is our limit of a post. Sites differ in what they accept at once and run on cheap
 * servers, so posts and uploads are sent one a second.
 */
export const limits = {
  text: 80_000,
  media: 50,
  album: { min: 1, max: 50, whole: ["photo", "animation"] },
  title: 300,
} as const satisfies PlatformLimits;

const megabyte = 1024 * 1024;

/**
 * Requirements for a picture. PHP accepts 2 MiB by default, and readers wait for every byte. WordPress itself shrinks
 * pictures longer than 2560. An animated picture cannot be shrunk.
 */
export function pictureRules(contentType: string): FileRules {
  return {
    as: "picture",
    maxBytes: (contentType === "image/gif" ? 8 : 2) * megabyte,
    picture: {
      contentTypes: ["image/webp", "image/jpeg", "image/png", "image/gif"],
      longestSide: 2560,
      convertsTo: "image/webp",
    },
  };
}

/** For sites that do not accept WebP: older than 5.8, or forbidden by the owner. */
export function olderPictureRules(contentType: string): FileRules {
  return {
    as: "older picture",
    maxBytes: pictureRules(contentType).maxBytes,
    picture: { contentTypes: ["image/jpeg", "image/png", "image/gif"], longestSide: 2560 },
  };
}

/** WordPress detects the type by the file's extension. */
export const fileEnds: Readonly<Record<string, string>> = {
  "image/webp": "webp",
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
};

export const longestSlug = 80;
export const longestFileName = 60;

/** A site's clock may be behind ours; the delivery's marker in the post identifies it. */
export const clockSlackMs = 3_600_000;

/** How many posts one request lists, and how many lists are read. */
export const postsListed = 100;
export const listsRead = 10;

/** How long the result of discovering a site is reused. */
export const siteKeptMs = 300_000;
export const sitesKept = 500;

/** When a site in maintenance mode is asked again. */
export const maintenanceMs = 300_000;
