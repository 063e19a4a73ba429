import { afterEach, beforeEach, expect, test } from "vitest";
import { testClock } from "../shared/testing.ts";
import { hello, startTelegraph, type TestTelegraph } from "./testing.ts";

let telegraph: TestTelegraph;
let access_token: string;
beforeEach(async () => {
  telegraph = await startTelegraph({ clock: testClock() });
  access_token = await telegraph.account();
});
afterEach(() => telegraph.close());

/** The page that readers get of this content. */
async function shown(content: unknown, more: object = {}): Promise<string> {
  const params = { access_token, title: "Раз", content, ...more };
  const { result } = await telegraph.call("createPage", params);
  return telegraph.read(result.path);
}

// covers networks: Twins: what readers see
test("a page shows title, author, date, text, figure and caption", async () => {
  const html = await shown(
    [
      "Строка",
      { tag: "h3", children: ["О диване"] },
      { tag: "p", children: ["Это ", { tag: "b", children: ["важно"] }] },
      {
        tag: "figure",
        children: [
          { tag: "img", attrs: { src: "https://cdn.example/a.jpg" } },
          { tag: "figcaption", children: ["Подпись"] },
        ],
      },
    ],
    { title: "Диваны", author_name: "Shop", author_url: "https://t.me/shop" },
  );
  for (const part of [
    "<h1>Диваны</h1>",
    '<a href="https://t.me/shop" rel="author noopener" target="_blank">Shop</a>',
    ">November 15, 2026</time>",
    "<p>Строка</p>",
    '<h3 id="О-диване">О диване</h3>',
    "<p>Это <b>важно</b></p>",
    '<figure><img src="https://cdn.example/a.jpg" alt=""><figcaption>Подпись</figcaption></figure>',
    '<meta property="og:image" content="https://cdn.example/a.jpg">',
  ])
    expect(html).toContain(part);
});

test("nothing that somebody wrote runs at a reader", async () => {
  const html = await shown(
    [
      "<script>alert(1)</script>",
      { tag: "a", attrs: { href: "javascript:alert(1)" }, children: ["сюда"] },
      { tag: "img", attrs: { src: '" onerror="alert(1)' } },
    ],
    { title: "<b>Раз</b>" },
  );
  expect(html).toContain("&lt;script&gt;");
  expect(html).toContain("<h1>&lt;b&gt;Раз&lt;/b&gt;</h1>");
  expect(html).not.toMatch(/<script|javascript:|onerror/);
  const headers = (await telegraph.send("b-Raz-b-11-15")).headers;
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
});

test("anchors lead to headings, other links out of the page, an embed is named", async () => {
  const html = await shown([
    { tag: "a", attrs: { href: "#О-диване" }, children: ["ниже"] },
    { tag: "a", attrs: { href: "https://a.example" }, children: ["вон"] },
    { tag: "iframe", attrs: { src: "/embed/youtube?url=https%3A%2F%2Fyoutu.be%2Fx" } },
  ]);
  expect(html).toContain('<a href="#О-диване">ниже</a>');
  expect(html).toContain('<a href="https://a.example" target="_blank" rel="noopener">вон</a>');
  expect(html).toContain(">https://youtu.be/x</a>");
});

test("a page that is not there says so with 404", async () => {
  const response = await telegraph.send("Nothing-11-15");
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining("Not Found")]);
});

test("the list of an account's pages leads to each of them, and of nobody else's", async () => {
  await shown(hello, { title: "Мой диван" });
  const stranger = await telegraph.account("Другой");
  await telegraph.call("createPage", { access_token: stranger, title: "Чужой", content: hello });
  const html = await (await telegraph.send("pages-of/1")).text();
  expect(html).toContain('href="/telegraph/Moj-divan-11-15"');
  expect(html).toContain("1 view<");
  expect(html).not.toContain("Чужой");
  expect((await telegraph.send("pages-of/99")).status).toBe(404);
});
