import { describe, expect, it } from "vitest";
import { compose, type PublishedThing } from "./compose.ts";
import { randomIdsOf } from "./random-ids.ts";

const anObject = (given: Partial<PublishedThing> = {}): PublishedThing => ({
  texts: { default: "<b>Квартира</b>\nСвет и тишина", compact: "Квартира" },
  photos: [],
  photo_mode: "first",
  ...given,
});

describe("what is sent of an object", () => {
  it("its HTML as text with marks, in the format that is asked for", () => {
    expect(compose(anObject(), "default")).toMatchObject({
      ok: true,
      text: {
        text: "Квартира\nСвет и тишина",
        marks: [{ kind: { type: "bold" }, offset: 0, length: 8 }],
      },
    });
    expect(compose(anObject(), "compact")).toMatchObject({ ok: true, text: { text: "Квартира", marks: [] } });
    expect(compose(anObject({ texts: { default: "Одна" } }), "compact")).toMatchObject({
      text: { text: "Одна" },
    });
  });

  it("the first photo, or up to ten as an album", () => {
    const photos = Array.from({ length: 12 }, (_, index) => ({ url: `https://photos.test/${index}.jpg` }));
    const first = compose(anObject({ photos }), "default");
    expect(first).toMatchObject({ photos: [{ kind: "photo", url: "https://photos.test/0.jpg" }] });
    const album = compose(anObject({ photos, photo_mode: "album" }), "default");
    expect(album.ok && album.photos).toHaveLength(10);
    const stored = compose(anObject({ photos: [{ blob_ref: "flat-7" }] }), "default");
    expect(stored).toMatchObject({ photos: [{ kind: "photo", blobRef: "flat-7" }] });
  });

  it("the words without the photo when a caption cannot hold them", () => {
    const photos = [{ url: "https://photos.test/0.jpg" }];
    const long = (length: number) =>
      compose(anObject({ photos, texts: { default: "я".repeat(length) } }), "default");
    expect(long(1024)).toMatchObject({ ok: true, photos: [{}], withoutPhotos: false });
    expect(long(1025)).toMatchObject({ ok: true, photos: [], withoutPhotos: true });
    expect(long(4096)).toMatchObject({ ok: true });
    expect(long(4097)).toMatchObject({ ok: false, reason: "text_refused", detail: "4097 > 4096 characters" });
  });

  it("nothing without a text, or with one that cannot be read", () => {
    expect(compose(anObject({ texts: {} }), "default")).toMatchObject({ ok: false, reason: "no_text" });
    expect(compose(anObject({ texts: { default: " <b> </b> " } }), "default")).toMatchObject({
      reason: "no_text",
    });
    expect(compose(anObject({ texts: { default: "<b>открыт" } }), "default")).toMatchObject({
      reason: "text_refused",
      detail: expect.stringMatching(/b/),
    });
  });
});

describe("what Telegram knows the messages of a task by", () => {
  const task = "01a1e3d2-c097-79b2-af07-94f32b3a9034";

  it("is the same at every try, another for every message and every task, and fits into 64 bits", () => {
    const ids = randomIdsOf(task, 10);
    expect(ids).toEqual(randomIdsOf(task, 10));
    expect(randomIdsOf(task, 1)).toEqual(ids.slice(0, 1));
    const others = Array.from({ length: 100 }, () => randomIdsOf(crypto.randomUUID(), 10)).flat();
    expect(new Set([...ids, ...others]).size).toBe(1010);
    for (const id of [...ids, ...others]) expect(BigInt.asIntN(64, BigInt(id)).toString()).toBe(id);
  });

  it("does not change with a release", () => {
    expect(randomIdsOf(task, 2)).toEqual(["-5873630081136555579", "-1622659073469710687"]);
  });
});
