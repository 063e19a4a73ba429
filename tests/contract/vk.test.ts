import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Post } from "../../src/content/index.ts";
import type { HttpClient } from "../../src/kernel/outbound/index.ts";
import {
  type ChannelProfile,
  type Compiled,
  definitionOf,
  type Posted,
  type SendContext,
  trackProgress,
} from "../../src/platforms/index.ts";
import { type Harness, openHarness } from "./harness.ts";
import { aPost, photos } from "./posts.ts";
import { sampleMedia } from "./samples.ts";
import { world } from "./vk/preparation.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness("vk");
});
beforeEach(() => harness.reset());
afterAll(() => harness.close());

const community = { token: world.community };
const channelWith = (settings: ChannelProfile["settings"]): ChannelProfile => ({
  ...harness.channel,
  settings,
});

function compiledIn(post: Post, settings: ChannelProfile["settings"] = {}): Compiled {
  const result = harness.platform.compile(post, channelWith(settings));
  if (!result.ok) throw new Error(result.error.message);
  return result.compiled;
}

const sendIn = (post: Post, settings: ChannelProfile["settings"], change: Partial<SendContext> = {}) =>
  harness.platform.send(
    compiledIn(post, settings),
    harness.context({ channel: channelWith(settings), ...change }),
  );

const codesOf = ({ losses }: Compiled) => losses.map(({ code }) => code);

describe("a text on a wall", () => {
  test("has the address behind a word beside it, and leads to people and communities of VK by their names", () => {
    const text =
      'Смотрите <a href="https://a.ru/?a=1&b=2">каталог</a>, <a href="https://vk.com/club102">Кофе</a>, ' +
      '<a href="https://vk.ru/id5">Анну</a> и <a href="https://a.ru/">https://a.ru/</a>';
    const compiled = compiledIn(aPost({ text, format: "html" }));
    expect(compiled.requests[0]?.body).toEqual({
      message: "Смотрите каталог (https://a.ru/?a=1&b=2), [club102|Кофе], [id5|Анну] и https://a.ru/",
    });
    expect(compiled.plainText).toBe("Смотрите каталог (https://a.ru/?a=1&b=2), Кофе, Анну и https://a.ru/");
    expect(codesOf(compiled)).toEqual(["link_as_text"]);
    const [request] = compiled.requests;
    expect(request && harness.platform.preview(request, harness.channel)).toMatchObject({
      http: { path: "/method/wall.post", body: { owner_id: -101, from_group: 1, guid: "<delivery>" } },
      shown: {
        text: compiled.plainText,
        marks: [
          { kind: { type: "link", url: "https://vk.com/club102" }, length: 4 },
          { kind: { type: "link", url: "https://vk.com/id5" }, length: 4 },
        ],
      },
    });
  });

  test("has buttons as its last lines", () => {
    const buttons = [
      [{ text: "Купить", url: "https://a.ru/buy" }],
      [{ text: "Карта", url: "https://a.ru/map" }],
    ];
    const compiled = compiledIn(aPost({ text: "Товар", buttons }));
    expect(compiled.plainText).toBe("Товар\n\nКупить: https://a.ru/buy\nКарта: https://a.ru/map");
    expect(codesOf(compiled)).toEqual(["buttons_as_text"]);
  });

  // covers networks: VK: long texts
  test("longer than an address can be goes in the body of the request", async () => {
    const text = `${"Длинная запись о чае. ".repeat(700)}Конец.`;
    expect((await harness.send(aPost({ text }))).kind).toBe("sent");
    expect(await harness.messages()).toMatchObject([{ text }]);
  });

  test("too long for one post becomes several where the channel says so, pictures under the last", async () => {
    const text = `${"Глава о чае. ".repeat(90).trim()}\n\n`.repeat(20).trim();
    const settings = { too_long: "split" };
    expect(codesOf(compiledIn(aPost({ text, media: photos(1) }), settings))).toEqual(["text_in_parts"]);
    const progress = trackProgress([], async () => {});
    expect(await sendIn(aPost({ text, media: photos(1) }), settings, { progress })).toMatchObject({
      kind: "sent",
      providerMessageId: "1",
    });
    const shown = await harness.messages();
    expect(shown.map(({ media }) => media.length)).toEqual([0, 1]);
    expect(shown.map((message) => message.text).join("\n\n")).toBe(text);
  });

  test("is sent without a notice where it is to be silent", async () => {
    await harness.send(aPost({ text: "тише", options: { silent: true } }));
    expect(await harness.journal("wall.post")).toMatchObject([{ request: { mute_notifications: "1" } }]);
  });

  test("tells what a wall does not have", () => {
    const options = { protected: true, topicId: "1", replyTo: "2", linkPreview: { size: "large" } } as const;
    expect(codesOf(compiledIn(aPost({ text: "а", options })))).toEqual([
      "preview_settings",
      "not_protected",
      "no_topic",
      "no_reply",
    ]);
  });

  test.each(["video", "audio", "document"] as const)("is refused with a file of the kind %s", (kind) => {
    const post = aPost({ text: "а", media: [...photos(1), { kind, blobRef: "f" }] });
    expect(harness.platform.compile(post, harness.channel)).toMatchObject({
      ok: false,
      error: {
        code: "validation_failed",
        message: expect.stringContaining(`media 2 is of the kind ${kind}`),
      },
    });
  });
});

describe("an article", () => {
  const article = { title: "Как заварить улун", categories: [], tags: [], jsonLd: [] };
  const original = "https://a.ru/ulun";
  const long = `${"Воду берут мягкую. ".repeat(50).trim()}\n\n`.repeat(30);

  // covers networks: Articles elsewhere are shortened or refused
  test("that does not fit is cut between paragraphs, and leads to its original", async () => {
    const post = aPost({ text: long, article: { ...article, canonicalUrl: original } });
    const compiled = compiledIn(post);
    const [request] = compiled.requests;
    expect(codesOf(compiled)).toContain("text_shortened");
    expect(compiled.plainText).toMatch(/^Как заварить улун\n\nВоду.*мягкую\.…\n\nhttps:\/\/a\.ru\/ulun$/s);
    expect(compiled.plainText.length).toBeLessThanOrEqual(16_384);
    expect(compiled.plainText.length).toBeGreaterThan(15_000);
    expect(request?.body.attachments).toBe(original);
    expect((await harness.send(post)).kind).toBe("sent");
    expect(await harness.messages()).toMatchObject([{ linkPreview: { url: original } }]);
  });

  test("that fits is whole, without a word of loss about its address", () => {
    const post = aPost({ text: "Коротко.", article: { ...article, slug: "ulun", canonicalUrl: original } });
    const compiled = compiledIn(post);
    expect(compiled.plainText).toBe(`Как заварить улун\n\nКоротко.\n\n${original}`);
    expect(codesOf(compiled)).toEqual(["formatting_dropped"]);
  });

  test("with more pictures than fit shows the first ten and says so", () => {
    const compiled = compiledIn(aPost({ text: "а", media: photos(12), article }));
    expect(compiled.requests[0]?.media).toHaveLength(10);
    expect(codesOf(compiled)).toContain("pictures_beyond");
  });

  // covers networks: Articles elsewhere are shortened or refused
  test("is refused where the channel says so", () => {
    const result = harness.platform.compile(
      aPost({ text: "а", article }),
      channelWith({ articles: "refuse" }),
    );
    expect(result).toMatchObject({ ok: false, error: { code: "validation_failed" } });
  });

  test("is split rather than shortened where the channel splits", () => {
    const compiled = compiledIn(aPost({ text: long, article }), { too_long: "split" });
    expect(compiled.requests).toHaveLength(2);
    expect(codesOf(compiled)).not.toContain("text_shortened");
  });
});

describe("a community's key", () => {
  const picture = [{ kind: "photo", url: "https://i.ru/a,b.jpg" } as const];

  test("posts a text on the community's own wall", async () => {
    expect(await harness.send(aPost({ text: "а" }), { credential: community })).toMatchObject({
      kind: "sent",
      url: "https://vk.com/wall-101_1",
    });
  });

  // covers networks: VK: a community's key
  test("cannot upload pictures: such a post is refused with both ways out, and the channel goes on", async () => {
    expect(
      await harness.send(aPost({ text: "а", media: photos(1) }), { credential: community }),
    ).toMatchObject({
      kind: "failed",
      error: {
        category: "PERMANENT",
        scope: "delivery",
        code: "person_key_needed",
        message: expect.stringMatching(/person's key.*photos=link/),
      },
    });
    expect(await harness.messages()).toEqual([]);
  });

  test.each([
    [
      "the link that the post names",
      { options: { linkPreview: { url: "https://a.ru/named" } } },
      "https://a.ru/named",
    ],
    ["the first link of its text", { text: "Чай (https://a.ru/tea)." }, "https://a.ru/tea"],
    ["the picture's own address", {}, "https://i.ru/a%2Cb.jpg"],
  ])("shows the card of %s where the channel says so, and tells the loss", async (_, given, url) => {
    const post = aPost({ text: "Чай", media: picture, ...given });
    expect(codesOf(compiledIn(post, { photos: "link" }))).toContain("pictures_as_card");
    expect(await sendIn(post, { photos: "link" }, { credential: community })).toMatchObject({ kind: "sent" });
    expect(await harness.messages()).toMatchObject([{ media: [], linkPreview: { url } }]);
  });

  test("leaves out a picture without an address, and refuses a post of nothing else", () => {
    expect(codesOf(compiledIn(aPost({ text: "Чай", media: photos(1) }), { photos: "link" }))).toEqual([
      "picture_left_out",
    ]);
    const bare = harness.platform.compile(aPost({ media: photos(1) }), channelWith({ photos: "link" }));
    expect(bare).toMatchObject({ ok: false, error: { code: "validation_failed" } });
  });

  test("passes the test of a channel that shows links", async () => {
    const channel = channelWith({ photos: "link" });
    expect(await harness.platform.check(harness.context({ channel, credential: community }))).toMatchObject({
      ok: true,
    });
  });

  // covers networks: VK: a community's key
  test("cannot read the wall back, and posts once all the same", async () => {
    const post = aPost({ text: "Один раз" });
    await harness.fault({ kind: "drop_after" });
    expect((await harness.send(post, { credential: community })).kind).toBe("unknown");
    const context = harness.context({ credential: community });
    expect(await harness.platform.find?.(compiledIn(post), context)).toMatchObject({
      kind: "unavailable",
      error: { category: "PERMANENT", code: "person_key_needed" },
    });
    expect(await harness.send(post, { credential: community })).toMatchObject({ kind: "sent" });
    expect(await harness.messages()).toHaveLength(1);
  });
});

describe("communities to choose from", () => {
  const { http, clock } = { http: () => harness.context().http, clock: () => harness.context().clock };
  const places = (token: string) => harness.platform.places?.({ token }, { http: http(), clock: clock() });

  test("are those that a person edits", async () => {
    const place = { targetId: "101", title: "Лавка чая" };
    expect(await places(world.administrator)).toMatchObject({ kind: "listed", places: [place] });
    expect(await places(world.moderator)).toEqual({ kind: "listed", places: [] });
  });

  test("are shown and one of them checked although a person's key may ask three times a second", async () => {
    await harness.control("PATCH", "/options", { rate_limits: true });
    try {
      const credential = { token: world.administrator };
      expect(await places(credential.token)).toMatchObject({ kind: "listed" });
      expect(await harness.platform.check(harness.context({ credential }))).toMatchObject({ ok: true });
      const answers = JSON.stringify(await harness.control("GET", "/journal?limit=20"));
      expect(answers).toContain("Too many requests per second");
    } finally {
      await harness.control("PATCH", "/options", { rate_limits: false });
    }
  });

  // covers networks: VK: a community's key
  test("are the one whose key it is", async () => {
    expect(await places(world.community)).toEqual({
      kind: "listed",
      places: [{ targetId: "101", title: "Лавка чая", members: 1240 }],
    });
  });

  // covers networks: VK: a community's key
  test("are none for a VK ID key, which is refused with the reason", async () => {
    expect(await places(world.vkId)).toMatchObject({
      kind: "unavailable",
      error: { category: "PERMANENT", scope: "channel", code: "key_of_wrong_kind" },
    });
    const { schema } = definitionOf("vk").credential.fields.token ?? {};
    expect(schema?.safeParse("vk2.a.secret").error?.issues[0]?.message).toContain("community's settings");
  });
});

describe("a community by its short name", () => {
  const named = (targetId: string) => harness.context({ channel: { ...harness.channel, targetId } });

  test("is found with its number and title, or is not there", async () => {
    expect(await harness.platform.resolve?.(named("@tea_shop"))).toEqual({
      kind: "found",
      name: "@tea_shop",
      targetId: "101",
      title: "Лавка чая",
    });
    expect(await harness.platform.resolve?.(named("@nobody"))).toEqual({ kind: "absent" });
    expect(await harness.platform.resolve?.(named("101"))).toBeUndefined();
    await harness.fault({ kind: "status", status: 503 }, { method: "groups.getById" });
    expect(await harness.platform.resolve?.(named("@tea_shop"))).toEqual({ kind: "unavailable" });
  });

  test("is posted to before anybody has found it", async () => {
    expect(await harness.platform.send(compiledIn(aPost({ text: "а" })), named("@tea_shop"))).toMatchObject({
      kind: "sent",
    });
    expect(await harness.messages()).toHaveLength(1);
  });

  test("that nobody answers about is no doubt: nothing was posted", async () => {
    await harness.fault({ kind: "drop_after" }, { method: "groups.getById" });
    expect(await harness.platform.send(compiledIn(aPost({ text: "а" })), named("@tea_shop"))).toMatchObject({
      kind: "failed",
      error: { category: "TRANSIENT", code: "upstream_unavailable" },
    });
  });
});

describe("what VK refuses, by its meaning:", () => {
  // covers networks: VK: each refusal by its meaning
  test.each([
    [1, "unknown", "TRANSIENT", "platform", "outcome_unknown", undefined],
    [5, "failed", "PERMANENT", "channel", "unauthorized", undefined],
    [6, "failed", "TRANSIENT", "platform", "rate_limited", 1_000],
    [7, "failed", "PERMANENT", "channel", "channel_unavailable", undefined],
    [9, "failed", "TRANSIENT", "platform", "flood_control", 3_600_000],
    [10, "unknown", "TRANSIENT", "platform", "outcome_unknown", undefined],
    [14, "failed", "TRANSIENT", "platform", "captcha_needed", 1_800_000],
    [15, "failed", "PERMANENT", "channel", "channel_unavailable", undefined],
    [17, "failed", "PERMANENT", "channel", "validation_required", undefined],
    [18, "failed", "PERMANENT", "channel", "unauthorized", undefined],
    [27, "failed", "PERMANENT", "channel", "unauthorized", undefined],
    [28, "failed", "PERMANENT", "channel", "unauthorized", undefined],
    [29, "failed", "TRANSIENT", "platform", "rate_limited", 3_600_000],
    [100, "failed", "PERMANENT", "delivery", "vk_bad_request", undefined],
    [113, "failed", "PERMANENT", "channel", "channel_unavailable", undefined],
    [203, "failed", "PERMANENT", "channel", "channel_unavailable", undefined],
    [214, "failed", "PERMANENT", "channel", "channel_unavailable", undefined],
    [219, "failed", "TRANSIENT", "channel", "wall_quota", 3_600_000],
    [220, "failed", "TRANSIENT", "channel", "wall_quota", 3_600_000],
    [222, "failed", "PERMANENT", "delivery", "links_forbidden", undefined],
    [224, "failed", "TRANSIENT", "channel", "wall_quota", 3_600_000],
    [1051, "failed", "PERMANENT", "channel", "key_of_wrong_kind", undefined],
    [3300, "failed", "TRANSIENT", "platform", "captcha_needed", 1_800_000],
    [3609, "failed", "PERMANENT", "channel", "unauthorized", undefined],
    [9999, "failed", "PERMANENT", "delivery", "vk_bad_request", undefined],
  ])("%i is %s, %s, scope %s, code %s", async (code, kind, category, scope, meaning, retryAfterMs) => {
    await harness.fault({ kind: "status", status: 400, code });
    const outcome = await harness.send(aPost({ text: "а" }));
    expect(outcome).toMatchObject({ kind, error: { category, scope, code: meaning } });
    expect(outcome.kind !== "sent" && outcome.error.retryAfterMs).toBe(retryAfterMs);
    expect(await harness.messages()).toEqual([]);
  });

  test("a day's posts are a wait for this wall, not the loss of it", async () => {
    const description = "Access to adding post denied: you can only add 50 posts a day";
    await harness.fault({ kind: "status", status: 400, code: 214, description });
    expect(await harness.send(aPost({ text: "а" }))).toMatchObject({
      error: { category: "TRANSIENT", scope: "channel", code: "wall_quota" },
    });
  });

  // covers networks: VK: each refusal by its meaning
  test("a captcha comes with its picture, for a person to see", async () => {
    await harness.control("PATCH", `/vk/tokens/${world.administrator}`, { captchas: 1 });
    expect(await harness.send(aPost({ text: "а" }))).toMatchObject({
      error: { code: "captcha_needed", raw: { body: { captcha_img: expect.stringMatching(/^http/) } } },
    });
  });

  // covers networks: VK: each refusal by its meaning
  test("a revoked key, a person's or a community's, is to be connected again", async () => {
    for (const token of [world.administrator, world.community]) {
      await harness.control("PATCH", `/vk/tokens/${token}`, { revoked: true });
      expect(await harness.send(aPost({ text: "а" }), { credential: { token } })).toMatchObject({
        error: { category: "PERMANENT", scope: "channel", code: "unauthorized" },
      });
    }
  });

  test("links where the community forbids them are this post's fault", async () => {
    await harness.control("PATCH", `/vk/groups/${world.shop}`, { links_forbidden: true });
    expect(await harness.send(aPost({ text: "https://a.ru" }))).toMatchObject({
      error: { scope: "delivery", code: "links_forbidden" },
    });
    expect((await harness.send(aPost({ text: "без ссылок" }))).kind).toBe("sent");
  });

  test("no word of the post stands in the error that is kept", async () => {
    await harness.fault({ kind: "status", status: 400, code: 100 });
    expect(JSON.stringify(await harness.send(aPost({ text: "тайный анонс" })))).not.toContain("тайный");
  });
});

describe("an upload that goes wrong is a clean failure, because nobody has seen anything yet:", () => {
  test.each([
    ["no address to upload to is given", "photos.getWallUploadServer", { kind: "drop_after" }, "platform"],
    ["the address cannot be read", "photos.getWallUploadServer", { kind: "malformed" }, "platform"],
    ["the upload server is cut off", "upload", { kind: "drop_after" }, "platform"],
    ["the upload server is away", "upload", { kind: "status", status: 503 }, "platform"],
    ["the upload address has lapsed", "upload", { kind: "status", status: 404 }, "delivery"],
    ["the photo's saving is cut off", "photos.saveWallPhoto", { kind: "drop_after" }, "platform"],
    [
      "VK does not know the hash",
      "photos.saveWallPhoto",
      { kind: "status", status: 400, code: 121 },
      "delivery",
    ],
  ] as const)("%s", async (_, method, fault, scope) => {
    const post = aPost({ text: "Фото", media: photos(1) });
    const media = sampleMedia();
    await harness.fault(fault, { method });
    expect(await harness.send(post, { media })).toMatchObject({
      kind: "failed",
      error: { category: "TRANSIENT", scope },
    });
    expect(await harness.messages()).toEqual([]);
    expect((await harness.send(post, { media })).kind).toBe("sent");
    expect(await harness.messages()).toMatchObject([{ text: "Фото", media: [{ kind: "photo" }] }]);
  });
});

describe("a process that dies", () => {
  const post = aPost({ text: "Три фото", media: photos(3) });

  // covers networks: VK: a post with photos
  test("between upload and post has uploaded nothing in vain, and its post appears once", async () => {
    const media = sampleMedia();
    await expect(harness.send(post, { media, http: dyingAt("/method/wall.post") })).rejects.toThrow("died");
    expect(await harness.platform.find?.(compiledIn(post), harness.context({ media }))).toEqual({
      kind: "absent",
    });
    expect((await harness.send(post, { media })).kind).toBe("sent");
    expect(await harness.journal("upload")).toHaveLength(3);
    expect(await harness.messages()).toMatchObject([{ media: [{}, {}, {}] }]);
  });

  test("between two uploads goes on with the next", async () => {
    const media = sampleMedia();
    const dying = dyingAt("/method/photos.getWallUploadServer", 2);
    await expect(harness.send(post, { media, http: dying })).rejects.toThrow("died");
    expect((await harness.send(post, { media })).kind).toBe("sent");
    expect(await harness.journal("upload")).toHaveLength(3);
  });

  test.each(["first", "second", "refused"])(
    "between post and answer is found on the wall, whatever VK makes of a repeated guid (%s)",
    async (guid_repeat) => {
      await harness.control("PATCH", "/vk/options", { guid_repeat });
      const media = sampleMedia();
      await harness.fault({ kind: "drop_after" });
      expect((await harness.send(post, { media })).kind).toBe("unknown");
      expect(await harness.platform.find?.(compiledIn(post), harness.context({ media }))).toMatchObject({
        kind: "found",
        providerMessageId: (await harness.messages())[0]?.id,
        url: expect.stringContaining("/wall-101_"),
      });
      expect(await harness.messages()).toHaveLength(1);
    },
  );

  // covers networks: VK: once by guid and by reading the wall
  test("is not taken for new where VK refuses its guid: the wall is read instead", async () => {
    await harness.control("PATCH", "/vk/options", { guid_repeat: "refused" });
    expect((await harness.send(aPost({ text: "а" }))).kind).toBe("sent");
    expect(await harness.send(aPost({ text: "а" }))).toMatchObject({
      kind: "unknown",
      error: { code: "outcome_unknown" },
    });
    expect(await harness.messages()).toHaveLength(1);
  });

  /** A client whose process dies at the nth call of this path. */
  function dyingAt(path: string, nth = 1): HttpClient {
    const { http } = harness.context();
    let calls = 0;
    return {
      request: (request) => {
        if (request.url.endsWith(path) && ++calls === nth) throw new Error("the process died");
        return http.request(request);
      },
    };
  }
});

describe("reading the wall back", () => {
  const find = (post: Post, change: Partial<SendContext> = {}) =>
    harness.platform.find?.(compiledIn(post), harness.context(change));

  test("finds pictures without a word by the photos themselves", async () => {
    const post = aPost({ media: photos(2) });
    const media = sampleMedia();
    await harness.fault({ kind: "drop_after" });
    await harness.send(post, { media });
    expect(await find(post, { media })).toMatchObject({ kind: "found" });
    expect(await find(post, { media: sampleMedia() })).toMatchObject({
      kind: "unavailable",
      error: { code: "cannot_look_up" },
    });
  });

  // covers networks: VK: once by guid and by reading the wall
  test("takes neither another delivery's post nor an older one for its own", async () => {
    const post = aPost({ text: "Доброе утро" });
    await harness.send(post);
    expect(await find(post, { taken: async (ids) => new Set(ids) })).toEqual({ kind: "absent" });
    expect(await find(post, { since: new Date(Date.now() + 60_000) })).toEqual({ kind: "absent" });
  });

  test("goes back past a full page, and says when that is too far", async () => {
    await harness.send(aPost({ text: "давнее" }));
    for (let number = 1; number <= 120; number++)
      await harness.send(aPost({ text: `новое ${number}` }), { idempotencyKey: `delivery ${number}` });
    expect(await find(aPost({ text: "давнее" }))).toMatchObject({ kind: "found", providerMessageId: "1" });
    expect(await find(aPost({ text: "не было" }))).toEqual({ kind: "absent" });
  });
});

describe("corrections", () => {
  const posted = async (post: Post, change: Partial<SendContext> = {}): Promise<Posted> => {
    const compiled = compiledIn(post);
    const outcome = await harness.platform.send(compiled, harness.context(change));
    if (outcome.kind !== "sent") throw new Error(outcome.error.message);
    return { compiled, providerMessageIds: [outcome.providerMessageId], sentAt: new Date() };
  };
  const edit = (next: Post, old: Posted, change: Partial<SendContext> = {}) =>
    harness.platform.edit?.(compiledIn(next), old, harness.context(change));
  const remove = (old: Posted, change: Partial<SendContext> = {}) =>
    harness.platform.remove?.(old, harness.context(change));

  test("replace text and pictures, without a second upload of those that stay", async () => {
    const media = sampleMedia();
    const old = await posted(aPost({ text: "Цена 100", media: photos(2) }), { media });
    expect(await edit(aPost({ text: "Цена 200", media: photos(1) }), old, { media })).toMatchObject({
      kind: "sent",
    });
    expect(await edit(aPost({ text: "Цена 200", media: photos(1) }), old, { media })).toMatchObject({
      kind: "sent",
    });
    expect(await harness.messages()).toMatchObject([{ text: "Цена 200", media: [{}], edited: true }]);
    expect(await harness.journal("upload")).toHaveLength(2);
  });

  test("whose answer is lost are unknown, and simply made again", async () => {
    const old = await posted(aPost({ text: "Цена 100" }));
    await harness.fault({ kind: "drop_after" }, { method: "wall.edit" });
    expect(await edit(aPost({ text: "Цена 200" }), old)).toMatchObject({ kind: "unknown" });
    expect(await edit(aPost({ text: "Цена 200" }), old)).toMatchObject({ kind: "sent" });
    expect(await harness.messages()).toMatchObject([{ text: "Цена 200" }]);
  });

  test("take a post back, and one that is gone counts as taken back", async () => {
    const old = await posted(aPost({ text: "Ошибка" }));
    await harness.fault({ kind: "drop_after" }, { method: "wall.delete" });
    expect(await remove(old)).toMatchObject({ kind: "unknown" });
    expect(await harness.messages()).toEqual([]);
    expect(await remove(old)).toMatchObject({ kind: "sent" });
  });

  test("of a post that may not be touched are refused, and the post stays", async () => {
    const old = await posted(aPost({ text: "Чужое" }));
    const moderator = { credential: { token: world.moderator } };
    for (const outcome of [await remove(old, moderator), await edit(aPost({ text: "б" }), old, moderator)])
      expect(outcome).toMatchObject({
        kind: "failed",
        error: { category: "PERMANENT", scope: "delivery", code: "post_unavailable" },
      });
    expect(await harness.messages()).toMatchObject([{ text: "Чужое" }]);
  });

  test("by a community's key are refused, because VK gives it neither", async () => {
    const old = await posted(aPost({ text: "а" }), { credential: community });
    for (const outcome of [
      await remove(old, { credential: community }),
      await edit(aPost({ text: "б" }), old, { credential: community }),
    ])
      expect(outcome).toMatchObject({
        kind: "failed",
        error: { scope: "delivery", code: "person_key_needed" },
      });
  });

  test("are possible for a day, with no more posts than there were, and known posts only", async () => {
    const old = await posted(aPost({ text: "а" }));
    const { corrections } = harness.platform;
    const next = compiledIn(aPost({ text: "б" }));
    const hours = (count: number) => new Date(old.sentAt.getTime() + count * 3_600_000);
    expect(corrections?.editRefusal(old, next, hours(23))).toBeUndefined();
    expect(corrections?.editRefusal(old, next, hours(25))).toMatchObject({ code: "edit_too_late" });
    const two = { ...next, requests: [...next.requests, ...next.requests] };
    expect(corrections?.editRefusal(old, two, hours(1))).toMatchObject({ code: "more_messages" });
    expect(corrections?.removeRefusal(old, hours(1000))).toBeUndefined();
    expect(corrections?.removeRefusal({ ...old, providerMessageIds: [] }, hours(1))).toMatchObject({
      code: "message_ids_unknown",
    });
    await harness.control("PATCH", "/vk/options", { edit_hours: 0 });
    expect(await edit(aPost({ text: "б" }), old)).toMatchObject({
      kind: "failed",
      error: { code: "edit_too_late" },
    });
  });

  test("leave no post behind that the new text no longer needs", async () => {
    const long = `${"Глава о чае. ".repeat(90).trim()}\n\n`.repeat(20).trim();
    const compiled = compiledIn(aPost({ text: long }), { too_long: "split" });
    await harness.platform.send(compiled, harness.context());
    const ids = (await harness.messages()).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    const old = { compiled, providerMessageIds: ids, sentAt: new Date() };
    expect(await edit(aPost({ text: "Коротко" }), old)).toMatchObject({ kind: "sent" });
    expect(await harness.messages()).toMatchObject([{ id: ids[0], text: "Коротко" }]);
  });
});
