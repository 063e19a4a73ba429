import type { MediaKind } from "../../content/index.ts";
import { contentTypeOf, unknownType } from "../media/content-type.ts";

export interface Recognised {
  readonly contentType: string;
  /** What a post may show it as: `type` of its media. */
  readonly kind: MediaKind;
}

const kinds: readonly (readonly [type: RegExp, kind: MediaKind])[] = [
  [/^image\/gif$/, "animation"],
  [/^image\/(?!svg)/, "photo"],
  [/^video\//, "video"],
  [/^audio\//, "audio"],
];

export function kindOf(contentType: string): MediaKind {
  return kinds.find(([type]) => type.test(contentType))?.[1] ?? "document";
}

/** Endings by which people know pictures, films and recordings. */
const byEnding: Readonly<Record<string, "picture" | "video" | "recording">> = {
  ...{ jpg: "picture", jpeg: "picture", png: "picture", gif: "picture", webp: "picture", bmp: "picture" },
  ...{ heic: "picture", avif: "picture", tif: "picture", tiff: "picture" },
  ...{ mp4: "video", mov: "video", webm: "video", avi: "video", m4v: "video" },
  ...{
    mp3: "recording",
    ogg: "recording",
    oga: "recording",
    wav: "recording",
    flac: "recording",
    m4a: "recording",
  },
};

const families = { picture: /^image\//, video: /^video\//, recording: /^(?:audio|video)\// } as const;

const announcedAs = [
  [/^image\//, "picture"],
  [/^video\//, "video"],
  [/^audio\//, "recording"],
] as const;

/**
 * What a file is by its content; a refusal in a sentence if its name or its announced type says picture, video or recording and the
 * content says something else.
 */
export function recognise(
  head: Uint8Array,
  given: { readonly fileName: string; readonly announced: string | undefined },
): Recognised | { readonly refusal: string } {
  const found = contentTypeOf(head, undefined);
  const ending = given.fileName.toLowerCase().split(".").at(-1) ?? "";
  const said = byEnding[ending] ?? announcedAs.find(([type]) => type.test(given.announced ?? ""))?.[1];
  if (said && !families[said].test(found)) {
    const really = found === unknownType ? "something else" : found;
    return {
      refusal: `${given.fileName} is called a ${said}, but its content is ${really}. Save it as a ${said} and upload it again.`,
    };
  }
  const contentType = contentTypeOf(head, given.announced);
  return { contentType, kind: kindOf(contentType) };
}
