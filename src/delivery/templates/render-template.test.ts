import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ParseMode, parseContent, plainText } from "../../content/index.ts";
import { escapes } from "./escape.ts";
import { type RenderOptions, renderTemplate, templateFault } from "./render-template.ts";

const render = (
  body: string,
  payload: Record<string, unknown> = {},
  mode: ParseMode = "None",
  options: RenderOptions = {},
) => renderTemplate({ body, defaults: {} }, payload, mode, options);

describe("a template", () => {
  it("takes its values from the payload, and from its defaults what the payload does not bring", () => {
    const template = {
      body: "{{ title }}: {{ source }}, {{ city }}",
      defaults: { source: "ТАСС", city: "Москва" },
    };
    expect(renderTemplate(template, { title: "Погода", city: "Тверь" }, "None")).toEqual({
      ok: true,
      text: "Погода: ТАСС, Тверь",
    });
  });

  it("writes nothing for what is nowhere, or refuses it when it is tried out", () => {
    expect(render("[{{ nothing.at.all }}]")).toEqual({ ok: true, text: "[]" });
    expect(render("Здравствуйте!\n{{ titel }}", {}, "None", { strictVariables: true })).toEqual({
      ok: false,
      error: { message: "line 2, column 4: undefined variable: titel", line: 2, column: 4 },
    });
    expect(render("{% if titel %}{{ titel }}{% endif %}да", {}, "None", { strictVariables: true })).toEqual({
      ok: true,
      text: "да",
    });
  });

  it("leaves no empty lines in place of its tags", () => {
    const body =
      "Новости\n\n{% for item in items %}\n{% if item %}\n- {{ item }}  \n{% endif %}\n{% endfor %}\n";
    expect(render(body, { items: ["раз", "два"] })).toEqual({ ok: true, text: "Новости\n\n- раз\n\n- два" });
  });

  it("writes dates by the workspace's clock", () => {
    const body = '{{ at | date: "%d.%m.%Y %H:%M" }}';
    const payload = { at: "2027-05-09T20:30:00Z" };
    expect(render(body, payload, "None", { timezone: "Europe/Moscow" })).toEqual({
      ok: true,
      text: "09.05.2027 23:30",
    });
    expect(render(body, payload, "None", { timezone: "Asia/Kolkata" })).toEqual({
      ok: true,
      text: "10.05.2027 02:00",
    });
  });

  it("sees nothing of the objects it is given but their own fields", () => {
    expect(render("{{ constructor }}{{ item.__proto__ }}{{ item.toString }}!", { item: {} })).toEqual({
      ok: true,
      text: "!",
    });
  });
});

describe("what comes from the payload", () => {
  it("is escaped in HTML, once, unless the template says raw", () => {
    const payload = { title: `<b> & "x"`, text: "<i>как есть</i>" };
    expect(render("<b>{{ title }}</b> {{ title | escape }} {{ text | raw }}", payload, "HTML")).toEqual({
      ok: true,
      text: `<b>&lt;b&gt; &amp; &quot;x&quot;</b> &lt;b&gt; &amp; &quot;x&quot; <i>как есть</i>`,
    });
    expect(render("{% liquid\necho title\n%}{% cycle title, 1 %}", { title: "<" }, "HTML")).toEqual({
      ok: true,
      text: "&lt;&lt;",
    });
  });

  it("is escaped in Markdown, and bare links stay links", () => {
    const payload = {
      title: "*Скидка* [сюда](https://evil.example)",
      url: "https://shop.example/a_b?x=1&utm_source=tg",
    };
    expect(render("**{{ title }}** {{ url }} {{ title | raw }}", payload, "Markdown")).toEqual({
      ok: true,
      text: "**\\*Скидка\\* \\[сюда\\](https://evil.example)** https://shop.example/a_b?x=1&utm_source=tg *Скидка* [сюда](https://evil.example)",
    });
  });

  it("stays as it is in plain text", () => {
    expect(render("{{ title }}", { title: "<b> *a* _b_" }, "None")).toEqual({
      ok: true,
      text: "<b> *a* _b_",
    });
  });

  const signs = fc.string({
    unit: fc.constantFrom(..."\\`*_{}[]()<>#+-.!|~&;=:\"'/123 \nabя".split("")),
    maxLength: 40,
  });
  const words = (text: string) => text.replace(/\s+/g, " ").trim();

  it.each(["HTML", "Markdown"] as const)(
    "reads in %s exactly as it was written, whatever signs it has",
    (mode) => {
      const format = mode === "HTML" ? "html" : "markdown";
      fc.assert(
        fc.property(signs, (value) => {
          const parsed = parseContent(escapes[mode]?.(value) ?? value, format);
          if (!parsed.ok) throw new Error(parsed.error.message);
          expect(words(plainText(parsed.document))).toBe(words(value));
          expect(parsed.document.blocks.every(({ type }) => type === "paragraph")).toBe(true);
        }),
        { numRuns: 700 },
      );
    },
  );
});

describe("a template that cannot be rendered is refused with its place named", () => {
  it.each([
    ["an unknown filter", "Раз\n  {{ title | upcas }}", "line 2, column 3: undefined filter: upcas"],
    ["an unknown tag", "{% loop %}", 'line 1, column 1: tag "loop" not found'],
    ["a tag that is not closed", "a\n{% if b %}", "line 2, column 1: tag {% if b %} not closed"],
    ["an output that is not closed", "{{ title", 'line 1, column 1: output "{{ title" not closed'],
    ["a file", "a {% include 'secrets' %}", 'line 1, column 3: tag "include" not found'],
    ["another template", "{% render 'other' %}", 'line 1, column 1: tag "render" not found'],
    ["a layout", "{% layout 'page' %}", 'line 1, column 1: tag "layout" not found'],
    ["too long a body", "x".repeat(65_537), "the template is longer than 65536 characters"],
  ])("%s", (_name, body, message) => {
    expect(templateFault(body)).toMatchObject({ message });
    expect(render(body)).toMatchObject({ ok: false, error: { message } });
  });

  const list = Array.from({ length: 1000 }, (_, index) => index);

  it.each([
    [
      "a loop that writes without end",
      "{% for i in (1..9000) %}много текста{% endfor %}",
      "line 1, column 25: the text is longer than 65536 bytes",
    ],
    [
      "a loop that only takes time",
      "{% for a in list %}{% for b in list %}{% for c in list %}{% endfor %}{% endfor %}{% endfor %}",
      "rendering took longer than 500 ms",
    ],
    ["a range without end", "{% for i in (1..900000000) %}{% endfor %}", "too much is made on the way"],
    [
      "a text that doubles",
      "{% assign x = 'aaaaaaaa' %}{% for i in (1..60) %}{% assign x = x | append: x %}{% endfor %}",
      "too much is made on the way",
    ],
    [
      "a filter that is given a whole list as the name of a property",
      "{{ list | sort: list }}",
      '"sort" takes the name of a property',
    ],
    [
      "a filter that is given a long text as the name of a property",
      "{% capture name %}{% for i in list %}a.{% endfor %}{% endcapture %}{{ list | where: name }}",
      '"where" takes the name of a property',
    ],
  ])("%s is stopped", (_name, body, message) => {
    expect(templateFault(body)).toBeUndefined();
    expect(render(body, { list })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining(message) },
    });
  });

  it.each([
    ["{{ rows | sort: 'n' | map: 'n' | join }}", "1 2 3"],
    ["{{ rows | where: 'n', 2 | map: 'n' | join }}", "2"],
    ["{{ rows | sum: 'n' }}", "6"],
    ["{{ list | sort_natural | first }}", "0"],
    ["{% assign found = rows | find: 'n', 3 %}{{ found.n }}", "3"],
  ])("a property's name is what it always was: %s", (body, text) => {
    const rows = [{ n: 3 }, { n: 1 }, { n: 2 }];
    expect(render(body, { list, rows })).toMatchObject({ ok: true, text });
  });
});
