import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function normalized(payload: unknown, rest: object = {}): Promise<Record<string, unknown>> {
  const { sql } = database;
  const raw = sql.json(JSON.parse(JSON.stringify({ payload, ...rest })));
  const [row] = await sql`select delivery.normalize(${raw}) as payload`;
  return row?.payload;
}

async function hash(payload: unknown): Promise<string> {
  const { sql } = database;
  const raw = sql.json(JSON.parse(JSON.stringify({ payload })));
  const [row] = await sql`select delivery.content_hash(delivery.normalize(${raw})) as hash`;
  return row?.hash;
}

async function tags(payload: object, explicit?: string[]): Promise<string[]> {
  const { sql } = database;
  const raw = sql.json(JSON.parse(JSON.stringify({ payload, tags: explicit })));
  const [row] = await sql`select delivery.tags_of(${raw}, delivery.normalize(${raw})) as tags`;
  return row?.tags;
}

describe("the normal form of a post", () => {
  it("keeps an article, with its texts cleaned, and hashes it", async () => {
    const article = { title: "  Как   выбрать ", slug: "kak", tags: ["дом"], description: null, cover: 0 };
    const payload = { text: "а", article };
    expect(await normalized(payload)).toEqual({
      ...{ type: "text", text: "а" },
      article: { title: "Как выбрать", slug: "kak", tags: ["дом"], cover: 0 },
    });
    const other = { ...payload, article: { ...article, slug: "tak" } };
    expect(await hash(payload)).toBe(
      await hash({ ...payload, article: { ...article, title: "Как выбрать" } }),
    );
    expect(await hash(payload)).not.toBe(await hash(other));
    expect(await hash(payload)).not.toBe(await hash({ text: "а" }));
  });

  it.each([
    [{ article: "а" }, "/payload/article must be an object"],
    [{ article: {} }, "/payload/article/title must be a text: an article needs a title"],
    [{ article: { title: 5 } }, "/payload/article/title must be a text"],
    [{ article: { title: "а", tags: [1] } }, "/payload/article must hold categories and tags that are texts"],
    [{ article: { title: "а", cover: "0" } }, "/payload/article/cover must be a number"],
    [{ dialect: "textile" }, "/payload/dialect must be commonmark, telegram, telegram_legacy or max"],
    [{ article: { title: "а", categories: ["б"], cover: 0 } }, null],
  ])("is refused by plain SQL where %j is wrong", async (payload, fault) => {
    const raw = JSON.stringify({ payload: { text: "а", ...payload } });
    const [row] = await database.sql`select delivery.post_fault(${raw}::text::jsonb) as fault`;
    expect(row?.fault).toBe(fault);
  });

  it("trims, collapses runs of spaces and empty lines, and keeps single line breaks", async () => {
    expect(await normalized({ text: "  Привет,\t  мир \r\n\r\n\r\n\r\n  как   дела?\n" })).toEqual({
      type: "text",
      text: "Привет, мир\n\nкак дела?",
    });
  });

  it("knows Telegram's name for its Markdown, and keeps the dialect of the others", async () => {
    expect(await normalized({ text: "а", parse_mode: "MarkdownV2" })).toMatchObject({
      parse_mode: "Markdown",
      dialect: "telegram",
    });
    expect(await normalized({ text: "а", parse_mode: "Markdown", dialect: "MAX" })).toMatchObject({
      parse_mode: "Markdown",
      dialect: "max",
    });
    expect(await normalized({ text: "а", parse_mode: "HTML" })).not.toHaveProperty("dialect");
  });

  it("leaves the spaces of code alone", async () => {
    expect(await normalized({ text: "<pre>if  x:\n    y</pre>" })).toMatchObject({
      text: "<pre>if  x:\n    y</pre>",
    });
  });

  it("names media by one word, keeps their order and writes their addresses one way", async () => {
    const media = [
      { type: "IMAGE", origin_url: "HTTPS://Example.COM:443/Кот.jpg" },
      { type: "gif", url: "http://example.com:80" },
    ];
    expect(await normalized({ media })).toEqual({
      type: "media",
      media: [
        { type: "photo", url: "https://example.com/Кот.jpg", blob_ref: expect.stringMatching(/^url-/) },
        { type: "animation", url: "http://example.com/", blob_ref: expect.stringMatching(/^url-/) },
      ],
    });
  });

  it("names the stored file of an address the same for every spelling of it, and leaves given names alone", async () => {
    const media = [
      { type: "photo", url: "https://example.com/a?b=2&a=1" },
      { type: "photo", url: "https://EXAMPLE.com:443/a?a=1&b=2&utm_source=vk#top" },
      { type: "photo", url: "https://example.com/a?b=2&a=1", blob_ref: "ours" },
    ];
    const [one, two, three] = await Promise.all(media.map((item) => normalized({ media: [item] })));
    const { blob_ref } = z.object({ media: z.tuple([z.object({ blob_ref: z.string() })]) }).parse(one)
      .media[0];
    expect(two).toMatchObject({ media: [{ blob_ref }] });
    expect(three).toMatchObject({ media: [{ blob_ref: "ours" }] });
  });

  it("takes the parse mode from the payload or from render_meta", async () => {
    expect(await normalized({ text: "а", parse_mode: "html" })).toMatchObject({ parse_mode: "HTML" });
    expect(await normalized({ text: "а" }, { render_meta: { parse_mode: "Markdown" } })).toMatchObject({
      parse_mode: "Markdown",
    });
  });

  it("keeps fields it does not know, for templates", async () => {
    expect(await normalized({ text: "а", price: 100 })).toMatchObject({ price: 100 });
  });
});

describe("the content hash", () => {
  // covers autoposting: Table: messages; Point 8
  it("is the same for other key order, spacing and spelling of a link", async () => {
    const first = await hash({ text: "Скидки https://Example.com/a?b=2&a=1", parse_mode: "HTML" });
    const second = await hash({
      parse_mode: "HTML",
      text: " Скидки \n https://example.com:443/a/?a=1&b=2&utm_source=vk#top ",
    });
    expect(second).toBe(first);
  });

  it("of a medium is that of its address: the name of the stored file adds nothing", async () => {
    const [first, second, named] = await Promise.all([
      hash({ media: [{ type: "photo", url: "https://e.com/cat?utm_source=a" }] }),
      hash({ media: [{ type: "photo", url: "https://e.com/cat" }] }),
      hash({ media: [{ type: "photo", url: "https://e.com/cat", blob_ref: "other" }] }),
    ]);
    expect(second).toBe(first);
    expect(named).not.toBe(first);
  });

  // covers autoposting: Dedup requirements; Point 8
  it("changes with the order of media and with the text", async () => {
    const [cat, dog] = [
      { type: "photo", url: "https://e.com/cat" },
      { type: "photo", url: "https://e.com/dog" },
    ];
    const hashes = await Promise.all([
      hash({ media: [cat, dog] }),
      hash({ media: [dog, cat] }),
      hash({ text: "а" }),
      hash({ text: "А" }),
    ]);
    expect(new Set(hashes).size).toBe(4);
  });
});

describe("routing tags", () => {
  // covers autoposting: Routing rules / segmentation
  it("are explicit tags and hashtags in lower case, each once, sorted", async () => {
    expect(
      await tags({ text: "Матч #Спорт #футбол_2026 и #СПОРТ", tags: ["VIP"] }, [" Москва ", "спорт", ""]),
    ).toEqual(["vip", "москва", "спорт", "футбол_2026"]);
  });

  it("are not found inside words, links or numbers", async () => {
    expect(await tags({ text: "слово#тег https://e.com/#якорь &#1234; #123" })).toEqual([]);
  });
});
