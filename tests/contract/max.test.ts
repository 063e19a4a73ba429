import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Post } from "../../src/content/index.ts";
import type { Compiled } from "../../src/platforms/index.ts";
import { noMedia, trackProgress } from "../../src/platforms/index.ts";
import { type Harness, openHarness } from "./harness.ts";
import { anyDocument, aPost, essence, photos } from "./posts.ts";
import { sampleMedia } from "./samples.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness("max");
});
beforeEach(() => harness.reset());
afterAll(() => harness.close());

function compiled(post: Post): Compiled {
  const result = harness.platform.compile(post, harness.channel);
  if (!result.ok) throw new Error(result.error.message);
  return result.compiled;
}

describe("an uploaded file that is not ready", () => {
  const post = aPost({ media: [{ kind: "video", blobRef: "v" }] });

  // covers autoposting: MAX adapter profile; Point 28
  test("is offered again until it is, without a second upload", async () => {
    await harness.control("PATCH", "/max/options", { not_ready_sends: 2 });
    expect((await harness.send(post)).kind).toBe("sent");
    expect(await harness.journal("POST /uploads")).toHaveLength(1);
  });

  // covers autoposting: MAX adapter profile; Point 28
  test("for too long is a short wait for this delivery only", async () => {
    await harness.control("PATCH", "/max/options", { not_ready_sends: 9 });
    expect(await harness.send(post)).toMatchObject({
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
    await harness.fault(fault, { method: "POST /uploads" });
    expect(await harness.send(aPost({ media: photos(1) }))).toMatchObject({
      kind: "failed",
      error: { category: "TRANSIENT", scope: "platform" },
    });
    expect(await harness.messages()).toEqual([]);
  });
});

describe("reading the chat back", () => {
  const find = (post: Post, change: Parameters<Harness["context"]>[0] = {}) =>
    harness.platform.find?.(compiled(post), harness.context(change));

  test.each([
    ["text", aPost({ text: "<b>Привет</b>,   мир 🦊\u00A0и <i>все</i>", format: "html" })],
    ["Markdown", aPost({ text: "# Т\n\n**ж** 2 * 2", format: "markdown" })],
    ["an album", aPost({ text: "Альбом", media: photos(3) })],
    ["a photo without a word", aPost({ media: photos(1) })],
  ])("finds %s that arrived without our knowing", async (_, post) => {
    const media = sampleMedia();
    await harness.fault({ kind: "drop_after" });
    expect((await harness.send(post, { media })).kind).toBe("unknown");
    const [message] = await harness.messages();
    expect(await find(post, { media })).toMatchObject({ kind: "found", providerMessageId: message?.id });
  });

  // covers autoposting: Outgoing idempotency
  test.each([
    ["a text", aPost({ text: "Добрый день" })],
    ["a photo without a word", aPost({ media: photos(1) })],
  ])("does not take %s of another delivery for its own", async (_, post) => {
    const media = sampleMedia();
    await harness.send(post, { media });
    const [other] = await harness.messages();
    const taken = async (ids: readonly string[]) => new Set(ids.filter((id) => id === other?.id));
    expect(await find(post, { media, taken })).toEqual({ kind: "absent" });
  });

  test("leaves it to the channel's policy when pictures alone do not tell whose they are", async () => {
    const post = aPost({ media: photos(1) });
    await harness.send(post);
    expect(await find(post, { media: sampleMedia() })).toMatchObject({
      kind: "unavailable",
      error: { category: "PERMANENT", code: "cannot_look_up" },
    });
    expect(await find(aPost({ media: photos(2) }))).toEqual({ kind: "absent" });
  });

  test("does not find what never arrived, nor another text, nor other media", async () => {
    await harness.send(aPost({ text: "другое" }));
    await harness.send(aPost({ text: "то самое", media: photos(1) }));
    expect(await find(aPost({ text: "то самое" }))).toEqual({ kind: "absent" });
  });

  test("does not take an older post of the same words for this one", async () => {
    await harness.send(aPost({ text: "снова" }));
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
      if (index === 0) await harness.fault({ kind: "drop_after" });
    });
    const media = sampleMedia();
    expect((await harness.send(post, { progress: lost, media })).kind).toBe("unknown");
    expect(await harness.messages()).toHaveLength(2);

    const progress = trackProgress(lost.acknowledged, async () => {});
    expect(await find(post, { progress, media })).toEqual({ kind: "absent" });
    expect(progress.acknowledged).toHaveLength(2);
    expect((await harness.send(post, { progress, media })).kind).toBe("sent");
    expect(await harness.messages()).toHaveLength(3);
  });

  test("goes back as far as the first try, however much has come since", async () => {
    await harness.send(aPost({ text: "давнее" }));
    for (let number = 1; number <= 130; number++) await harness.send(aPost({ text: `новое ${number}` }));
    expect(await find(aPost({ text: "давнее" }))).toMatchObject({ kind: "found" });
    expect(await find(aPost({ text: "не было" }))).toEqual({ kind: "absent" });
  });

  test("says when it cannot", async () => {
    await harness.fault({ kind: "status", status: 503 }, { method: "GET /messages" });
    expect(await find(aPost({ text: "а" }))).toMatchObject({
      kind: "unavailable",
      error: { category: "TRANSIENT" },
    });
    const channel = { ...harness.channel, targetId: "user:42" };
    expect(await find(aPost({ text: "а" }), { channel })).toMatchObject({ kind: "unavailable" });
  });
});

// covers autoposting: MAX adapter profile
test("an image goes by its address where the policy allows it", async () => {
  const image = noMedia;
  const url = "http://127.0.0.1:9/gone.png";
  const generous = await openHarness("max", { MAX_UPLOAD_POLICY: "image=url_allowed" });
  const post = aPost({ media: [{ kind: "photo", url }] });
  expect(await generous.send(post, { media: image })).toMatchObject({ error: { code: "max_bad_request" } });
  expect(await generous.journal("POST /messages")).toMatchObject([
    { request: { body: { attachments: [{ type: "image", payload: { url } }] } } },
  ]);
  await generous.close();
  expect(await harness.send(post, { media: image })).toMatchObject({
    error: { code: "media_missing_origin" },
  });
});

test("a preview is switched off and a message answered", async () => {
  const first = await harness.send(aPost({ text: "https://a.ru" }));
  const replyTo = first.kind === "sent" ? first.providerMessageId : "";
  expect((await harness.send(aPost({ text: "да", options: { replyTo, linkPreview: false } }))).kind).toBe(
    "sent",
  );
  expect((await harness.journal("POST /messages")).at(-1)).toMatchObject({
    request: { query: { disable_link_preview: "true" }, body: { link: { type: "reply", mid: replyTo } } },
  });
});

test.each(["html", "markdown", "plain"] as const)("MAX reads our %s as the text we meant", async (format) => {
  await fc.assert(
    fc.asyncProperty(anyDocument, async (document) => {
      const post = { ...aPost(), document, format };
      const result = harness.platform.compile(post, harness.channel);
      if (!result.ok) return;
      await harness.reset();
      await harness.platform.send(result.compiled, harness.context());
      const [message] = await harness.messages();
      expect(essence(message?.text ?? "")).toBe(essence(result.compiled.plainText));
    }),
    { numRuns: 60 },
  );
});
