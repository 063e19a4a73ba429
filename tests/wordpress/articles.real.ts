import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Post } from "../../src/content/index.ts";
import type { Outcome, Posted, SendContext } from "../../src/platforms/index.ts";
import type { Harness } from "../contract/harness.ts";
import { aPost } from "../contract/posts.ts";
import { aFile, sampleMedia } from "../contract/samples.ts";
import { openHarness } from "./contract-harness.ts";
import { contractSite, siteName } from "./contract-site.ts";
import { phpMaxima } from "./real-wordpress.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness("wordpress");
});
beforeEach(() => harness.reset());
afterAll(() => harness.close());

const picture = (format: "webp" | "png", side = 64) =>
  sharp({ create: { width: side, height: 48, channels: 3, background: "#884422" } })
    .toFormat(format)
    .toBuffer();

async function accountOf(role: "editor" | "author" | "contributor") {
  const { real } = await contractSite();
  const { login, password } = real.users[role];
  return { ...harness.preparation.credential, login, app_password: password.replace(/\s/g, "") };
}

async function ask(path: string): Promise<ReturnType<typeof JSON.parse>> {
  const { real, front } = await contractSite();
  const authorization = `Basic ${Buffer.from(`${real.user}:${real.password}`).toString("base64")}`;
  const response = await fetch(`${front.url}/${siteName}/wp-json/wp/v2/${path}`, {
    headers: { authorization },
  });
  return response.json();
}

const anArticle = (given: Partial<Post> & { text?: string } = {}): Post =>
  aPost({
    text: '<p>Воду берут «мягкую» & тёплую. [gallery]</p><img src="media:1"><h2>Шаг 1</h2><ul><li>а<ul><li>б</li></ul></li></ul><pre>x &lt; y</pre>',
    format: "html",
    media: [
      { kind: "photo", blobRef: "cover", alt: "Чайник <на> столе" },
      { kind: "photo", blobRef: "steps", alt: "Шаги", caption: aPost({ text: "Пять шагов" }).document },
    ],
    article: {
      title: "Улун: «5 < 6» & ещё",
      description: "Коротко о воде & времени.",
      categories: ["Чай & кофе"],
      tags: ["улун", "вода"],
      jsonLd: [{ "@context": "https://schema.org", "@type": "FAQPage", name: "</script>[gallery]" }],
    },
    ...given,
  });

const lossesOf = (outcome: Outcome | undefined) =>
  outcome?.kind === "sent" ? (outcome.losses ?? []).map(({ code }) => code) : [];

describe("a real WordPress", () => {
  test("shows an article with its labels, its pictures with their words, and structured data", async () => {
    const files = { photo: aFile(await picture("webp"), "image/webp", "a.webp") };
    const outcome = await harness.send(anArticle(), { media: sampleMedia({ files }) });
    expect(outcome).toMatchObject({ kind: "sent", url: expect.stringMatching(/\/shop\/ulun-5-6-eshche\/$/) });
    expect(lossesOf(outcome)).toEqual([]);
    const page = await (await fetch(outcome.kind === "sent" ? (outcome.url ?? "") : "")).text();
    expect(page).toContain("Шаг 1</h2>");
    expect(page).toContain("Пять шагов</figcaption>");
    expect(page).toContain("&#091;gallery]");
    expect(page).toContain('"@type":"FAQPage","name":"\\u003c/script>\\u005bgallery]"');
    const [post] = await ask("posts?context=edit");
    expect(post.title.rendered).toBe("Улун: «5 &lt; 6» &amp; ещё");
    expect(await ask(`categories?post=${post.id}`)).toMatchObject([{ name: "Чай &amp; кофе" }]);
    expect(await ask(`tags?post=${post.id}`)).toHaveLength(2);
    const cover = await ask(`media/${post.featured_media}`);
    expect(cover).toMatchObject({
      mime_type: "image/webp",
      source_url: expect.stringMatching(/\/chaynik-na-stole[-\d]*\.webp$/),
    });
    expect(post.content.raw).toMatch(/class="wp-image-\d+"/);
  });

  test("uses labels that are there, and makes none twice", async () => {
    await harness.send(anArticle());
    const before = (await ask("categories?per_page=100")).length;
    await harness.send(anArticle(), { idempotencyKey: "delivery-2" });
    await harness.send(anArticle(), { idempotencyKey: "delivery-3", credential: await accountOf("author") });
    expect(await ask("categories?per_page=100")).toHaveLength(before);
    for (const post of await ask("posts?per_page=100")) expect(post.categories).toHaveLength(1);
  });

  test("keeps fields that it shows, and drops others without a word, which is told", async () => {
    const article = { ...anArticle().article, canonicalUrl: "https://a.ru/ulun" };
    const outcome = await harness.send(
      anArticle({ article: { ...article, title: "Поля", categories: [], tags: [], jsonLd: [] } }),
    );
    const [post] = await ask("posts?context=edit");
    expect(post.meta).toMatchObject({ _yoast_wpseo_title: "Поля" });
    expect(lossesOf(outcome)).toEqual(["original_untold"]);
  });

  test("takes no scripts of an author, and nothing of them is left standing in the text", async () => {
    const outcome = await harness.send(anArticle(), { credential: await accountOf("author") });
    expect(lossesOf(outcome)).toContain("scripts_left_out");
    const [post] = await ask("posts?context=edit");
    expect(post.content.raw).not.toContain("FAQPage");
    expect(post.content.raw).toContain("<!-- molva delivery-1 -->");
  });

  test("is asked for a page whose answer was lost, among others of the same address", async () => {
    const post = anArticle();
    for (const idempotencyKey of ["other-1", "other-2"]) await harness.send(post, { idempotencyKey });
    for (const credential of [harness.preparation.credential, await accountOf("author")]) {
      const context = { credential, idempotencyKey: `lost-${credential.login}` };
      await harness.fault({ kind: "drop_after" });
      expect((await harness.send(post, context)).kind).toBe("unknown");
      expect(await harness.platform.find?.(harness.compile(post), harness.context(context))).toMatchObject({
        kind: "found",
        url: expect.stringMatching(/ulun-5-6-eshche-\d\/$/),
      });
    }
    expect(await harness.platform.find?.(harness.compile(post), harness.context())).toEqual({
      kind: "absent",
    });
  });

  test("finds drafts and posts of tomorrow, too", async () => {
    const publishAt = new Date(Date.now() + 86_400_000).toISOString();
    for (const when of [{ status: "draft" }, { publishAt }] as const) {
      const post = anArticle({
        media: [],
        article: { ...anArticle().article, title: "Позже", categories: [], tags: [], jsonLd: [], ...when },
      });
      const context = { idempotencyKey: Object.keys(when).join() };
      await harness.fault({ kind: "drop_after" });
      await harness.send(post, context);
      expect(await harness.platform.find?.(harness.compile(post), harness.context(context))).toMatchObject({
        kind: "found",
      });
    }
    const statuses = (await ask("posts?status=draft,future&context=edit")).map(
      ({ status }: { status: string }) => status,
    );
    expect(statuses.sort()).toEqual(["draft", "future"]);
  });

  test("is found with plain links as well", async () => {
    const { real } = await contractSite();
    await real.set({ plainPermalinks: true });
    await harness.platform.places?.(harness.preparation.credential, harness.context());
    expect((await harness.send(anArticle())).kind).toBe("sent");
    await real.set({ plainPermalinks: false });
    expect(await ask("posts")).toHaveLength(1);
  });

  test("refuses a file beyond PHP's limits, a role's uploads and its posts, each by its meaning", async () => {
    await harness.platform.places?.(harness.preparation.credential, harness.context());
    for (const bytes of [phpMaxima.uploadBytes + 1, phpMaxima.postBytes + 1]) {
      const padded = Buffer.concat([await picture("png"), Buffer.alloc(bytes)]);
      const files = { photo: aFile(padded, "image/png", "a.png") };
      expect(await harness.send(anArticle(), { media: sampleMedia({ files }) })).toMatchObject({
        error: { scope: "delivery", code: "media_too_large" },
      });
    }
    const credential = await accountOf("contributor");
    expect(await harness.send(anArticle(), { credential })).toMatchObject({
      error: { scope: "channel", code: "role_may_not_upload" },
    });
    expect(await harness.send(aPost({ text: "а" }), { credential })).toMatchObject({
      error: { scope: "channel", code: "role_may_not_publish" },
    });
  });

  test("lets a page be changed and taken back, and keeps the delivery's sign in it", async () => {
    const media = sampleMedia({ files: { photo: aFile(await picture("png"), "image/png", "a.png") } });
    const compiled = harness.compile(anArticle());
    const outcome = await harness.platform.send(compiled, harness.context({ media }));
    if (outcome.kind !== "sent") throw new Error(outcome.error.message);
    const old: Posted = { compiled, providerMessageIds: [outcome.providerMessageId], sentAt: new Date() };
    const context: SendContext = harness.context({ media, idempotencyKey: "correction" });
    const next = harness.compile(anArticle({ text: "<p>Иначе.</p>", media: anArticle().media.slice(0, 1) }));
    expect(await harness.platform.edit?.(next, old, context)).toMatchObject({ kind: "sent" });
    const [post] = await ask("posts?context=edit");
    expect(post.content.raw).toMatch(/Иначе\.[\s\S]*<!-- molva delivery-1 -->$/);
    expect(await ask("media")).toHaveLength(2);
    expect(await harness.platform.remove?.(old, context)).toMatchObject({ kind: "sent" });
    expect(await harness.platform.remove?.(old, context)).toMatchObject({ kind: "sent" });
    expect(await ask("posts")).toEqual([]);
    expect(await harness.platform.edit?.(next, old, context)).toMatchObject({
      error: { code: "post_unavailable" },
    });
  });
});
