import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Post } from "../../src/content/index.ts";
import { messageIdsOf } from "../../src/delivery/corrections/message-ids.ts";
import { createPlatforms, type Posted, type SendContext } from "../../src/platforms/index.ts";
import { type Harness, openHarness } from "./harness.ts";
import { definitions, names } from "./platforms.ts";
import { aPost, photos } from "./posts.ts";
import { carries, preparationOf } from "./preparation.ts";
import { sampleMedia } from "./samples.ts";

const hours = (count: number) => count * 3_600_000;

/** What a test of corrections does with a platform. */
function at(name: string) {
  let harness: Harness;
  beforeAll(async () => {
    harness = await openHarness(name);
  });
  beforeEach(() => harness.reset());
  afterAll(() => harness.close());
  return {
    harness: () => harness,
    async posted(post: Post, change: Partial<SendContext> = {}): Promise<Posted> {
      const compiled = harness.compile(post);
      const outcome = await harness.platform.send(compiled, harness.context(change));
      if (outcome.kind !== "sent") throw new Error(outcome.error.message);
      const providerMessageIds = messageIdsOf(outcome.providerMessageId, { raw: outcome.raw });
      return { compiled, providerMessageIds, sentAt: new Date(), targetId: harness.channel.targetId };
    },
    edit: (next: Post, old: Posted, change: Partial<SendContext> = {}) =>
      harness.platform.edit?.(harness.compile(next), old, harness.context(change)),
    remove: (old: Posted, change: Partial<SendContext> = {}) =>
      harness.platform.remove?.(old, harness.context(change)),
    refusal: (old: Posted, next: Post, now = new Date()) =>
      harness.platform.corrections?.editRefusal(old, harness.compile(next), now)?.code,
  };
}

/** Every platform of the registry that changes posts: a new one brings the names of its calls in its preparation. */
const prepared = await Promise.all(names.map(async (name) => [name, await preparationOf(name)] as const));
const { platformOf } = createPlatforms({}, {}, definitions);
const editable = prepared.filter(([name]) => platformOf(name).edit !== undefined);

describe.each(editable)("on %s", (name, preparation) => {
  const { harness, posted, edit, remove } = at(name);
  const { mayEdit, methods: named } = preparation;
  if (!named.edit || !named.remove) throw new Error(`nobody has said by which calls ${name} changes posts`);
  const methods = { edit: named.edit, remove: named.remove };
  beforeEach(async () => {
    if (mayEdit) await harness().control("POST", mayEdit.path, mayEdit.body);
  });

  // covers corrections: Every platform that can change a post
  // covers networks: The contract over every platform
  test("a post is made to read otherwise, and a second time changes nothing", async () => {
    const old = await posted(aPost({ text: "Цена 100" }));
    for (let time = 0; time < 2; time++)
      expect(await edit(aPost({ text: "Цена 200" }), { ...old, mayDiffer: time > 0 })).toMatchObject({
        kind: "sent",
      });
    const edited = carries(preparation, "edit_marks");
    expect(await harness().messages()).toMatchObject([{ text: "Цена 200", edited }]);
  });

  // covers corrections: An unknown outcome is tried again
  test("a correction whose answer is lost is unknown, and simply made again", async () => {
    const old = await posted(aPost({ text: "Цена 100" }));
    await harness().fault({ kind: "drop_after" }, { method: methods.edit });
    expect(await edit(aPost({ text: "Цена 200" }), old)).toMatchObject({ kind: "unknown" });
    expect(await edit(aPost({ text: "Цена 200" }), { ...old, mayDiffer: true })).toMatchObject({
      kind: "sent",
    });
    expect(await harness().messages()).toMatchObject([{ text: "Цена 200" }]);
  });

  // covers corrections: Every platform that can take a post back
  test("a post is taken back, and one that is gone counts as taken back", async () => {
    const old = await posted(aPost({ text: "Ошибка" }));
    await harness().fault({ kind: "drop_after" }, { method: methods.remove });
    expect(await remove(old)).toMatchObject({ kind: "unknown" });
    expect(await harness().messages()).toEqual([]);
    expect(await remove(old)).toMatchObject({ kind: "sent" });
  });

  test("a wait that the provider asks for is told", async () => {
    const old = await posted(aPost({ text: "Цена 100" }));
    if (!carries(preparation, "waits")) return;
    await harness().fault({ kind: "status", status: 429, retryAfter: 7 }, { method: methods.edit });
    expect(await edit(aPost({ text: "Цена 200" }), old)).toMatchObject({
      kind: "failed",
      error: { category: "TRANSIENT", scope: "platform", code: "rate_limited", retryAfterMs: 7_000 },
    });
  });
});

describe("on Telegram", () => {
  const { harness, posted, edit, remove, refusal } = at("telegram");
  const button = (text: string) => [[{ text, url: "https://a.ru/" }]];

  // covers corrections: Buttons
  test("buttons change with the text, and go when the new post has none", async () => {
    const old = await posted(aPost({ text: "Товар", buttons: button("Купить") }));
    await edit(aPost({ text: "Товар", buttons: button("Заказать") }), old);
    expect(await harness().messages()).toMatchObject([{ text: "Товар", buttons: [[{ text: "Заказать" }]] }]);
    await edit(aPost({ text: "Товар" }), { ...old, mayDiffer: true });
    expect(await harness().messages()).toMatchObject([{ text: "Товар", buttons: [] }]);
  });

  test("a caption changes without its picture, and a picture is replaced", async () => {
    const media = sampleMedia();
    const old = await posted(aPost({ text: "Было", media: photos(1) }), { media });
    expect((await edit(aPost({ text: "Стало", media: photos(1) }), old, { media }))?.kind).toBe("sent");
    expect(await harness().journal("editMessageCaption")).toHaveLength(1);
    const [, other] = photos(2);
    const replaced = await edit(aPost({ text: "Стало", media: other ? [other] : [] }), old, { media });
    expect(replaced?.kind).toBe("sent");
    expect(await harness().journal("editMessageMedia")).toHaveLength(1);
    expect(await harness().messages()).toMatchObject([{ text: "Стало", media: [{ kind: "photo" }] }]);
  });

  test("a text gets a picture", async () => {
    const old = await posted(aPost({ text: "Без картинки" }));
    expect((await edit(aPost({ text: "С картинкой", media: photos(1) }), old))?.kind).toBe("sent");
    expect(await harness().messages()).toMatchObject([{ text: "С картинкой", media: [{ kind: "photo" }] }]);
  });

  // covers corrections: An album's other pictures
  test("an album keeps the number of its pictures; its caption and single pictures change", async () => {
    const old = await posted(aPost({ text: "Альбом", media: photos(3) }));
    expect(old.providerMessageIds).toHaveLength(3);
    expect(refusal(old, aPost({ text: "Альбом", media: photos(2) }))).toBe("album_size");
    expect(refusal(old, aPost({ text: "Альбом", media: photos(4) }))).toBe("album_size");
    expect(refusal(old, aPost({ text: "Альбом" }))).toBe("album_size");
    const [first, , third] = photos(4);
    const next = aPost({
      text: "Новая подпись",
      media: [first, photos(4)[3], third].flatMap((one) => one ?? []),
    });
    expect(refusal(old, next)).toBeUndefined();
    expect((await edit(next, old))?.kind).toBe("sent");
    expect((await harness().messages()).map(({ text }) => text)).toEqual(["Новая подпись", "", ""]);
    expect(await harness().journal("editMessageMedia")).toHaveLength(1);
    expect((await remove(old))?.kind).toBe("sent");
    expect(await harness().messages()).toEqual([]);
    expect(await harness().journal("deleteMessages")).toHaveLength(1);
  });

  // covers corrections: Series
  test("a series that becomes shorter loses its last messages, and one that becomes longer is refused", async () => {
    const text = "я".repeat(1025);
    const old = await posted(aPost({ text, media: photos(1) }));
    expect(old.providerMessageIds).toHaveLength(2);
    expect(refusal(old, aPost({ text: "а" }))).toBeUndefined();
    const short = await posted(aPost({ text: "Коротко" }));
    expect(refusal(short, aPost({ text, media: photos(1) }))).toBe("more_messages");
    expect((await edit(aPost({ text: "Одно сообщение" }), old))?.kind).toBe("sent");
    expect((await harness().messages()).map((message) => message.text)).toEqual([
      "Одно сообщение",
      "Коротко",
    ]);
  });

  test("a file cannot be taken off a post", async () => {
    const old = await posted(aPost({ text: "а", media: photos(1) }));
    expect(refusal(old, aPost({ text: "а" }))).toBe("media_to_text");
  });

  test("a post that somebody deleted is gone, and none of the channel's posts suffers for it", async () => {
    const old = await posted(aPost({ text: "а" }));
    await remove(old);
    expect(await edit(aPost({ text: "б" }), old)).toMatchObject({
      kind: "failed",
      error: { category: "PERMANENT", scope: "delivery", code: "message_gone" },
    });
  });

  test("messages whose numbers are not on record are left alone", async () => {
    const old = await posted(aPost({ media: photos(2) }));
    const lost = { ...old, providerMessageIds: ["group-1"] };
    expect(refusal(lost, aPost({ media: photos(2) }))).toBe("message_ids_unknown");
    expect(harness().platform.corrections?.removeRefusal(lost, new Date())?.code).toBe("message_ids_unknown");
  });

  // covers corrections: Deleting after 48 hours without the right to delete; Own posts at any age
  test("after 48 hours a post is taken back only with the right to delete, and changed all the same", async () => {
    const old = { ...(await posted(aPost({ text: "а" }))), sentAt: new Date(Date.now() - hours(49)) };
    const check = () => harness().platform.corrections?.removeCheck?.(old, harness().context());
    expect(await check()).toBeUndefined();
    await harness().control("PATCH", `/telegram/chats/${harness().channel.targetId}`, {
      members: [
        { bot: "shop_bot", status: "administrator", can_post_messages: true, can_delete_messages: false },
      ],
    });
    expect(await check()).toMatchObject({ code: "delete_too_late" });
    expect(refusal(old, aPost({ text: "б" }), new Date(Date.now() + hours(1_000)))).toBeUndefined();
  });
});

describe("on MAX", () => {
  const { harness, posted, edit, refusal } = at("max");

  test("text, pictures and buttons are replaced as a whole", async () => {
    const old = await posted(
      aPost({ text: "Было", media: photos(2), buttons: [[{ text: "Купить", url: "https://a.ru/" }]] }),
    );
    expect((await edit(aPost({ text: "Стало", media: photos(1) }), old))?.kind).toBe("sent");
    const [message] = await harness().messages();
    expect(message).toMatchObject({ text: "Стало", media: [{}], buttons: [] });
  });

  test("text goes from under a picture", async () => {
    const old = await posted(aPost({ text: "Было", media: photos(1) }));
    expect((await edit(aPost({ media: photos(1) }), old))?.kind).toBe("sent");
    expect(await harness().messages()).toMatchObject([{ text: "", media: [{}] }]);
  });

  test("in a dialog a message without buttons is changed for a week, in a channel at any age", async () => {
    const old = await posted(aPost({ text: "а" }));
    const late = new Date(Date.now() + hours(24 * 8));
    expect(refusal(old, aPost({ text: "б" }), late)).toBeUndefined();
    expect(refusal({ ...old, targetId: "user:5" }, aPost({ text: "б" }), late)).toBe("edit_too_late");
    expect(refusal({ ...old, targetId: "user:5" }, aPost({ text: "б" }))).toBeUndefined();
  });

  test("another bot's message is refused, and the channel is not blamed", async () => {
    const old = await posted(aPost({ text: "а" }));
    const gone = { ...old, providerMessageIds: ["mid.unknown"] };
    expect(await edit(aPost({ text: "б" }), gone)).toMatchObject({
      kind: "failed",
      error: { category: "PERMANENT", scope: "delivery", code: "message_gone" },
    });
  });
});
