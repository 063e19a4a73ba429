import type { Media, MediaKind } from "../../content/index.ts";

/** The method that sends one file of a kind, and the field of the file. */
export const mediaMethods: Record<MediaKind, { readonly method: string; readonly field: string }> = {
  photo: { method: "sendPhoto", field: "photo" },
  video: { method: "sendVideo", field: "video" },
  animation: { method: "sendAnimation", field: "animation" },
  audio: { method: "sendAudio", field: "audio" },
  document: { method: "sendDocument", field: "document" },
};

/** Kinds that may share an album have the same value; an animation cannot be in an album. */
const company: Record<MediaKind, string | undefined> = {
  photo: "pictures",
  video: "pictures",
  audio: "audio",
  document: "documents",
  animation: undefined,
};

export function mayShareAlbum(one: MediaKind, other: MediaKind): boolean {
  return company[one] !== undefined && company[one] === company[other];
}

/** Groups neighbouring media that may share an album, and keeps their order. */
export function albumsOf(media: readonly Media[]): Media[][] {
  const albums: Media[][] = [];
  for (const item of media) {
    const album = albums.at(-1);
    const neighbour = album?.[0];
    const fits = neighbour && mayShareAlbum(neighbour.kind, item.kind);
    if (album && fits) album.push(item);
    else albums.push([item]);
  }
  return albums;
}
