/** File type is detected from the first bytes. Hand-written, because only the few types that messengers know matter. */
import type { MediaKind } from "../../content/index.ts";

/** How many bytes from the beginning are examined. */
export const headBytes = 512;

/** The text at an offset, as latin-1; the first line that matches decides. */
type Sign = readonly [at: number, text: string | RegExp];

const signatures: readonly (readonly [type: string, ...signs: readonly Sign[]])[] = [
  ["image/jpeg", [0, "\xff\xd8\xff"]],
  ["image/png", [0, "\x89PNG\r\n\x1a\n"]],
  ["image/gif", [0, /^GIF8[79]a/]],
  ["image/webp", [0, "RIFF"], [8, "WEBP"]],
  ["image/bmp", [0, "BM"], [6, "\0\0\0\0"]],
  ["image/tiff", [0, "II*\0"]],
  ["image/tiff", [0, "MM\0*"]],
  ["image/avif", [4, /^ftypavi[fs]/]],
  ["image/heic", [4, /^ftyp(?:hei[cxms]|hev[cx]|mif1|msf1)/]],
  ["audio/mp4", [4, /^ftypM4[AB]/]],
  ["video/quicktime", [4, "ftypqt"]],
  ["video/mp4", [4, "ftyp"]],
  ["video/webm", [0, "\x1a\x45\xdf\xa3"]],
  ["video/x-msvideo", [0, "RIFF"], [8, "AVI "]],
  ["audio/wav", [0, "RIFF"], [8, "WAVE"]],
  ["audio/mpeg", [0, /^(?:ID3|\xff[\xe2-\xfb])/]],
  ["audio/ogg", [0, "OggS"]],
  ["audio/flac", [0, "fLaC"]],
  ["application/pdf", [0, "%PDF-"]],
  ["application/zip", [0, "PK\x03\x04"]],
  ["text/html", [0, /^\s*<(?:!doctype html|html|head|body)/i]],
  ["image/svg+xml", [0, /^\s*(?:<\?xml[^>]*>\s*)?<svg/i]],
];

export const unknownType = "application/octet-stream";

/** By content; if that is not recognised, by the server's Content-Type, unless that says HTML. */
export function contentTypeOf(head: Uint8Array, announced: string | undefined): string {
  const text = Buffer.from(head).toString("latin1");
  const sniffed = signatures.find(([, ...signs]) =>
    signs.every(([at, sign]) =>
      typeof sign === "string" ? text.startsWith(sign, at) : sign.test(text.slice(at)),
    ),
  )?.[0];
  // Office files are ZIP archives inside; the server may know better.
  if (sniffed && sniffed !== "application/zip") return sniffed;
  const named = announced?.split(";")[0]?.trim().toLowerCase();
  if (named && /^[\w.+-]+\/[\w.+-]+$/.test(named) && named !== "text/html") return named;
  return sniffed ?? unknownType;
}

const shownAs: Record<MediaKind, RegExp> = {
  photo: /^image\/(?!svg)/,
  video: /^video\//,
  animation: /^(?:video\/|image\/gif$)/,
  audio: /^audio\/|^application\/ogg$/,
  document: /./,
};

/** Whether a file can be what the post says it is. Unrecognised types are left to the provider. */
export function canBe(kind: MediaKind, contentType: string): boolean {
  return contentType === unknownType || shownAs[kind].test(contentType);
}
