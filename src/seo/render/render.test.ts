import fc from "fast-check";
import type { Element } from "hast";
import { describe, expect, test } from "vitest";
import { longestSource, plainText, postFromPayload } from "../../content/index.ts";
import { allowedAttributes, allowedTags } from "./allowed.ts";
import { elementsIn, htmlOf, parsedHtml } from "./html.ts";
import { type RenderInput, renderArticle, toArticle } from "./index.ts";

const given = (markdown: string, more: Partial<RenderInput> = {}): RenderInput => ({
  markdown,
  title: "Как выбрать пластиковые окна",
  mainPhrase: "пластиковые окна",
  ...more,
});
const bodyOf = (markdown: string, more: Partial<RenderInput> = {}) =>
  htmlOf(renderArticle(given(markdown, more)).body);
const picture = (number: number) => ({ url: `https://files.test/${number}.webp`, width: 1200, height: 675 });
const described = {
  alt: "Пластиковое окно в спальне",
  filename: "plastikovoe-okno.webp",
  caption: "Спальня",
};

describe("an article", () => {
  test("has its title above the body, which begins at the second level", () => {
    expect(bodyOf("# Свой титул\n\nТекст\n\n## Раздел\n\n### Часть")).toBe(
      '\n<p>Текст</p>\n<h2 id="razdel">Раздел</h2>\n<h3 id="chast">Часть</h3>',
    );
    expect(renderArticle(given("Текст")).page).toMatch(/^<h1>Как выбрать пластиковые окна<\/h1>/);
    const levels = (markdown: string) =>
      renderArticle(given(markdown)).headings.map(({ level, text }) => `${level}${text}`);
    expect(levels("вводная\n\n# а\n\n## б\n\n# в")).toEqual(["2а", "3б", "2в"]);
    expect(levels("## а\n\n# б\n\n### в")).toEqual(["2а", "2б", "3в"]);
    expect(levels("### а\n\n#### б")).toEqual(["2а", "3б"]);
  });

  test("has ids of headings in Latin letters, each once, and contents from three headings on", () => {
    const { html, headings } = renderArticle(
      given("## Цена\n\n## Цена\n\n### Цена 2\n\n#### Мелочь\n\n## 漢字"),
    );
    expect(headings.map(({ id }) => id)).toEqual(["tsena", "tsena-2", "tsena-2-2", "meloch", "razdel"]);
    expect(html).toContain(
      '<nav class="article-contents" aria-label="Содержание"><p><strong>Содержание</strong></p><ul><li><a href="#tsena">Цена</a></li>' +
        '<li><a href="#tsena-2">Цена</a><ul><li><a href="#tsena-2-2">Цена 2</a></li></ul></li><li><a href="#razdel">漢字</a></li></ul></nav>',
    );
    expect(renderArticle(given("## Раз\n\n## Два")).html).not.toContain("<nav");
  });

  test("replaces contents that the model wrote and drops links to places that do not exist", () => {
    const html = bodyOf("## Содержание\n\n- [а](#a)\n\n## А\n\n[есть](#a) и [нет](#nowhere)");
    expect(html).toBe('\n<h2 id="a">А</h2>\n<p><a href="#a">есть</a> и нет</p>');
  });

  test("shows pictures as figures with captions, sizes and lazy loading", () => {
    const html = bodyOf("## А\n\nдо {{IMAGE_1}} после", { images: [picture(1)], imagesMeta: [described] });
    expect(html).toBe(
      '<h2 id="a">А</h2>\n<p>до</p><figure><img src="https://files.test/1.webp" alt="Пластиковое окно в спальне" width="1200" height="675" ' +
        'loading="lazy" /><figcaption>Спальня</figcaption></figure><p>после</p>',
    );
  });

  test.each([
    ["a paragraph of its own", "{{IMAGE_1}}"],
    ["a list", "- раз {{IMAGE_1}}\n- два"],
    ["a heading", "## Раздел {{IMAGE_1}}"],
    ["markup", "**жирно {{IMAGE_1}}**"],
    ["a Markdown picture", "![подпись]({{IMAGE_1}})"],
    ["a figure of the model", "<figure>{{IMAGE_1}}<figcaption>Подпись</figcaption></figure>"],
    ["no place at all", "## Раздел\n\nтекст"],
    ["two places", "{{IMAGE_1}}\n\nтекст {{IMAGE_1}}"],
  ])("shows a picture exactly once when its placeholder has %s", (_, markdown) => {
    const html = bodyOf(markdown, { images: [picture(1)], imagesMeta: [described] });
    expect(html.match(/<figure>/g)).toHaveLength(1);
    expect(html).not.toContain("IMAGE_");
  });

  // covers seo: E32
  test("is reconciled with its pictures by index (E32)", () => {
    const markdown = "## А\n\nтекст\n\n{{IMAGE_1}}\n\n## Б\n\nтекст\n\n{{IMAGE_2}}\n\n{{IMAGE_3}}";
    const fewer = renderArticle(
      given(markdown, { images: [picture(1)], imagesMeta: [described, described] }),
    );
    expect(fewer.html.match(/<img/g)).toHaveLength(1);
    expect(fewer.html).not.toContain("IMAGE_");
    expect(fewer.warnings.map(({ code }) => code)).toEqual(["images_reconciled"]);

    const images = [picture(1), picture(2), picture(3)];
    const more = renderArticle(given(markdown, { images, imagesMeta: [described, { alt: "Кот" }] }));
    expect(more.images.map(({ alt, filename }) => [alt, filename])).toEqual([
      ["Пластиковое окно в спальне", "plastikovoe-okno"],
      ["Как выбрать пластиковые окна, изображение 2", "kak-vybrat-plastikovye-okna-2"],
      ["Как выбрать пластиковые окна, изображение 3", "kak-vybrat-plastikovye-okna-3"],
    ]);
    expect(more.html.match(/<img/g)).toHaveLength(3);
    const none = renderArticle(given(markdown, { imagesMeta: [described] }));
    expect(none.html).not.toMatch(/IMAGE_|<img|<figure/);
  });

  test("drops pictures from addresses that the model wrote", () => {
    expect(bodyOf("текст ![x](https://elsewhere.test/x.png)")).toBe("<p>текст</p>");
  });

  test("has brand colours as one style block, and only colours", () => {
    const { html } = renderArticle(given("## А", { brand: { text: "#333333", accent: "#f60" } }));
    expect(html.match(/<style>/g)).toHaveLength(1);
    expect(html).toContain(".molva-article a {color: #f60}");
    const hostile = {
      text: "red;}</style><script>",
      accent: "#fff;}body{display:none",
      background: "url(x)",
    };
    expect(renderArticle(given("## А", { brand: hostile })).html).not.toContain("<style>");
  });

  test("has structured data of the connection's type, which no text can close", () => {
    const faq = [{ question: "Какие </script> лучше?", answer: "<script>alert(1)</script> & б" }];
    const { html, jsonLd } = renderArticle(
      given("## FAQ\n\n### Какие /script лучше?\n\nТе.", {
        faq,
        facts: { type: "BlogPosting", description: "</script>" },
      }),
    );
    const scripts = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
      ([, json]) => JSON.parse(json ?? ""),
    );
    expect(scripts).toEqual(jsonLd);
    expect(scripts.map((thing) => thing["@type"])).toEqual(["BlogPosting", "FAQPage"]);
    expect(html.match(/<\/?script/g)).toHaveLength(4);
    expect(scripts[1].mainEntity[0].acceptedAnswer.text).toBe("<script>alert(1)</script> & б");
    expect(renderArticle(given("а", { facts: { type: "Product" } })).jsonLd[0]).toMatchObject({
      "@type": "Article",
    });
  });

  test("has only questions in its structured data that readers see, and reads them from the text if none are given", () => {
    const markdown =
      "## Вопросы\n\n### Сколько служат?\n\nДолго.\n\n### Что мыть?\n\nСтёкла.\n\n## Итог\n\nКонец.";
    const shown = renderArticle(
      given(markdown, {
        faq: [
          { question: "Сколько служат?", answer: "40 лет" },
          { question: "Чужой?", answer: "Да" },
        ],
      }),
    );
    expect(shown.questions).toEqual([{ question: "Сколько служат?", answer: "40 лет" }]);
    expect(shown.warnings.map(({ code }) => code)).toEqual(["faq_left_out"]);
    expect(renderArticle(given(markdown)).questions).toEqual([
      { question: "Сколько служат?", answer: "Долго." },
      { question: "Что мыть?", answer: "Стёкла." },
    ]);
  });

  test("ends with the disclaimer as text", () => {
    expect(renderArticle(given("текст", { disclaimer: "Не <b>совет</b>" })).html).toContain(
      '<blockquote class="article-disclaimer"><p>Не &#x3C;b>совет&#x3C;/b></p></blockquote></div>',
    );
  });

  // covers seo: E47
  test("that cannot be read is shown as it was written, with a warning (E47)", () => {
    const source = `${">".repeat(200)} <script>alert(1)</script>`;
    const { html, warnings } = renderArticle(given(source, { disclaimer: "Справка." }));
    expect(warnings.map(({ code }) => code)).toEqual(["markdown_parse_failed"]);
    expect(html).toContain("<pre>>>>");
    expect(html).toContain("&#x3C;script>alert(1)&#x3C;/script></pre>");
    expect(html).toContain("Справка.");
    expect(renderArticle(given("а".repeat(longestSource + 1))).warnings[0]?.code).toBe(
      "markdown_parse_failed",
    );
  });

  test("keeps colours and text decoration of a style and nothing else", () => {
    const html = bodyOf(
      'a <span style="color:#f00; position:fixed; background-color: rgb(1, 2, 3); text-decoration: underline; background:url(x)">b</span> <span style="color:expression(x)">c</span>',
    );
    expect(html).toBe(
      '<p>a <span style="color: #f00; background-color: rgb(1, 2, 3); text-decoration: underline">b</span> c</p>',
    );
  });

  test("keeps links to pages, mail and telephones, and completes those within the site", () => {
    const html = bodyOf(
      "[а](https://a.test) [б](/okna) [в](mailto:a@b.test) [г](tel:+78432001010) [д](javascript:alert(1)) [е](data:text/html,x) <a href='java&#10;script:alert(1)'>ж</a> [з](file:///etc/passwd)",
      { site: "https://site.test/" },
    );
    const rel = 'rel="noopener noreferrer"';
    expect(html).toBe(
      `<p><a href="https://a.test/" ${rel}>а</a> <a href="https://site.test/okna" ${rel}>б</a> <a href="mailto:a@b.test" ${rel}>в</a> <a href="tel:+78432001010" ${rel}>г</a> д е ж з</p>`,
    );
    expect(bodyOf("[а](https://a.test)", { isLinkAllowed: () => false })).toBe("<p>а</p>");
  });
});

describe("a post of the delivery engine", () => {
  test("has the same text, pictures and structured data, and is read without complaint", () => {
    const markdown =
      "Вводная.\n\n## Раздел\n\nТекст [там](#razdel) и [тут](https://a.test/).\n\n{{IMAGE_1}}\n\n- раз\n- два";
    const rendered = renderArticle(
      given(markdown, { images: [picture(1), picture(2)], imagesMeta: [described], disclaimer: "Справка." }),
    );
    const payload = toArticle(rendered, {
      description: "О выборе",
      focusKeyword: "пластиковые окна",
      tags: ["окна"],
    });
    const read = postFromPayload(payload);
    if (!read.ok) throw new Error(read.error.message);
    expect(read.repairs).toEqual([]);
    expect(plainText(read.post.document)).toContain("Раздел\n\nТекст там и тут.");
    expect(read.post.document.blocks.map(({ type }) => type)).toEqual([
      ...["paragraph", "heading", "paragraph", "image", "list", "image", "quote"],
    ]);
    expect(read.post.media.map(({ url, alt }) => [url, alt])).toEqual([
      ["https://files.test/1.webp", "Пластиковое окно в спальне"],
      ["https://files.test/2.webp", "Как выбрать пластиковые окна, изображение 2"],
    ]);
    expect(read.post.article).toMatchObject({
      ...{
        title: "Как выбрать пластиковые окна",
        slug: "kak-vybrat-plastikovye-okna",
        cover: 0,
        tags: ["окна"],
      },
    });
    // Addresses of our storage expire, so they are not published.
    expect(JSON.stringify(read.post.article?.jsonLd)).not.toContain("files.test");
  });
});

/** Asserts that a page is read as it was written and has only what is allowed. */
function expectSafe(markdown: string): void {
  const { html, body } = renderArticle(given(markdown, { images: [picture(1)], imagesMeta: [described] }));
  const written = htmlOf(body);
  // Compared outside expect, which would print a hundred kilobytes.
  expect(htmlOf(parsedHtml(written)) === written, "is read as it was written").toBe(true);
  expect([...elementsIn(body)].flatMap(faultsOf)).toEqual([]);
  expect(html.match(/<\/?script\b/gi)).toHaveLength(html.includes("FAQPage") ? 4 : 2);
  expect(/IMAGE_\d/.test(written)).toBe(false);
}

function faultsOf({ tagName, properties }: Element): string[] {
  const tags: readonly string[] = allowedTags;
  const own = /^h[2-6]$/.test(tagName) ? ["id"] : [];
  const names = [...(allowedAttributes[tagName] ?? []), ...own];
  const unsafe = Object.entries(properties).filter(
    ([name, value]) =>
      !names.includes(name) ||
      (["href", "src"].includes(name) && !/^(?:https?:|mailto:|tel:|#)/.test(String(value))),
  );
  return [...(tags.includes(tagName) ? [] : [tagName]), ...unsafe.map(([name]) => `${tagName} ${name}`)];
}

describe("any text", () => {
  const hostile = [
    "<svg><p><style><!--</style><img title='--><img src=x onerror=alert(1)>'></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x onerror=alert(1)&gt;'>",
    "<form><math><mtext></form><form><mglyph><svg><mtext><style><path id='</style><img onerror=alert(1) src>'>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<a href='x' onclick=alert(1)>a<a href='https://b.test'>b</a></a>",
    "<table><tr><td>a<table><td>b</table></table><td>c<tr>d",
    "<p>a<h2>b<p>c</h2></p><li>d<ul><li>e",
    "<img src='{{IMAGE_1}}' onerror='alert(1)'><img src=`javascript:alert(1)`>",
    "<template><script>alert(1)</script></template><textarea></textarea><xmp><script>alert(1)</xmp>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe><object data='javascript:1'><embed src=x>",
    "<pre>\n\nтекст</pre><pre>\n{{IMAGE_1}}</pre>",
    "[a](<javascript:alert(1)>) [b](&#106;avascript:alert(1)) ![c](data:image/svg+xml;base64,AAAA)",
    "<b><p><b><p><i>x</b></p></i>",
    "<h1 id='x' class='y' style='color:red'>a</h1>",
    "[^1]\n\n[^1]: сноска <script>alert(1)</script>",
    "<!-- {{IMAGE_1}} --><![CDATA[<script>alert(1)</script>]]><?php echo 1 ?>",
    "<plaintext><b>x",
  ];
  test.each(hostile)("that is hostile becomes harmless: %s", expectSafe);

  test("becomes a page that is read as it was written, with allowed tags and attributes only", () => {
    const pieces = fc.constantFrom(
      ...hostile,
      ...[
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<a href='https://a.test'>",
        "</a>",
        "<table>",
        "<td>",
        "</table>",
        "<li>",
        "<ul>",
      ],
      ...[
        "<svg>",
        "</svg>",
        "<math>",
        "<style>",
        "</style>",
        "<!--",
        "-->",
        "<script>",
        "</script>",
        "<h2>",
        "</h2>",
        "<pre>",
      ],
      ...[
        "\n\n",
        "\n",
        "# ",
        "- ",
        "> ",
        "```\n",
        "`",
        "**",
        "[",
        "](",
        ")",
        "{{IMAGE_1}}",
        "{{IMAGE_2}}",
        "|a|b|\n|-|-|\n|1|2|\n",
      ],
      ...[
        "<figure>",
        "<figcaption>",
        "</figure>",
        "<span style='color:red'>",
        "</span>",
        "<blockquote>",
        "<br>",
        "<img src=x>",
        "&lt;",
        "\\",
      ],
    );
    const text = fc.array(
      fc.oneof({ weight: 4, arbitrary: pieces }, fc.string({ unit: "binary", maxLength: 8 })),
      {
        maxLength: 25,
      },
    );
    fc.assert(
      fc.property(text, (parts) => expectSafe(parts.join(""))),
      { numRuns: 120 },
    );
  });

  test("of a hundred kilobytes of repetitions is read or shown as it is, in linear time", () => {
    const repeated = [
      ...[
        "<b>",
        "<p><b>",
        "<table><td>",
        "<svg><p>",
        "[",
        "![](",
        "**a",
        "> ",
        "- a\n",
        "<a href=x>",
        "`",
        "{{IMAGE_1}} ",
      ],
      ...[
        "<span style='",
        "a|b\n",
        "<!--",
        "\n\n",
        "## а\n\n",
        "слово ",
        "{{",
        "<scr",
        "&lt;",
        "_a_",
        "\\*",
        "^[1]",
      ],
    ];
    for (const piece of repeated) expectSafe(piece.repeat(Math.ceil(99_000 / piece.length)));
  });
});
