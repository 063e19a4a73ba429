import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Post } from "../../src/content/index.ts";
import type { Compiled } from "../../src/platforms/index.ts";
import { noMedia, trackProgress } from "../../src/platforms/index.ts";
import { anyDocument, aPost, essence, photos } from "./posts.ts";
import { sampleMedia } from "./samples.ts";
import { openStand, type Stand } from "./stand.ts";

let stand: Stand;
beforeAll(async () => {
  stand = await openStand("max");
});
beforeEach(() => stand.reset());
afterAll(() => stand.close());

function compiled(post: Post): Compiled {
  const result = stand.platform.compile(post, stand.channel);
  if (!result.ok) throw new Error(result.error.message);
  return result.compiled;
}

describe("an uploaded file that is not ready", () => {
  const post = aPost({ media: [{ kind: "video", blobRef: "v" }] });

  // covers autoposting: MAX adapter profile; Point 28
  test("is offered again until it is, without a second upload", async () => {
    await stand.control("PATCH", "/max/options", { not_ready_sends: 2 });
    expect((await stand.send(post)).kind).toBe("sent");
    expect(await stand.journal("POST /uploads")).toHaveLength(1);
  });

  // covers autoposting: MAX adapter profile; Point 28
  test("for too long is a short wait for this delivery only", async () => {
    await stand.control("PATCH", "/max/options", { not_ready_sends: 9 });
    expect(await stand.send(post)).toMatchObject({
      kind: "failed",
      error: { category: "TRANSIENT", scope: "delivery", code: "attachment_not_ready", retryAfterMs: 2000 },
    });
  });
});

describe("an upload that goes wrong is a clean failure, because nobody has seen anything yet:", () => {
  test.each([
    ["the session is cut", { kind: "drop_after" }],
    ["the session cannot be read", { kind: "malformed" }],
    ["the session is refused for now", { kind: "status", status: 503 }],
  ] as const)("%s", async (_, fault) => {
    await stand.fault(fault, { method: "POST /uploads" });
    expect(await stand.send(aPost({ media: photos(1) }))).toMatchObject({
      kind: "failed",
      error: { category: "TRANSIENT", scope: "platform" },
    });
    expect(await stand.messages()).toEqual([]);
  });
});

describe("reading the chat back", () => {
  const find = (post: Post, change: Parameters<Stand["context"]>[0] = {}) =>
    stand.platform.find?.(compiled(post), stand.context(change));

  test.each([
    ["text", aPost({ text: "<b>Привет</b>,   мир 🦊\u00A0и <i>все</i>", format: "html" })],
    ["Markdown", aPost({ text: "# Т\n\n**ж** 2 * 2", format: "markdown" })],
    ["an album", aPost({ text: "Альбом", media: photos(3) })],
    ["a photo without a word", aPost({ media: photos(1) })],
  ])("finds %s that arrived without our knowing", async (_, post) => {
    const media = sampleMedia();
    await stand.fault({ kind: "drop_after" });
    expect((await stand.send(post, { media })).kind).toBe("unknown");
    const [message] = await stand.messages();
    expect(await find(post, { media })).toMatchObject({ kind: "found", providerMessageId: message?.id });
  });

  // covers autoposting: Outgoing idempotency
  test.each([
    ["a text", aPost({ text: "Добрый день" })],
    ["a photo without a word", aPost({ media: photos(1) })],
  ])("does not take %s of another delivery for its own", async (_, post) => {
    const media = sampleMedia();
    await stand.send(post, { media });
    const [other] = await stand.messages();
    const taken = async (ids: readonly string[]) => new Set(ids.filter((id) => id === other?.id));
    expect(await find(post, { media, taken })).toEqual({ kind: "absent" });
  });

  test("leaves it to the channel's policy when pictures alone do not tell whose they are", async () => {
    const post = aPost({ media: photos(1) });
    await stand.send(post);
    expect(await find(post, { media: sampleMedia() })).toMatchObject({
      kind: "unavailable",
      error: { category: "PERMANENT", code: "cannot_look_up" },
    });
    expect(await find(aPost({ media: photos(2) }))).toEqual({ kind: "absent" });
  });

  test("does not find what never arrived, nor another text, nor other media", async () => {
    await stand.send(aPost({ text: "другое" }));
    await stand.send(aPost({ text: "то самое", media: photos(1) }));
    expect(await find(aPost({ text: "то самое" }))).toEqual({ kind: "absent" });
  });

  test("does not take an older post of the same words for this one", async () => {
    await stand.send(aPost({ text: "снова" }));
    expect(await find(aPost({ text: "снова" }), { since: new Date(Date.now() + 60_000) })).toEqual({
      kind: "absent",
    });
  });

  // covers autoposting: Point 28
  test("of a series acknowledges the parts that arrived, so that sending goes on behind them", async () => {
    const files = ["document", "document", "document"] as const;
    const post = aPost({
      text: "Серия",
      media: files.map((kind, place) => ({ kind, blobRef: `${kind} ${place}` })),
    });
    const lost = trackProgress([], async (index) => {
      if (index === 0) await stand.fault({ kind: "drop_after" });
    });
    const media = sampleMedia();
    expect((await stand.send(post, { progress: lost, media })).kind).toBe("unknown");
    expect(await stand.messages()).toHaveLength(2);

    const progress = trackProgress(lost.acknowledged, async () => {});
    expect(await find(post, { progress, media })).toEqual({ kind: "absent" });
    expect(progress.acknowledged).toHaveLength(2);
    expect((await stand.send(post, { progress, media })).kind).toBe("sent");
    expect(await stand.messages()).toHaveLength(3);
  });

  test("goes back as far as the first try, however much has come since", async () => {
    await stand.send(aPost({ text: "давнее" }));
    for (let number = 1; number <= 130; number++) await stand.send(aPost({ text: `новое ${number}` }));
    expect(await find(aPost({ text: "давнее" }))).toMatchObject({ kind: "found" });
    expect(await find(aPost({ text: "не было" }))).toEqual({ kind: "absent" });
  });

  test("says when it cannot", async () => {
    await stand.fault({ kind: "status", status: 503 }, { method: "GET /messages" });
    expect(await find(aPost({ text: "а" }))).toMatchObject({
      kind: "unavailable",
      error: { category: "TRANSIENT" },
    });
    const channel = { ...stand.channel, targetId: "user:42" };
    expect(await find(aPost({ text: "а" }), { channel })).toMatchObject({ kind: "unavailable" });
  });
});

// covers autoposting: MAX adapter profile
test("an image goes by its address where the policy allows it", async () => {
  const image = noMedia;
  const url = "http://127.0.0.1:9/gone.png";
  const allowed = {
    image: "url_allowed",
    video: "upload_required",
    audio: "upload_required",
    file: "upload_required",
  } as const;
  const generous = await openStand("max", { maxUploadPolicy: allowed });
  const post = aPost({ media: [{ kind: "photo", url }] });
  expect(await generous.send(post, { media: image })).toMatchObject({ error: { code: "max_bad_request" } });
  expect(await generous.journal("POST /messages")).toMatchObject([
    { request: { body: { attachments: [{ type: "image", payload: { url } }] } } },
  ]);
  await generous.close();
  expect(await stand.send(post, { media: image })).toMatchObject({ error: { code: "media_missing_origin" } });
});

test("a preview is switched off and a message answered", async () => {
  const first = await stand.send(aPost({ text: "https://a.ru" }));
  const replyTo = first.kind === "sent" ? first.providerMessageId : "";
  expect((await stand.send(aPost({ text: "да", options: { replyTo, linkPreview: false } }))).kind).toBe(
    "sent",
  );
  expect((await stand.journal("POST /messages")).at(-1)).toMatchObject({
    request: { query: { disable_link_preview: "true" }, body: { link: { type: "reply", mid: replyTo } } },
  });
});

test.each(["html", "markdown", "plain"] as const)("MAX reads our %s as the text we meant", async (format) => {
  await fc.assert(
    fc.asyncProperty(anyDocument, async (document) => {
      const post = { ...aPost(), document, format };
      const result = stand.platform.compile(post, stand.channel);
      if (!result.ok) return;
      await stand.reset();
      await stand.platform.send(result.compiled, stand.context());
      const [message] = await stand.messages();
      expect(essence(message?.text ?? "")).toBe(essence(result.compiled.plainText));
    }),
    { numRuns: 60 },
  );
});
