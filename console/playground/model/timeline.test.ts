import { describe, expect, it } from "vitest";
import type { MediaView } from "../types.ts";
import { aMessage } from "./builders.ts";
import { timelineOf } from "./timeline.ts";

const noon = new Date(2026, 10, 15, 12).getTime();
const minute = 60_000;
const day = 24 * 60 * minute;
const photo = (url: string): MediaView => ({ kind: "photo", url });

describe("a chat's timeline", () => {
  it("has a part for every day that has messages", () => {
    const days = timelineOf([
      aMessage({ id: "1", at: noon - 2 * day }),
      aMessage({ id: "2", at: noon - minute }),
      aMessage({ id: "3", at: noon }),
    ]);
    expect(days.map(({ posts }) => posts.map(({ key }) => key))).toEqual([["1"], ["2", "3"]]);
    expect(days[1]?.at).toBe(new Date(2026, 10, 15).getTime());
  });

  it("shows messages of one album as one post with its only caption", () => {
    const [post] = postsOf([
      aMessage({ id: "1", albumId: "a", media: [photo("/1")] }),
      aMessage({ id: "2", albumId: "a", media: [photo("/2")], text: "Подпись" }),
    ]);
    expect(post?.media.map(({ view }) => view.url)).toEqual(["/1", "/2"]);
    expect(post?.caption.text).toBe("Подпись");
    expect(post?.head.id).toBe("1");
  });

  it("shows no caption under an album when several of its items have their own", () => {
    const [post] = postsOf([
      aMessage({ id: "1", albumId: "a", media: [photo("/1")], text: "Первая" }),
      aMessage({ id: "2", albumId: "a", media: [photo("/2")], text: "Вторая" }),
    ]);
    expect(post?.caption.text).toBe("");
    expect(post?.media.map(({ caption }) => caption)).toEqual(["Первая", "Вторая"]);
  });

  it("keeps two albums that follow each other apart", () => {
    const posts = postsOf(["a", "a", "b"].map((albumId, index) => aMessage({ id: String(index), albumId })));
    expect(posts.map(({ messages }) => messages.length)).toEqual([2, 1]);
  });

  it("tells the same picture sent twice apart", () => {
    const [post] = postsOf([aMessage({ id: "1", media: [photo("/1"), photo("/1")] })]);
    expect(new Set(post?.media.map(({ key }) => key)).size).toBe(2);
  });

  it("joins posts of one author that come within five minutes", () => {
    const posts = postsOf([
      aMessage({ id: "1", at: noon }),
      aMessage({ id: "2", at: noon + minute }),
      aMessage({ id: "3", at: noon + 7 * minute }),
      aMessage({ id: "4", at: noon + 8 * minute, author: { name: "Гость", bot: false, mine: true } }),
    ]);
    expect(posts.map(({ follows }) => follows)).toEqual([false, true, false, false]);
    expect(posts.map(({ followed }) => followed)).toEqual([true, false, false, false]);
  });
});

function postsOf(messages: Parameters<typeof timelineOf>[0]) {
  return timelineOf(messages).flatMap(({ posts }) => posts);
}
