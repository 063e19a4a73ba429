import { describe, expect, test } from "vitest";
import { plainText, postFromPayload } from "./index.ts";

test("a payload becomes a post with everything it says", () => {
  const read = postFromPayload({
    text: "<b>Привет</b>",
    parse_mode: "HTML",
    media: [
      { type: "photo", url: "https://a.ru/1.jpg", caption: "<i>раз</i>", alt: "кот" },
      { type: "document", blob_ref: "b1" },
      { type: "gif", file_id: "f1" },
    ],
    buttons: [[{ text: " Сайт  тут ", url: "https://a.ru" }], []],
    disable_preview: true,
    silent: true,
    protect: false,
    reply_to: 12,
    thread_id: "7",
  });
  expect(read).toMatchObject({
    ok: true,
    post: {
      format: "html",
      media: [
        {
          kind: "photo",
          url: "https://a.ru/1.jpg",
          alt: "кот",
          caption: { blocks: [{ type: "paragraph" }] },
        },
        { kind: "document", blobRef: "b1" },
        { kind: "animation", fileId: "f1" },
      ],
      buttons: [[{ text: "Сайт тут", url: "https://a.ru" }]],
      options: { linkPreview: false, silent: true, protected: false, replyTo: "12", topicId: "7" },
    },
  });
});

test("without a parse mode the text is plain, unless the channel takes it for something else", () => {
  expect(postFromPayload({ text: "**a**" })).toMatchObject({ post: { format: "plain" } });
  expect(postFromPayload({ text: "**a**" }, { parseMode: "Markdown" })).toMatchObject({
    post: { format: "markdown" },
  });
});

describe("a payload is refused with a pointer to", () => {
  test.each([
    ["a text of the wrong type", { text: 5 }, "/text"],
    ["an unknown parse mode", { text: "a", parse_mode: "html" }, "/parse_mode"],
    ["unknown media", { media: [{ type: "hologram", url: "https://a.ru" }] }, "/media/0/type"],
    [
      "media named like a part of the language",
      { media: [{ type: "constructor", url: "https://a.ru" }] },
      "/media/0/type",
    ],
    ["media without a source", { media: [{ type: "photo" }] }, "/media/0"],
    ["media from a file", { media: [{ type: "photo", url: "file:///etc/passwd" }] }, "/media/0/url"],
    [
      "a broken caption",
      { parse_mode: "HTML", media: [{ type: "photo", url: "https://a.ru", caption: "<b>" }] },
      "/media/0/caption",
    ],
    ["a broken text", { parse_mode: "HTML", text: "<b>" }, "/text"],
    [
      "a button that runs code",
      { text: "a", buttons: [[{ text: "b", url: "javascript:1" }]] },
      "/buttons/0/0/url",
    ],
    [
      "a button without a text",
      { text: "a", buttons: [[{ text: " ", url: "https://a.ru" }]] },
      "/buttons/0/0/text",
    ],
    ["something that is no object", "text", ""],
  ])("%s", (_, payload, pointer) => {
    expect(postFromPayload(payload)).toMatchObject({ ok: false, error: { pointer } });
  });
});

describe("where broken markup is sent plain", () => {
  const read = (payload: Record<string, unknown>) => {
    const result = postFromPayload(payload, { brokenMarkup: "plain" });
    if (!result.ok) throw new Error(result.error.message);
    return { text: plainText(result.post.document), repairs: result.repairs };
  };

  // covers autoposting: MAX adapter profile
  test.each([
    ["HTML", "<b>Не закрыт &amp; <i>всё", "Не закрыт & всё", "<i> is not closed, at line 1, column 20"],
    ["HTML", "5 <b 3<p>да</p>", "5 <b 3да", "<b> is not closed, at line 1, column 3"],
    ["HTML", "<script>x()</script><p>а</p><b>б<br>в", "а\nб\nв", "<b> is not closed, at line 1, column 29"],
  ])("%s %j keeps its words and says what was wrong", (parse_mode, text, seen, fault) => {
    const { text: said, repairs } = read({ text, parse_mode });
    expect(said).toBe(seen);
    expect(repairs[0]).toMatchObject({ code: "markup_dropped", message: expect.stringContaining(fault) });
  });

  test("a mark that is not closed is a sign of the text", () => {
    expect(read({ text: "*Не закрыт", parse_mode: "Markdown", dialect: "telegram" })).toMatchObject({
      text: "*Не закрыт",
      repairs: [{ code: "markup_dropped", position: { offset: 0 } }],
    });
  });

  test("what cannot be sent at all is still refused", () => {
    expect(postFromPayload({ text: "а\uD83D" }, { brokenMarkup: "plain" })).toMatchObject({
      ok: false,
      error: { code: "lone_surrogate", pointer: "/text" },
    });
  });
});

test("a payload chooses its link preview, and switching it off wins", () => {
  const optionsOf = (payload: Record<string, unknown>) => {
    const read = postFromPayload({ text: "а", ...payload });
    return read.ok ? read.post.options : read.error.pointer;
  };
  expect(optionsOf({ link_preview: { url: "https://a.ru", size: "small" } })).toEqual({
    linkPreview: { url: "https://a.ru", size: "small" },
  });
  expect(optionsOf({ disable_preview: true, link_preview: { size: "small" } })).toEqual({
    linkPreview: false,
  });
  expect(optionsOf({ disable_preview: false })).toEqual({ linkPreview: true });
  expect(optionsOf({ link_preview: { url: "javascript:1" } })).toBe("/link_preview/url");
});

describe("an article", () => {
  const photo = { type: "photo", url: "https://a.ru/1.jpg", alt: "Вид" };
  const article = { title: " Заголовок ", slug: "zagolovok", tags: ["дом"], cover: 0 };

  test("is read with its pictures in their places", () => {
    const text = '<p>До</p><img src="media:0"><p>После ![нет](media:1)</p>';
    const read = postFromPayload({ parse_mode: "HTML", text, media: [photo], article });
    expect(read).toMatchObject({
      ok: true,
      post: {
        article: {
          title: "Заголовок",
          slug: "zagolovok",
          tags: ["дом"],
          categories: [],
          jsonLd: [],
          cover: 0,
        },
        document: { blocks: [{ type: "paragraph" }, { type: "image", media: 0 }, { type: "paragraph" }] },
      },
    });
    const markdown = postFromPayload({
      parse_mode: "Markdown",
      text: "а\n\n![вид](media:0)",
      media: [photo],
    });
    expect(markdown).toMatchObject({
      ok: true,
      post: { document: { blocks: [{ type: "paragraph" }, { type: "image", media: 0 }] } },
    });
  });

  test.each([
    ["without a title", { article: { ...article, title: " " } }, "/article/title"],
    ["with an address that is none", { article: { ...article, slug: "Не адрес" } }, "/article/slug"],
    ["with an unknown field", { article: { ...article, sulg: "a" } }, "/article"],
    [
      "whose original has no address",
      { article: { ...article, canonical_url: "ftp://a" } },
      "/article/canonical_url",
    ],
    ["whose cover is not there", { article: { ...article, cover: 3 } }, "/article/cover"],
    ["that shows a medium which is not there", { text: '<img src="media:7">', article }, "/text"],
    [
      "that shows a video as a picture",
      { text: '<img src="media:0">', media: [{ type: "video", url: "https://a.ru/1.mp4" }] },
      "/text",
    ],
  ])("%s is refused with a pointer", (_, payload, pointer) => {
    const read = postFromPayload({ parse_mode: "HTML", text: "а", media: [photo], ...payload });
    expect(read).toMatchObject({ ok: false, error: { code: "payload_invalid", pointer } });
  });
});
