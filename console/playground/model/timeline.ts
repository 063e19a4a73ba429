/** Groups a chat's messages into what is drawn: days, and within them posts, an album being one post. */
import type { MediaView, MessageView } from "../types.ts";

export interface Day {
  /** Local midnight, milliseconds. */
  readonly at: number;
  readonly posts: readonly Post[];
}

export interface Post {
  readonly key: string;
  /** The message whose author, time, reply and buttons the post shows. */
  readonly head: MessageView;
  /** The message whose text is shown; an album shows a caption only when exactly one item has one. */
  readonly caption: MessageView;
  readonly messages: readonly MessageView[];
  readonly media: readonly PostMedia[];
  /** Whether it continues, or is continued by, posts of the same author. */
  readonly follows: boolean;
  readonly followed: boolean;
}

export interface PostMedia {
  readonly key: string;
  readonly view: MediaView;
  readonly caption: string;
}

/** Posts of one author are grouped unless they are further apart than this. */
const runGapMs = 5 * 60_000;

export function timelineOf(messages: readonly MessageView[]): Day[] {
  const days = new Map<number, Album[]>();
  for (const album of albumsOf(messages)) {
    const day = midnight(album[0].at);
    days.set(day, [...(days.get(day) ?? []), album]);
  }
  return [...days].map(([at, albums]) => ({
    at,
    posts: albums.map((album, index) => postOf(album, albums[index - 1], albums[index + 1])),
  }));
}

/** Most albums are a single message. */
type Album = [MessageView, ...MessageView[]];

function albumsOf(messages: readonly MessageView[]): Album[] {
  const albums: Album[] = [];
  for (const message of messages) {
    const open = albums.at(-1);
    if (open && message.albumId !== undefined && open[0].albumId === message.albumId) open.push(message);
    else albums.push([message]);
  }
  return albums;
}

function postOf(album: Album, before: Album | undefined, after: Album | undefined): Post {
  const [head] = album;
  return {
    key: head.id,
    head,
    caption: captionOf(album),
    messages: album,
    media: album.flatMap(mediaOf),
    follows: sameRun(before?.at(-1), head),
    followed: sameRun(album.at(-1), after?.[0]),
  };
}

function mediaOf({ id, media, text }: MessageView): PostMedia[] {
  return media.map((view, index) => ({ key: `${id}:${index}`, view, caption: text }));
}

function captionOf(album: Album): MessageView {
  const [head] = album;
  if (album.length === 1) return head;
  const captioned = album.filter((message) => message.text !== "");
  return captioned.length === 1 && captioned[0] ? captioned[0] : bare(head);
}

function bare(message: MessageView): MessageView {
  return { ...message, text: "", marks: [] };
}

function sameRun(earlier: MessageView | undefined, later: MessageView | undefined): boolean {
  return (
    earlier !== undefined &&
    later !== undefined &&
    earlier.author.name === later.author.name &&
    earlier.author.mine === later.author.mine &&
    later.at - earlier.at < runGapMs
  );
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
