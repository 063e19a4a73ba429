import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Article, type Post, postFromPayload } from "../../src/content/index.ts";
import { createGuardedClient, type HttpClient, type HttpRequest } from "../../src/kernel/outbound/index.ts";
import {
  type ChannelProfile,
  type Compiled,
  createPlatforms,
  definitionOf,
  type Outcome,
  type Posted,
  type SendContext,
} from "../../src/platforms/index.ts";
import { goldenPayloads } from "./golden-payloads.ts";
import { type Harness, openHarness } from "./harness.ts";
import { aPost, photos } from "./posts.ts";
import { aFile, png, sampleMedia } from "./samples.ts";
import { credentials, world } from "./wordpress/preparation.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness("wordpress");
});
beforeEach(async () => {
  await harness.reset();
  // The cached site of an earlier test may have been another one.
  await harness.platform.places?.(harness.preparation.credential, harness.context());
  await harness.control("DELETE", "/journal");
});
afterAll(() => harness.close());

const settingsOf = (settings: ChannelProfile["settings"]): ChannelProfile => ({
  ...harness.channel,
  settings,
});

function compiledIn(post: Post, settings: ChannelProfile["settings"] = {}): Compiled {
  const result = harness.platform.compile(post, settingsOf(settings));
  if (!result.ok) throw new Error(result.error.message);
  return result.compiled;
}

const sendIn = (post: Post, settings: ChannelProfile["settings"], change: Partial<SendContext> = {}) =>
  harness.platform.send(
    compiledIn(post, settings),
    harness.context({ channel: settingsOf(settings), ...change }),
  );

const change = (body: object) => harness.control("PATCH", `/wordpress/sites/${world.site}`, body);
const basic = `Basic ${Buffer.from(`${world.logins.administrator}:${world.password}`).toString("base64")}`;

/** Asks the site as its administrator. */
async function ask(path: string, { method = "GET" } = {}): Promise<ReturnType<typeof JSON.parse>> {
  const response = await fetch(`${harness.twinsUrl}/wordpress/${world.site}/wp-json/wp/v2/${path}`, {
    method,
    headers: { authorization: basic },
  });
  return response.json();
}
const posts = () =>
  ask("posts?status=publish,future,draft,pending,trash&context=edit&order=asc&per_page=100");
const page = async (id: string) =>
  (await fetch(`${harness.twinsUrl}/wordpress/${world.site}/?p=${id}`)).text();

const lossesOf = (outcome: Outcome | undefined) =>
  outcome?.kind === "sent" ? (outcome.losses ?? []).map(({ code }) => code) : [];
const idOf = (outcome: Outcome) => (outcome.kind === "sent" ? outcome.providerMessageId : "");

const article: Article = {
  title: "Как заварить улун: 5 шагов",
  description: "Коротко о воде & времени.",
  categories: ["Чай", "Советы & ответы"],
  tags: ["улун"],
  jsonLd: [{ "@context": "https://schema.org", "@type": "FAQPage", name: "</script>[gallery]" }],
  canonicalUrl: "https://a.ru/ulun",
  focusKeyword: "как заварить улун",
};

const pictures = [
  { kind: "photo", blobRef: "cover", alt: "Чайник на столе" },
  {
    kind: "photo",
    blobRef: "steps",
    alt: "Пять шагов",
    caption: aPost({ text: "Шаги <b>по порядку</b>", format: "html" }).document,
  },
  { kind: "photo", blobRef: "plain" },
] as const;

const anArticle = (given: Partial<Post> & { text?: string } = {}): Post =>
  aPost({
    text: '<h1>Как заварить улун: 5 шагов</h1><p>Воду берут мягкую.</p><img src="media:1"><h2>Шаг 1</h2><p>[gallery] греем</p>',
    format: "html",
    media: pictures,
    article,
    ...given,
  });

describe("an article", () => {
  // covers networks: WordPress: the whole article
  test("is a page with its title, address, description, labels, pictures and structured data", async () => {
    const outcome = await harness.send(anArticle());
    expect(outcome).toMatchObject({
      kind: "sent",
      url: expect.stringMatching(/\/kak-zavarit-ulun-5-shagov\/$/),
    });
    const [post] = await posts();
    expect(post).toMatchObject({
      title: { rendered: "Как заварить улун: 5 шагов" },
      slug: "kak-zavarit-ulun-5-shagov",
      status: "publish",
      excerpt: { raw: "Коротко о воде &amp; времени." },
    });
    const [message] = await harness.messages();
    expect(message).toMatchObject({
      title: "Как заварить улун: 5 шагов",
      text: "Воду берут мягкую.\n\nШаги по порядку\n\nШаг 1\n\n[gallery] греем",
      media: [{ kind: "photo" }, { kind: "photo" }, { kind: "photo" }],
    });
    expect(post.content.raw).toContain("&#091;gallery] греем");
    expect(post.content.raw).toMatch(
      /<script type="application\/ld\+json">\{.*\\u003c\/script>\\u005bgallery\]"\}<\/script>/,
    );
    expect(post.content.raw).toMatch(/<!-- molva delivery-1 -->$/);

    const categories = await ask(`categories?post=${post.id}`);
    expect(categories.map(({ name }: { name: string }) => name).sort()).toEqual([
      "Советы &amp; ответы",
      "Чай",
    ]);
    expect(await ask(`tags?post=${post.id}`)).toMatchObject([{ name: "улун" }]);
  });

  test("has contents, tables, its brand's colours and whole structured data, where the account may write them", async () => {
    const sections = ["Вода", "Лист", "Время"].map(
      (name, index) => `<h2 id="shag-${index + 1}">${name}</h2>`,
    );
    const text = [
      '<p>Коротко.</p><nav><p><b>Содержание</b></p><ul><li><a href="#shag-1">Вода</a><ul><li><a href="#shag-2">Лист</a></li></ul></li></ul></nav>',
      ...sections,
      "<table><thead><tr><th>Чай</th><th>Вода</th></tr></thead><tbody><tr><td>Улун</td><td>95 °C</td></tr></tbody></table>",
      '<p><a href="#shag-3">Сколько ждать</a>, <a href="#nowhere">где брать</a></p>',
    ].join("");
    const jsonLd = [{ "@context": "https://schema.org", "@type": "Article", headline: article.title }];
    const post = anArticle({ text, article: { ...article, jsonLd, brand: { accent: "#0a6b3c" } } });
    const shown = async (credential: (typeof credentials)["editor"]) => {
      const outcome = await harness.send(post, { credential });
      return { html: await page(idOf(outcome)), losses: lossesOf(outcome) };
    };
    const whole = await shown(credentials.editor);
    expect(whole.losses).not.toContain("brand_colours");
    expect(whole.html.match(/<style>\.molva-article [^<]*#0a6b3c[^<]*<\/style>/g)).toHaveLength(1);
    expect(whole.html).toContain('<div class="wp-block-group molva-article">');
    expect(whole.html).toMatch(
      /"@type":"Article".{1,500}"image":\["http[^"]+\.png".{1,500}"datePublished":"20/,
    );
    const filtered = await shown(credentials.author);
    expect(filtered.losses).toEqual(expect.arrayContaining(["brand_colours", "scripts_left_out"]));
    expect(filtered.html).not.toMatch(/#0a6b3c|molva-article/);
    for (const { html } of [whole, filtered]) {
      expect(html).toContain('<h2 class="wp-block-heading" id="shag-2">Лист</h2>');
      expect(html).toMatch(
        /<nav class="article-contents"><p><strong>Содержание<\/strong><\/p><ul><li><a href="#shag-1">Вода<\/a><ul>/,
      );
      expect(html).toContain("<thead><tr><th>Чай</th><th>Вода</th></tr></thead><tbody><tr><td>Улун</td>");
      expect(html).toContain('<a href="#shag-3">Сколько ждать</a>, где брать');
    }
  });

  // covers networks: WordPress: each picture once
  test("has each picture uploaded once, with alt, caption and a Latin file name, and the first as its cover", async () => {
    await harness.send(anArticle());
    const media = await ask("media?per_page=100");
    expect(await harness.journal("POST /wp/v2/media")).toHaveLength(3);
    const shown = media.map(
      ({ alt_text, caption, source_url }: Record<string, never> & { source_url: string }) => ({
        alt_text,
        caption: JSON.stringify(caption).includes("по порядку"),
        file: source_url.split("/").at(-1),
      }),
    );
    expect(shown).toEqual(
      expect.arrayContaining([
        { alt_text: "Чайник на столе", caption: false, file: "chaynik-na-stole.png" },
        { alt_text: "Пять шагов", caption: true, file: "pyat-shagov.png" },
        { alt_text: "", caption: false, file: "kak-zavarit-ulun-5-shagov-photo-3.png" },
      ]),
    );
    const [post] = await posts();
    const cover = media.find(({ alt_text }: { alt_text: string }) => alt_text === "Чайник на столе");
    expect(post.featured_media).toBe(cover.id);
    expect(post.content.raw).not.toContain(cover.source_url);
    expect(post.content.raw).toContain('alt="Пять шагов"');
    expect(post.content.raw).toContain("Шаги <strong>по порядку</strong></figcaption>");
  });

  // covers networks: WordPress: the whole article
  test("uses labels that are there, whatever their spelling, and makes them once", async () => {
    await harness.send(anArticle());
    await harness.send(anArticle({ article: { ...article, categories: ["чай", "Советы & ответы"] } }), {
      idempotencyKey: "delivery-2",
    });
    expect(await ask("categories?per_page=100")).toHaveLength(3);
    expect(await ask("tags?per_page=100")).toHaveLength(1);
  });

  // covers networks: WordPress: no scripts from roles that may not write them
  test("of an author, who may write no scripts, has neither script nor what stood in it, and the loss is told", async () => {
    const outcome = await harness.send(anArticle(), { credential: credentials.author });
    expect(lossesOf(outcome)).toEqual(["labels_left_out", "scripts_left_out", "original_untold"]);
    const text = await page(idOf(outcome));
    expect(text).not.toMatch(/FAQPage|gallery\]"/);
    expect(text).toContain("Воду берут мягкую.");
    const [post] = await posts();
    expect(post.content.raw).toContain("<!-- molva delivery-1 -->");
  });

  test("whose account may not make categories gets those that are there", async () => {
    await harness.send(anArticle());
    const outcome = await harness.send(anArticle({ article: { ...article, jsonLd: [] } }), {
      credential: credentials.author,
      idempotencyKey: "delivery-2",
    });
    expect(lossesOf(outcome)).toEqual(["original_untold"]);
    expect((await posts())[0].categories).toHaveLength(2);
  });

  // covers networks: WordPress: publish, draft or a date
  test("is a draft where it or its channel says so, and comes later where a date is named", async () => {
    const later = new Date(Date.now() + 86_400_000).toISOString();
    await sendIn(aPost({ text: "Черновик канала" }), { status: "draft" }, { idempotencyKey: "a" });
    await sendIn(
      anArticle({ media: [], article: { ...article, status: "draft" } }),
      {},
      { idempotencyKey: "b" },
    );
    await sendIn(
      anArticle({ media: [], article: { ...article, publishAt: later } }),
      {},
      { idempotencyKey: "c" },
    );
    await sendIn(aPost({ text: "Через час" }), { publish_after_minutes: 60 }, { idempotencyKey: "d" });
    const found = Object.fromEntries(
      (await posts()).map(({ content, status, date_gmt }: Record<string, never>) => [
        /molva (\w)/.exec(JSON.stringify(content))?.[1],
        `${status} ${date_gmt}`,
      ]),
    );
    expect(found).toMatchObject({
      a: expect.stringMatching(/^draft /),
      b: expect.stringMatching(/^draft /),
      c: `future ${later.slice(0, 19)}`,
      d: expect.stringMatching(/^future /),
    });
    expect(await harness.messages()).toEqual([]);
  });

  // covers networks: WordPress: the whole article
  test("carries the channel's categories, tags, robots and type of schema", async () => {
    await change({ plugins: ["rankmath"] });
    await harness.platform.places?.(credentials.administrator, harness.context());
    const settings = {
      site_categories: ["Блог"],
      site_tags: ["новое"],
      robots: "noindex, follow",
      schema_type: "BlogPosting",
    };
    const outcome = await sendIn(
      anArticle({ article: { ...article, categories: [], tags: [], jsonLd: [] } }),
      settings,
    );
    expect(lossesOf(outcome)).toEqual([]);
    const text = await page(idOf(outcome));
    expect(text).toContain('<meta name="robots" content="noindex, follow">');
    expect(text).toMatch(/"@type":"BlogPosting","headline":"Как заварить улун: 5 шагов"/);
    expect(text).toMatch(/Блог.*#новое/s);
  });

  // covers networks: WordPress: Yoast and Rank Math
  test("is found by searches as Rank Math is told", async () => {
    await change({ plugins: ["rankmath"] });
    await harness.platform.places?.(credentials.administrator, harness.context());
    const outcome = await harness.send(anArticle());
    expect(lossesOf(outcome)).toEqual([]);
    const { posts: told } = await harness.control("GET", `/wordpress/sites/${world.site}/posts`);
    expect(told[0].meta).toEqual({
      rank_math_title: article.title,
      rank_math_description: article.description,
      rank_math_focus_keyword: article.focusKeyword,
      rank_math_canonical_url: article.canonicalUrl,
    });
  });

  // covers networks: WordPress: Yoast and Rank Math
  test("has Yoast's fields where the site shows them", async () => {
    const shown = ["title", "metadesc", "focuskw", "canonical"].map((name) => `_yoast_wpseo_${name}`);
    await change({ plugins: ["yoast"], registered_meta: shown });
    const outcome = await harness.send(anArticle());
    expect(lossesOf(outcome)).toEqual([]);
    expect((await posts())[0]).toMatchObject({
      meta: { _yoast_wpseo_metadesc: article.description, _yoast_wpseo_focuskw: article.focusKeyword },
      yoast_head_json: { canonical: "https://a.ru/ulun" },
    });
  });

  // covers networks: WordPress: Yoast and Rank Math
  test("does not fail where the site drops them without a word: the loss is told", async () => {
    await change({ plugins: ["yoast"] });
    await harness.platform.places?.(credentials.administrator, harness.context());
    const outcome = await sendIn(anArticle(), { robots: "noindex" });
    expect(lossesOf(outcome)).toEqual(["seo_fields", "original_untold", "robots_untold"]);
    expect(await harness.messages()).toHaveLength(1);
  });

  test("of the golden files stands at the site as its readers expect it", async () => {
    const read = postFromPayload(goldenPayloads.article);
    if (!read.ok) throw new Error(read.error.message);
    expect((await harness.send(read.post)).kind).toBe("sent");
    const [message] = await harness.messages();
    expect(message).toMatchObject({ title: "Как выбрать диван", media: [{}, {}] });
  });
});

describe("an ordinary post", () => {
  test.each([
    ["a heading becomes the title", "<h2>Скидки</h2><p>До пятницы.</p>", "Скидки", "До пятницы."],
    ["one line is title and text", "<p>Открылись!</p>", "Открылись!", "Открылись!"],
    [
      "a long text begins with its title",
      `<p>${"Очень длинное предложение без точки ".repeat(5)}</p>`,
      "Очень длинное предложение без точки Очень длинное предложение без точки Очень…",
      "Очень длинное предложение без точки ".repeat(5).trim(),
    ],
    [
      "the first sentence is enough",
      "<p>Мы переехали в новый зал. Теперь здесь втрое больше места, и чай подают прямо у большого окна.</p>",
      "Мы переехали в новый зал.",
      "Мы переехали в новый зал. Теперь здесь втрое больше места, и чай подают прямо у большого окна.",
    ],
  ])("%s", async (_, text, title, shown) => {
    await harness.send(aPost({ text, format: "html" }));
    expect(await harness.messages()).toMatchObject([{ title, text: shown }]);
  });

  test("in letters that cannot be spelt has an address all the same, and is found by it", async () => {
    const post = aPost({ text: "春のお茶" });
    await harness.fault({ kind: "drop_after" });
    await harness.send(post);
    expect((await posts())[0].slug).toBe("molva-delivery-1");
    expect(await harness.platform.find?.(compiledIn(post), harness.context())).toMatchObject({
      kind: "found",
    });
  });

  test("writes nothing but its words, whoever its author is", async () => {
    const evil = '<script>alert(1)</script> <!-- wp:html --> [gallery] "x" <img src=x onerror=y>';
    await harness.send(aPost({ text: evil }));
    const [post] = await posts();
    expect(`${post.title.raw}${post.content.raw}`).not.toMatch(/<script|<img|onerror=y>|\[gallery/);
    expect(await harness.messages()).toMatchObject([{ text: evil }]);
  });

  test("tells what sites do not have", () => {
    const options = { protected: true, topicId: "1", replyTo: "2" } as const;
    const { losses } = compiledIn(aPost({ text: "<tg-spoiler>а</tg-spoiler>", format: "html", options }));
    expect(losses.map(({ code }) => code)).toEqual([
      "spoiler_shown",
      "not_protected",
      "no_topic",
      "no_reply",
    ]);
  });

  test("is refused where a strict channel would lose something, and with files that are no pictures", () => {
    const lossy = aPost({ text: "<tg-spoiler>а</tg-spoiler>", format: "html" });
    expect(harness.platform.compile(lossy, settingsOf({ strict: true }))).toMatchObject({
      ok: false,
      error: { code: "validation_failed", raw: { losses: ["spoiler_shown"] } },
    });
    const whole = aPost({ text: "<ul><li>а</li></ul>", format: "html", media: pictures });
    expect(harness.platform.compile(whole, settingsOf({ strict: true })).ok).toBe(true);
    const video = aPost({ text: "а", media: [{ kind: "video", blobRef: "v" }] });
    expect(harness.platform.compile(video, harness.channel)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("media 1 is of the kind video") },
    });
  });

  test.each([
    { status: "maybe" },
    { publish_after_minutes: -1 },
    { robots: "please" },
    { schema_type: "Poem" },
    { site_categories: [1] },
  ])("is refused in a channel with the setting %j", (settings) => {
    expect(harness.platform.compile(aPost({ text: "а" }), settingsOf(settings))).toMatchObject({
      ok: false,
      error: {
        code: "channel_misconfigured",
        message: expect.stringContaining(Object.keys(settings)[0] ?? ""),
      },
    });
  });
});

describe("a site is found by its address:", () => {
  const requestsOf = (http: HttpClient): { http: HttpClient; seen: HttpRequest[] } => {
    const seen: HttpRequest[] = [];
    return {
      seen,
      http: {
        request: (request) => {
          seen.push(request);
          return http.request(request);
        },
      },
    };
  };
  const named = (url: string, targetId = url.replace(/^https?:\/\//, "")) => ({
    credential: { ...credentials.administrator, url },
    channel: { ...harness.channel, targetId },
  });

  // covers networks: WordPress: the address is discovered
  test("with plain links", async () => {
    await change({ permalinks: "plain" });
    await harness.platform.places?.(credentials.administrator, harness.context());
    expect((await harness.send(anArticle())).kind).toBe("sent");
    expect(await harness.messages()).toMatchObject([{ title: article.title }]);
  });

  // covers networks: WordPress: the address is discovered
  test("in a folder of its host, with a number at the end of the target", async () => {
    await change({ folder: "blog" });
    const at = named("https://shop.wordpress.test/blog", "shop.wordpress.test/blog#2");
    expect(await harness.send(aPost({ text: "В папке" }), at)).toMatchObject({
      kind: "sent",
      url: expect.stringContaining("/shop/blog/v-papke/"),
    });
  });

  // covers networks: WordPress: the address is discovered
  test("behind a redirect within its host", async () => {
    await harness.control("POST", "/wordpress/sites", {
      name: "old",
      moved_to: `${harness.twinsUrl}/wordpress/${world.site}`,
    });
    expect((await harness.send(aPost({ text: "Переезд" }), named("https://old.wordpress.test"))).kind).toBe(
      "sent",
    );
    expect(await harness.messages()).toHaveLength(1);
  });

  test("with REST for members alone", async () => {
    await change({ rest: "members" });
    await harness.platform.places?.(credentials.administrator, harness.context());
    expect((await harness.send(aPost({ text: "Для своих" }))).kind).toBe("sent");
  });

  test.each([
    ["example.com", "https://example.com"],
    [" HTTP://Example.COM/Blog/ ", "http://example.com/Blog"],
    ["https://example.com/blog/wp-admin/profile.php", "https://example.com/blog"],
    ["https://пример.рф/", "https://xn--e1afmkfd.xn--p1ai"],
    ["localhost:8080", "https://localhost:8080"],
  ])("%s is kept as %s", (typed, kept) => {
    const { schema } = definitionOf("wordpress").credential.fields.url ?? {};
    expect(schema?.parse(typed)).toBe(kept);
  });

  test.each(["", "нет", "ftp://example.com", "https://user:pass@example.com"])("%j is no site", (typed) => {
    const { schema } = definitionOf("wordpress").credential.fields.url ?? {};
    expect(schema?.safeParse(typed).success).toBe(false);
  });

  test("an application password is kept without its spaces, and the account's own password is refused", () => {
    const { schema } = definitionOf("wordpress").credential.fields.app_password ?? {};
    expect(schema?.parse(" abcd EFGH 1234 ijkl MNOP 6789 ")).toBe(world.password);
    expect(schema?.safeParse("my-own-password").error?.issues[0]?.message).toContain("Application Passwords");
  });

  // covers networks: WordPress: the password goes to one origin
  test("the password goes to nobody but the origin that was named", async () => {
    const other = await openHarness("wordpress");
    const { http, seen } = requestsOf(harness.context().http);
    await harness.control("POST", "/wordpress/sites", {
      name: "gone",
      moved_to: `${other.twinsUrl}/wordpress/shop`,
    });
    for (const at of [named("https://gone.wordpress.test"), named("http://127.0.0.1:9")]) {
      const outcome = await harness.send(aPost({ text: "а" }), { ...at, http });
      expect(outcome.kind).toBe("failed");
    }
    expect(
      await harness.send(aPost({ text: "а" }), { ...named("https://gone.wordpress.test"), http }),
    ).toMatchObject({
      error: { category: "PERMANENT", scope: "channel", code: "site_moved" },
    });
    expect(seen.filter(({ headers }) => headers?.authorization)).toEqual([]);
    expect(await other.journal()).toEqual([]);
    // Nor to a site that names a REST root elsewhere.
    const answer = { kind: "answer", status: 200, body: new Uint8Array(), url: "" } as const;
    const lying: HttpClient = {
      request: async (request) => {
        seen.push(request);
        return { ...answer, headers: { link: '<https://thief.example/wp-json/>; rel="https://api.w.org/"' } };
      },
    };
    expect(
      await harness.send(aPost({ text: "а" }), { ...named("https://honest.example"), http: lying }),
    ).toMatchObject({
      error: { code: "site_moved" },
    });
    expect(seen.filter(({ headers }) => headers?.authorization)).toEqual([]);
    await other.close();
  });

  // covers networks: WordPress: the password goes to one origin
  test("a channel cannot send the password of one site to another", async () => {
    const { http, seen } = requestsOf(harness.context().http);
    const channel = { ...harness.channel, targetId: "thief.example" };
    expect(await harness.send(aPost({ text: "а" }), { channel, http })).toMatchObject({
      error: {
        scope: "channel",
        code: "channel_unavailable",
        message: expect.stringContaining("shop.wordpress.test"),
      },
    });
    expect(seen).toEqual([]);
  });

  test("an address inside our own network is not asked", async () => {
    const guarded = createGuardedClient();
    const platform = createPlatforms({}, { guarded }).platformOf("wordpress");
    const at = named("http://127.0.0.1:8080");
    expect(await platform.send(compiledIn(aPost({ text: "а" })), harness.context(at))).toMatchObject({
      kind: "failed",
      error: { category: "PERMANENT", scope: "channel", code: "channel_unavailable" },
    });
    await guarded.close();
  });

  test("the guarded client carries a whole article, pictures included", async () => {
    const guarded = createGuardedClient({ allowHosts: [new URL(harness.twinsUrl).host] });
    const environment = { WORDPRESS_TWIN_ROOT: `${harness.twinsUrl}/wordpress` };
    const platform = createPlatforms(environment, { guarded }).platformOf("wordpress");
    expect((await platform.send(compiledIn(anArticle()), harness.context())).kind).toBe("sent");
    expect(await harness.messages()).toMatchObject([{ media: [{}, {}, {}] }]);
    await guarded.close();
  });

  test("the one place to choose is the site, by its name", async () => {
    expect(await harness.platform.places?.(credentials.administrator, harness.context())).toEqual({
      kind: "listed",
      places: [{ targetId: "shop.wordpress.test", title: "Лавка чая" }],
    });
    const wrong = harness.preparation.wrongCredential;
    expect(await harness.platform.places?.(wrong, harness.context())).toMatchObject({
      kind: "unavailable",
      error: { code: "unauthorized" },
    });
  });
});

describe("what a site refuses, by its meaning:", () => {
  const one = aPost({ text: "Отказ", media: photos(1) });

  // covers networks: WordPress: each refusal by its meaning
  test.each([
    ["REST that a plugin has switched off", { rest: "forbidden" }, "rest_off", "switched off"],
    ["REST that is not there", { rest: "absent" }, "rest_off", "switched off"],
    ["a security plugin's page with 403", { rest: "forbidden_html" }, "security_plugin", "security plugin"],
    ["a firewall's page with 406", { rest: "not_acceptable_html" }, "security_plugin", "firewall"],
    [
      "application passwords switched off",
      { application_passwords: "off" },
      "application_passwords_off",
      "application password",
    ],
    [
      "application passwords refused",
      { application_passwords: "refused" },
      "application_passwords_off",
      "application password",
    ],
    [
      "a header that the server keeps",
      { strips_authorization: true },
      "unauthorized",
      "Authorization header",
    ],
    [
      "a site that has moved",
      { moved_to: "https://www.shop.example" },
      "site_moved",
      "https://www.shop.example",
    ],
  ])("%s", async (_, options, code, words) => {
    // Before and after the site is found: the result is the same.
    for (const isFound of [true, false]) {
      await change(options);
      if (!isFound) await harness.platform.places?.(credentials.administrator, harness.context());
      expect(await harness.send(one)).toMatchObject({
        kind: "failed",
        error: { category: "PERMANENT", scope: "channel", code, message: expect.stringContaining(words) },
      });
    }
    expect(await posts().catch(() => [])).not.toMatchObject([{ title: { raw: "Отказ" } }]);
  });

  // covers networks: WordPress: each refusal by its meaning
  test.each([
    ["refused", "incorrect"],
    ["ignored", "wrong"],
  ])("a wrong password, where it is %s", async (bad_password) => {
    await change({ bad_password });
    expect(await harness.send(one, { credential: harness.preparation.wrongCredential })).toMatchObject({
      error: { category: "PERMANENT", scope: "channel", code: "unauthorized" },
    });
  });

  // covers networks: WordPress: each refusal by its meaning
  test.each([
    ["a role that may not publish", credentials.contributor, aPost({ text: "а" }), "role_may_not_publish"],
    ["a role that may not write", credentials.subscriber, aPost({ text: "а" }), "role_may_not_publish"],
    ["a role that may not upload", credentials.contributor, one, "role_may_not_upload"],
  ])("%s", async (_, credential, post, code) => {
    expect(await harness.send(post, { credential })).toMatchObject({
      error: { category: "PERMANENT", scope: "channel", code, message: expect.stringContaining("role") },
    });
    expect(await harness.messages()).toEqual([]);
  });

  // covers networks: WordPress: each refusal by its meaning
  test.each([
    ["PHP's limit for a file", { upload_max_bytes: 50 }],
    ["PHP's limit for a request", { upload_max_bytes: 50, post_max_bytes: 60 }],
    ["the web server's limit", { body_max_bytes: 50 }],
  ])("a file that is too large, by %s", async (_, options) => {
    await change(options);
    const files = { photo: aFile(png(640, 480, 4_000), "image/png", "a.png") };
    expect(await harness.send(one, { media: sampleMedia({ files }) })).toMatchObject({
      kind: "failed",
      error: {
        category: "PERMANENT",
        scope: "delivery",
        code: "media_too_large",
        message: expect.stringContaining("larger than the site takes"),
      },
    });
  });

  // covers networks: WordPress: each refusal by its meaning
  test.each([
    ["page_200", 300_000],
    ["page_503", 600_000],
  ])("a maintenance page (%s) is waited for", async (maintenance, retryAfterMs) => {
    await change({ maintenance });
    await harness.platform.places?.(credentials.administrator, harness.context());
    expect(await harness.send(one)).toMatchObject({
      kind: "failed",
      error: { category: "TRANSIENT", code: "site_in_maintenance", retryAfterMs },
    });
  });

  // covers networks: WordPress: each refusal by its meaning; WordPress: once by address and sign
  test("a maintenance page with 200 in the answer to a post leaves it in doubt, and it is looked for", async () => {
    const post = aPost({ text: "Страница вместо ответа" });
    await change({ maintenance: "page_200" });
    expect(await harness.send(post)).toMatchObject({
      kind: "unknown",
      error: { code: "outcome_unknown", message: expect.stringContaining("looked after") },
    });
    expect(await harness.platform.find?.(compiledIn(post), harness.context())).toMatchObject({
      kind: "unavailable",
      error: { category: "TRANSIENT" },
    });
    await change({ maintenance: "none" });
    expect(await harness.platform.find?.(compiledIn(post), harness.context())).toEqual({ kind: "absent" });
  });

  test("WebP where a site does not take it: JPEG goes there in its place", async () => {
    await change({ mime_types: { jpg: "image/jpeg", png: "image/png" } });
    const webp = Buffer.concat([Buffer.from("RIFF\x1a\0\0\0WEBPVP8 \x0e\0\0\0", "latin1"), Buffer.alloc(20)]);
    const media = sampleMedia({ files: { photo: aFile(webp, "image/webp", "a.webp") } });
    const seen: string[] = [];
    const older: typeof media.lend = (items, order, use) => {
      const { as } = order.rulesFor({ kind: "photo" }, "image/webp");
      seen.push(as);
      return (as === "older picture" ? sampleMedia() : media).lend(items, order, use);
    };
    expect((await harness.send(one, { media: { ...media, lend: older } })).kind).toBe("sent");
    expect(seen).toEqual(["picture", "older picture"]);
  });
});

describe("a process that dies", () => {
  const post = anArticle();

  /** A client whose process dies at the nth request of this kind. */
  function dyingAt(method: string, path: string, nth = 1): HttpClient {
    const { http } = harness.context();
    let calls = 0;
    return {
      request: (request) => {
        if (request.method === method && new URL(request.url).pathname.endsWith(path) && ++calls === nth)
          throw new Error("the process died");
        return http.request(request);
      },
    };
  }

  test("between upload and post has uploaded nothing in vain, and its page appears once", async () => {
    const media = sampleMedia();
    const http = dyingAt("POST", "/wp/v2/posts");
    await expect(harness.send(post, { media, http })).rejects.toThrow("died");
    expect(await harness.platform.find?.(compiledIn(post), harness.context({ media }))).toEqual({
      kind: "absent",
    });
    expect((await harness.send(post, { media })).kind).toBe("sent");
    expect(await harness.journal("POST /wp/v2/media")).toHaveLength(3);
    expect(await harness.messages()).toMatchObject([{ media: [{}, {}, {}] }]);
  });

  test("between two uploads goes on with the next", async () => {
    const media = sampleMedia();
    await expect(harness.send(post, { media, http: dyingAt("POST", "/wp/v2/media", 2) })).rejects.toThrow(
      "died",
    );
    expect((await harness.send(post, { media })).kind).toBe("sent");
    expect(await harness.journal("POST /wp/v2/media")).toHaveLength(3);
  });

  // covers networks: WordPress: once by address and sign
  test("between post and answer is found by its address and its sign, however often the title was used", async () => {
    for (const key of ["other-1", "other-2"]) await harness.send(post, { idempotencyKey: key });
    await harness.fault({ kind: "drop_after" });
    expect((await harness.send(post)).kind).toBe("unknown");
    expect(await harness.platform.find?.(compiledIn(post), harness.context())).toMatchObject({
      kind: "found",
      providerMessageId: (await harness.messages()).at(-1)?.id,
      url: expect.stringContaining("/kak-zavarit-ulun-5-shagov-3/"),
    });
    expect(
      await harness.platform.find?.(compiledIn(post), harness.context({ idempotencyKey: "other-3" })),
    ).toEqual({
      kind: "absent",
    });
  });

  test("before Rank Math was told has it told when the page is found", async () => {
    await change({ plugins: ["rankmath"] });
    await harness.platform.places?.(credentials.administrator, harness.context());
    const http = dyingAt("POST", "/rankmath/v1/updateMeta");
    await expect(harness.send(post, { http })).rejects.toThrow("died");
    expect(await harness.platform.find?.(compiledIn(post), harness.context())).toMatchObject({
      kind: "found",
    });
    const { posts: told } = await harness.control("GET", `/wordpress/sites/${world.site}/posts`);
    expect(told).toMatchObject([{ meta: { rank_math_focus_keyword: article.focusKeyword } }]);
  });

  test.each(["draft", "publish"] as const)("leaves a %s that is found, even in the trash", async (status) => {
    await harness.fault({ kind: "drop_after" });
    const one = anArticle({ media: [], article: { ...article, status } });
    await harness.send(one);
    const [{ id }] = await posts();
    expect(await harness.platform.find?.(compiledIn(one), harness.context())).toMatchObject({
      kind: "found",
    });
    await ask(`posts/${id}`, { method: "DELETE" });
    expect(await harness.platform.find?.(compiledIn(one), harness.context())).toMatchObject({
      kind: "found",
    });
  });

  test("a site that broke after it had stored the page is no reason for a second one", async () => {
    const { http } = harness.context();
    const broken: HttpClient = {
      request: async (request) => {
        const answer = await http.request(request);
        const isPost = request.method === "POST" && request.url.endsWith("/wp/v2/posts");
        if (!isPost || answer.kind === "failure") return answer;
        const body = new TextEncoder().encode(
          '{"code":"internal_server_error","message":"x","data":{"status":500}}',
        );
        return { ...answer, status: 500, body };
      },
    };
    const [message] = await harness.messages();
    expect(message).toBeUndefined();
    expect(await harness.send(post, { http: broken })).toMatchObject({ kind: "sent" });
    expect(await harness.messages()).toHaveLength(1);
  });

  test("a field that a site refuses after it has stored the page costs the field, not a second page", async () => {
    await change({ registered_meta: ["_yoast_wpseo_title"] });
    const { http } = harness.context();
    const refusing: HttpClient = {
      request: (request) => {
        const isPost = request.method === "POST" && request.url.endsWith("/wp/v2/posts");
        if (!isPost || typeof request.body !== "string") return http.request(request);
        const body = request.body.replace(/"_yoast_wpseo_title":"[^"]*"/, '"_yoast_wpseo_title":{"a":1}');
        return http.request({ ...request, body });
      },
    };
    expect((await harness.send(post, { http: refusing })).kind).toBe("sent");
    expect(await harness.messages()).toHaveLength(1);
  });
});

describe("corrections", () => {
  const posted = async (post: Post, context: Partial<SendContext> = {}): Promise<Posted> => {
    const compiled = compiledIn(post);
    const outcome = await harness.platform.send(compiled, harness.context(context));
    if (outcome.kind !== "sent") throw new Error(outcome.error.message);
    return { compiled, providerMessageIds: [outcome.providerMessageId], sentAt: new Date() };
  };
  const edit = (next: Post, old: Posted, context: Partial<SendContext> = {}) =>
    harness.platform.edit?.(compiledIn(next), old, harness.context(context));
  const remove = (old: Posted, context: Partial<SendContext> = {}) =>
    harness.platform.remove?.(old, harness.context(context));

  test("replace text, pictures and labels; address, date and sign stay, and no picture is uploaded twice", async () => {
    const media = sampleMedia();
    const old = await posted(anArticle(), { media });
    const [before] = await posts();
    const next = anArticle({
      text: '<p>Вода 95°.</p><img src="media:0">',
      media: [pictures[1], { kind: "photo", blobRef: "new", alt: "Пар" }],
      article: { ...article, title: "Как заварить улун верно", tags: [], categories: ["Рецепты"] },
    });
    // A correction has another idempotency key than the delivery.
    const context = { media, idempotencyKey: "correction-1" };
    expect(await edit(next, old, context)).toMatchObject({
      kind: "sent",
      providerMessageId: String(before.id),
    });
    expect(await edit(next, old, context)).toMatchObject({ kind: "sent" });
    const [after, ...others] = await posts();
    expect(others).toEqual([]);
    expect(after).toMatchObject({
      slug: before.slug,
      date_gmt: before.date_gmt,
      status: "publish",
      tags: [],
    });
    expect(after.content.raw).toMatch(/<!-- molva delivery-1 -->$/);
    expect(await harness.messages()).toMatchObject([
      {
        title: "Как заварить улун верно",
        text: "Вода 95°.\n\nШаги по порядку",
        media: [{}, {}],
        edited: true,
      },
    ]);
    expect(await ask(`categories?post=${after.id}`)).toMatchObject([{ name: "Рецепты" }]);
    expect(await harness.journal("POST /wp/v2/media")).toHaveLength(4);
    expect(await harness.platform.find?.(old.compiled, harness.context())).toMatchObject({ kind: "found" });
  });

  test("leave labels alone that the owner gave by hand", async () => {
    const old = await posted(aPost({ text: "Без рубрик" }));
    const [id] = old.providerMessageIds;
    await harness.send(anArticle(), { idempotencyKey: "other" });
    const [tag] = await ask("tags");
    await fetch(`${harness.twinsUrl}/wordpress/${world.site}/wp-json/wp/v2/posts/${id}?tags=${tag.id}`, {
      method: "POST",
      headers: { authorization: basic },
    });
    await edit(aPost({ text: "Правка" }), old);
    expect(await ask(`posts/${id}`)).toMatchObject({ tags: [tag.id] });
  });

  test("whose answer is lost are unknown, and simply made again", async () => {
    const old = await posted(aPost({ text: "Цена 100" }));
    await harness.fault({ kind: "drop_after" }, { method: "POST /wp/v2/posts/:id" });
    expect(await edit(aPost({ text: "Цена 200" }), old)).toMatchObject({ kind: "unknown" });
    expect(await edit(aPost({ text: "Цена 200" }), old)).toMatchObject({ kind: "sent" });
    expect(await harness.messages()).toMatchObject([{ text: "Цена 200" }]);
  });

  test("take a page back into the trash, and one that is gone counts as taken back", async () => {
    const old = await posted(aPost({ text: "Ошибка" }));
    await harness.fault({ kind: "drop_after" }, { method: "DELETE /wp/v2/posts/:id" });
    expect(await remove(old)).toMatchObject({ kind: "unknown" });
    expect(await harness.messages()).toEqual([]);
    expect(await remove(old)).toMatchObject({ kind: "sent" });
    expect(await posts()).toMatchObject([{ status: "trash" }]);
    await ask(`posts/${old.providerMessageIds[0]}?force=true`, { method: "DELETE" });
    expect(await remove(old)).toMatchObject({ kind: "sent" });
  });

  test("of a page that lies in the trash or is gone are refused", async () => {
    const old = await posted(aPost({ text: "Ошибка" }));
    await remove(old);
    const refusal = {
      kind: "failed",
      error: { category: "PERMANENT", scope: "delivery", code: "post_unavailable" },
    };
    expect(await edit(aPost({ text: "б" }), old)).toMatchObject(refusal);
    expect(await edit(aPost({ text: "б" }), { ...old, providerMessageIds: ["9999"] })).toMatchObject(refusal);
  });

  test("of somebody else's page are refused for whoever may not touch it, and the page stays", async () => {
    const old = await posted(aPost({ text: "Чужое" }));
    const author = { credential: credentials.author };
    const refusal = {
      kind: "failed",
      error: { category: "PERMANENT", scope: "delivery", code: "may_not_edit" },
    };
    expect(await remove(old, author)).toMatchObject(refusal);
    expect(await edit(aPost({ text: "б" }), old, author)).toMatchObject({ kind: "failed" });
    expect(await harness.messages()).toMatchObject([{ text: "Чужое" }]);
  });

  test("need the page's number", async () => {
    const { corrections } = harness.platform;
    const old = await posted(aPost({ text: "а" }));
    const next = compiledIn(aPost({ text: "б" }));
    const longAgo = new Date(Date.now() + 1e11);
    expect(corrections?.editRefusal(old, next, longAgo)).toBeUndefined();
    expect(corrections?.removeRefusal(old, longAgo)).toBeUndefined();
    expect(corrections?.removeRefusal({ ...old, providerMessageIds: [] }, longAgo)).toMatchObject({
      code: "message_ids_unknown",
    });
  });
});

test("a picture that the site's owner has removed is uploaded anew", async () => {
  const media = sampleMedia();
  await harness.send(aPost({ text: "а", media: photos(1) }), { media });
  const [picture] = await ask("media");
  await ask(`media/${picture.id}?force=true`, { method: "DELETE" });
  expect(
    (await harness.send(aPost({ text: "б", media: photos(1) }), { media, idempotencyKey: "b" })).kind,
  ).toBe("sent");
  expect(await harness.journal("POST /wp/v2/media")).toHaveLength(2);
});

test("what a page will look like is told before it is sent", () => {
  const [request] = compiledIn(anArticle()).requests;
  expect(request && harness.platform.preview(request, harness.channel)).toMatchObject({
    http: {
      path: "/wp-json/wp/v2/posts",
      body: { title: article.title, featured_media: "<photo cover>", slug: "kak-zavarit-ulun-5-shagov" },
    },
    shown: { title: article.title, text: expect.stringMatching(/^Воду берут мягкую\./), media: [{}, {}, {}] },
  });
});
