import { describe, expect, test } from "vitest";
import { postFromPayload } from "./index.ts";

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
