import { describe, expect, test } from "vitest";
import { parseHtml } from "./html.ts";
import { codePoints, formatText } from "./index.ts";
import { parseMarkdown } from "./markdown.ts";
import { parseMarkdownV2 } from "./markdown-v2.ts";

const brief = ({ text, entities }: { text: string; entities: readonly object[] }) => [
  text,
  ...entities.map((entity) => Object.values(entity).join(" ")),
];

describe("HTML", () => {
  test.each([
    ["<b>Скидка</b> сегодня", ["Скидка сегодня", "bold 0 6"]],
    ["<STRONG>a</strong>", ["a", "bold 0 1"]],
    ["🔥 <i>🔥 <u>x</u></i>", ["🔥 🔥 x", "italic 3 4", "underline 6 1"]],
    ["a &lt;b&gt; &amp; &quot;c&quot; &nbsp; &#1071;&#x44f;", ['a <b> & "c" &nbsp; Яя']],
    ["&lt без точки с запятой &ltx", ["< без точки с запятой &ltx"]],
    ['<a href="https://ya.ru?q=1&amp;b=2">сюда</a>', ["сюда", "text_link 0 4 https://ya.ru/?q=1&b=2"]],
    ["<a>ya.ru</a>", ["ya.ru", "text_link 0 5 http://ya.ru/"]],
    ['<a href="localhost">x</a>', ["x"]],
    ['<a href="tg://user?id=77">Ира</a>', ["Ира", "text_mention 0 3 [object Object]"]],
    ['<span class="tg-spoiler">тс</span>', ["тс", "spoiler 0 2"]],
    ["<tg-spoiler>тс</tg-spoiler>", ["тс", "spoiler 0 2"]],
    ['<pre><code class="language-sql">select 1</code></pre>', ["select 1", "pre 0 8 sql"]],
    ['<code class="language-sql">x</code>', ["x", "code 0 1"]],
    ["<pre>x <code>y</code></pre>", ["x y", "pre 0 3", "code 2 1"]],
    [
      "<blockquote>a</blockquote><blockquote expandable>b</blockquote>",
      ["ab", "blockquote 0 1", "expandable_blockquote 1 1"],
    ],
    [
      '<tg-emoji emoji-id="5368324170671202286">👍</tg-emoji>',
      ["👍", "custom_emoji 0 2 5368324170671202286"],
    ],
    ['<tg-time unix="1794700000" format="r">скоро</tg-time>', ["скоро", "date_time 0 5 1794700000 r"]],
    ["<b></b>пусто", ["пусто"]],
    ["<i>a</>", ["a", "italic 0 1"]],
    ["<b onclick=x>a</b>", ["a", "bold 0 1"]],
  ])("%s is understood", (source, expected) => {
    expect(brief(parseHtml(source))).toEqual(expected);
  });

  test.each([
    ["<p>x</p>", 'Unsupported start tag "p" at byte offset 0'],
    ["Я<br>", 'Unsupported start tag "br" at byte offset 2'],
    ["🔥<ul>", 'Unsupported start tag "ul" at byte offset 4'],
    ["2 <", "Unclosed start tag at byte offset 2"],
    ["ab<b", "Unclosed start tag at byte offset 2"],
    ['<a href="x>', "Unclosed start tag at byte offset 0"],
    ["a</b>", "Unexpected end tag at byte offset 1"],
    ["<b>a</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
    ["<b>a</b", "Unclosed end tag at byte offset 4"],
    ["<b><i>a</i>", 'Can\'t find end tag corresponding to start tag "b"'],
    ["<span>a</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
    ["<b =1>a</b>", 'Empty attribute name in the tag "b" at byte offset 0'],
    ["<b a=1,>a</b>", "Unexpected end of name token at byte offset 6"],
  ])("%s is refused with the byte at fault", (source, reason) => {
    expect(() => parseHtml(source)).toThrow(`Bad Request: can't parse entities: ${reason}`);
  });
});

describe("MarkdownV2", () => {
  test.each([
    [
      "*b* _i_ __u__ ~s~ ||h|| `c`",
      [
        "b i u s h c",
        "bold 0 1",
        "italic 2 1",
        "underline 4 1",
        "strikethrough 6 1",
        "spoiler 8 1",
        "code 10 1",
      ],
    ],
    ["1\\.5 \\- да\\!", ["1.5 - да!"]],
    ["_a __b___", ["a b", "italic 0 3", "underline 2 1"]],
    ["[сюда](https://ya.ru/a\\)b)", ["сюда", "text_link 0 4 https://ya.ru/a)b"]],
    ["```ts\nlet a = 1.5;```", ["let a = 1.5;", "pre 0 12 ts"]],
    ["```\nx```", ["x", "pre 0 1"]],
    ["`a.b*c`", ["a.b*c", "code 0 5"]],
    ["![👍](tg://emoji?id=25)", ["👍", "custom_emoji 0 2 25"]],
    [">a\n>b\nc", ["a\nb\nc", "blockquote 0 4"]],
    [">a\n**>b", ["a\nb", "blockquote 0 2", "blockquote 2 1"]],
    [">a\n>q||e||w||\nb", ["a\nqew\nb", "expandable_blockquote 0 6", "spoiler 3 1"]],
    ["**", [""]],
  ])("%s is understood", (source, expected) => {
    expect(brief(parseMarkdownV2(source))).toEqual(expected);
  });

  test.each([
    ["Версия 1.0", "Character '.' is reserved and must be escaped with the preceding '\\'"],
    ["a > b", "Character '>' is reserved and must be escaped with the preceding '\\'"],
    ["a|b", "Character '|' is reserved and must be escaped with the preceding '\\'"],
    ["🔥 *abc", "Can't find end of Bold entity at byte offset 5"],
    ["_a *b_", "Can't find end of Italic entity at byte offset 5"],
    ["```a ", "Can't find end of PreCode entity at byte offset 0"],
    ["```a", "Can't find end of Pre entity at byte offset 0"],
    ["[a](b", "Can't find end of a URL at byte offset 4"],
    ["![👍]", "Custom emoji entity must contain a tg://emoji URL"],
    ["![👍](http://x)", "Custom emoji URL must have scheme tg"],
    [">*b\nc*", "Can't find end of Bold entity at byte offset 1"],
    [">a||b\nc", "Can't find end of Spoiler entity at byte offset 2"],
  ])("%s is refused", (source, reason) => {
    expect(() => parseMarkdownV2(source)).toThrow(`Bad Request: can't parse entities: ${reason}`);
  });
});

describe("the older Markdown", () => {
  test.each([
    [
      "*b* _i_ `c` [t](ya.ru) \\*",
      ["b i c t *", "bold 0 1", "italic 2 1", "code 4 1", "text_link 6 1 http://ya.ru/"],
    ],
    ["```ts\nx```", ["x", "pre 0 1 ts"]],
    ["1.5 - да!", ["1.5 - да!"]],
  ])("%s is understood", (source, expected) => {
    expect(brief(parseMarkdown(source))).toEqual(expected);
  });

  test("an entity without an end is refused", () => {
    expect(() => parseMarkdown("я *b")).toThrow(
      "Bad Request: can't parse entities: Can't find end of the entity starting at byte offset 3",
    );
  });
});

describe("the text of a message", () => {
  test("loses spaces and line breaks at both ends, and entities move with it", () => {
    expect(brief(formatText({ text: "\n  <b> a</b> \n", parseMode: "HTML" }))).toEqual(["a", "bold 0 1"]);
  });

  test("has links, mentions, hashtags, commands and addresses marked by itself", () => {
    const { text, entities } = formatText({
      text: "ya.ru, https://a.b/c?d=1. @shop_bot #осень2026 /start a@b.ru $USD #1",
    });
    expect(
      entities.map((entity) => [entity.type, text.slice(entity.offset, entity.offset + entity.length)]),
    ).toEqual([
      ["url", "ya.ru"],
      ["url", "https://a.b/c?d=1"],
      ["mention", "@shop_bot"],
      ["hashtag", "#осень2026"],
      ["bot_command", "/start"],
      ["email", "a@b.ru"],
      ["cashtag", "$USD"],
    ]);
  });

  test("inside code and links nothing is marked", () => {
    const { entities } = formatText({ text: '<code>#a</code> <a href="ya.ru">#b</a>', parseMode: "html" });
    expect(entities.map((entity) => entity.type)).toEqual(["code", "text_link"]);
  });

  test("loses carriage returns and turns control characters into spaces, with entities in place", () => {
    const given = [{ type: "bold", offset: 4, length: 1 }];
    expect(brief(formatText({ text: "a\r\n\tb", entities: given }))).toEqual(["a\n b", "bold 3 1"]);
  });

  test.each([
    [
      [{ type: "bold", offset: 0, length: 9 }],
      "entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 9",
    ],
    [
      [{ type: "bold", offset: 1, length: 1 }],
      "entity begins in a middle of a UTF-16 symbol at byte offset 3",
    ],
    [
      [{ type: "text_link", offset: 0, length: 2, url: "localhost" }],
      "entity URL 'localhost' is invalid: Wrong HTTP URL",
    ],
    [{}, "expected an Array of MessageEntity"],
  ])("entities %j are refused", (entities, reason) => {
    expect(() => formatText({ text: "🔥a", entities })).toThrow(`Bad Request: ${reason}`);
  });

  test("entities that only the provider finds are ignored when given", () => {
    expect(
      formatText({ text: "abc", entities: [{ type: "hashtag", offset: 0, length: 3 }] }).entities,
    ).toEqual([]);
  });

  test("more than 32768 raw bytes are refused before parsing", () => {
    expect(() => formatText({ text: "<".repeat(32_769), parseMode: "HTML" })).toThrow(
      "Bad Request: text is too long",
    );
  });

  test("an unknown parse mode and half a surrogate pair are refused", () => {
    expect(() => formatText({ text: "a", parseMode: "XML" })).toThrow("Bad Request: unsupported parse_mode");
    expect(() => formatText({ text: "a\ud83d" })).toThrow("Bad Request: strings must be encoded in UTF-8");
  });

  test("an emoji counts as one character", () => {
    expect(codePoints("🔥я")).toBe(2);
  });
});
