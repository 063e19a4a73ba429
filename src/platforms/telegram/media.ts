import type { Media, MediaKind } from "../../content/index.ts";

/** The call that sends one file of a kind, and the field that holds the file. */
export const mediaMethods: Record<MediaKind, { readonly method: string; readonly field: string }> = {
  photo: { method: "sendPhoto", field: "photo" },
  video: { method: "sendVideo", field: "video" },
  animation: { method: "sendAnimation", field: "animation" },
  audio: { method: "sendAudio", field: "audio" },
  document: { method: "sendDocument", field: "document" },
};

/** Kinds that may share an album have the same word; an animation stands alone. */
const company: Record<MediaKind, string | undefined> = {
  photo: "pictures",
  video: "pictures",
  audio: "audio",
  document: "documents",
  animation: undefined,
};

/** Media in their order, neighbours that may share an album together. */
export function albumsOf(media: readonly Media[]): Media[][] {
  const albums: Media[][] = [];
  for (const item of media) {
    const album = albums.at(-1);
    const neighbour = album?.[0];
    const fits =
      neighbour && company[item.kind] !== undefined && company[neighbour.kind] === company[item.kind];
    if (album && fits) album.push(item);
    else albums.push([item]);
  }
  return albums;
}
