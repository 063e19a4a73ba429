import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTelegraph, type TestTelegraph } from "./testing.ts";

let telegraph: TestTelegraph;
let access_token: string;
beforeEach(async () => {
  telegraph = await startTelegraph();
  access_token = await telegraph.account();
});
afterEach(() => telegraph.close());

const asForm = (content: string) =>
  telegraph.call("createPage", { access_token, title: "Раз", content, return_content: true });
const create = (content: unknown) => asForm(JSON.stringify(content));
async function asJson(body: string) {
  const headers = { "content-type": "application/json" };
  return JSON.parse(await (await telegraph.send("createPage", { method: "POST", headers, body })).text());
}

describe("content", () => {
  /** JSON of exactly so many bytes in UTF-8. */
  const sized = (bytes: number) => JSON.stringify([{ tag: "p", children: ["x".repeat(bytes - 30)] }]);
  const overhead = sized(30).length - 30;

  test("of 65536 bytes is taken, of one more it is too big", async () => {
    const exact = sized(65_536 - overhead);
    expect(Buffer.byteLength(exact)).toBe(65_536);
    expect((await asForm(exact)).ok).toBe(true);
    expect((await asForm(sized(65_537 - overhead))).error).toBe("CONTENT_TOO_BIG");
  });

  test("counts bytes and not letters", async () => {
    const letters = (count: number) => [{ tag: "p", children: ["ж".repeat(count)] }];
    expect((await create(letters(32_750))).ok).toBe(true);
    expect((await create(letters(32_760))).error).toBe("CONTENT_TOO_BIG");
  });

  test("costs what its escapes cost, in a form and in a JSON body", async () => {
    const escaped = `[{"tag":"p","children":["${"\\u0436".repeat(11_000)}"]}]`;
    expect((await asForm(escaped)).error).toBe("CONTENT_TOO_BIG");
    const body = `{"title": "a \\"b\\" {", "access_token": "${access_token}", "content": ${escaped}}`;
    expect((await asJson(body)).error).toBe("CONTENT_TOO_BIG");
    expect((await asJson(body.replaceAll("\\u0436", "ж"))).ok).toBe(true);
  });

  test("may be the array itself in a JSON body, or its text", async () => {
    const content = [{ tag: "p", children: ["Привет"] }];
    for (const given of [content, JSON.stringify(content)]) {
      const body = JSON.stringify({ access_token, title: "Раз", content: given, return_content: true });
      expect((await asJson(body)).result.content).toEqual(content);
    }
  });

  test.each([
    ["{", "CONTENT_FORMAT_INVALID"],
    ['{"tag":"p"}', "CONTENT_FORMAT_INVALID"],
    ["[1]", "CONTENT_FORMAT_INVALID"],
    ["[null]", "CONTENT_FORMAT_INVALID"],
    ['[{"children":["a"]}]', "CONTENT_FORMAT_INVALID"],
    ['[{"tag":"p","children":"a"}]', "CONTENT_FORMAT_INVALID"],
    ['[{"tag":"a","attrs":{"href":1},"children":["a"]}]', "CONTENT_FORMAT_INVALID"],
    ['[{"tag":"p","attrs":"x","children":["a"]}]', "CONTENT_FORMAT_INVALID"],
    ["[]", "CONTENT_TEXT_REQUIRED"],
    ['[{"tag":"p","children":[" "]}]', "CONTENT_TEXT_REQUIRED"],
    ['[{"tag":"img","attrs":{"src":"https://a.example/a.jpg"}}]', "CONTENT_TEXT_REQUIRED"],
  ])("%s is refused as %s", async (content, error) => {
    expect((await asForm(content)).error).toBe(error);
  });

  test.each(["h1", "h2", "h5", "table", "div", "span", "script"])("has no tag %s", async (tag) => {
    expect((await create([{ tag, children: ["Текст"] }])).error).toBe("CONTENT_FORMAT_INVALID");
  });

  test("keeps href and src, and drops every other attribute", async () => {
    const attrs = { href: "https://a.example", onclick: "x()", class: "y" };
    const { result } = await create([{ tag: "a", attrs, children: ["Текст"] }, "Строка"]);
    expect(result.content).toEqual([
      { tag: "a", attrs: { href: "https://a.example" }, children: ["Текст"] },
      "Строка",
    ]);
  });

  test("embeds only what Telegraph can embed", async () => {
    const embed = (src: string) => create(["Видео", { tag: "iframe", attrs: { src } }]);
    expect((await embed("/embed/youtube?url=https%3A%2F%2Fyoutu.be%2Fx")).ok).toBe(true);
    expect((await embed("https://youtube.com/embed/x")).error).toBe("CONTENT_FORMAT_INVALID");
  });

  test("loses unknown tags but not their text, when the twin is told so", async () => {
    await telegraph.twins.control("PATCH", "/telegraph/options", { unknown_tags: "drop" });
    const { result } = await create([{ tag: "div", children: [{ tag: "p", children: ["Текст"] }] }]);
    expect(result.content).toEqual([{ tag: "p", children: ["Текст"] }]);
    await telegraph.twins.control("POST", "/reset");
    expect(await telegraph.twins.control("GET", "/telegraph/options")).toEqual({ unknown_tags: "refuse" });
  });
});
