import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testClock } from "../shared/testing.ts";
import { hello, startTelegraph, type TestTelegraph } from "./testing.ts";

let telegraph: TestTelegraph;
let access_token: string;
const clock = testClock();
beforeEach(async () => {
  telegraph = await startTelegraph({ clock });
  access_token = await telegraph.account();
});
afterEach(() => telegraph.close());

const create = (params: object = {}) =>
  telegraph.call("createPage", { access_token, title: "Заголовок", content: hello, ...params });
const pathOf = async (title: string): Promise<string> => (await create({ title })).result.path;

test("a page answers with its address, description, first picture and who may edit it", async () => {
  const content = [
    { tag: "p", children: ["Текст ", { tag: "a", attrs: { href: "https://ex.ru" }, children: ["ссылка"] }] },
    { tag: "figure", children: [{ tag: "img", attrs: { src: "https://cdn.ex.ru/a.jpg" } }] },
  ];
  const author = { author_name: "Shop", author_url: "https://t.me/shop" };
  expect(await create({ title: "Как выбрать диван", content, ...author })).toEqual({
    ok: true,
    result: {
      path: "Kak-vybrat-divan-11-15",
      url: `${telegraph.twins.url}/telegraph/Kak-vybrat-divan-11-15`,
      title: "Как выбрать диван",
      description: "Текст ссылка",
      author_name: "Shop",
      author_url: "https://t.me/shop",
      image_url: "https://cdn.ex.ru/a.jpg",
      views: 0,
      can_edit: true,
    },
  });
});

describe("a path", () => {
  test.each([
    ["Это школа: щука и ёж!", "EHto-shkola-shchuka-i-yozh-11-15"],
    ["Жизнь", "ZHizn-11-15"],
    ["  Sale — 50%  ", "Sale-50-11-15"],
    ["🦊", "-11-15"],
    ["测试", "测试-11-15"],
  ])("of %s is %s", async (title, path) => {
    expect(await pathOf(title)).toBe(path);
    expect(await telegraph.read(path)).toContain(title.trim());
  });

  test("of a title that the day has already gets a number, and another day starts over", async () => {
    expect([await pathOf("Раз"), await pathOf("Раз"), await pathOf("Раз")]).toEqual([
      ...["Raz-11-15", "Raz-11-15-2", "Raz-11-15-3"],
    ]);
    clock.advance(24 * 3_600_000);
    expect(await pathOf("Раз")).toBe("Raz-11-16");
    clock.advance(-24 * 3_600_000);
  });

  test("stays when the title changes", async () => {
    const path = await pathOf("Раз");
    const edited = await telegraph.call(`editPage/${path}`, { access_token, title: "Два", content: hello });
    expect(edited.result).toMatchObject({ path, title: "Два" });
  });
});

test.each([
  [{ title: "" }, "TITLE_REQUIRED"],
  [{ title: "м".repeat(257) }, "TITLE_TOO_LONG"],
  [{ author_name: "м".repeat(129) }, "AUTHOR_NAME_TOO_LONG"],
  [{ author_url: "nowhere" }, "AUTHOR_URL_INVALID"],
  [{ content: "" }, "CONTENT_REQUIRED"],
])("a page with %j is refused as %s, and an edit too", async (params, error) => {
  const path = await pathOf("Раз");
  expect(await create(params)).toEqual({ ok: false, error });
  const edit = { access_token, title: "Раз", content: hello, ...params };
  expect(await telegraph.call(`editPage/${path}`, edit)).toEqual({ ok: false, error });
});

test("a title of 256 characters is taken", async () => {
  expect((await create({ title: "м".repeat(256) })).ok).toBe(true);
});

test("the account's author is used where a page names none, and a blank one takes it away", async () => {
  await telegraph.call("editAccountInfo", {
    access_token,
    author_name: "Автор",
    author_url: "https://a.example",
  });
  expect((await create()).result).toMatchObject({ author_name: "Автор", author_url: "https://a.example" });
  expect((await create({ author_name: "", author_url: "" })).result).not.toHaveProperty("author_name");
});

test("only the owner edits a page, and everybody reads it", async () => {
  const path = await pathOf("Раз");
  const stranger = await telegraph.account("Другой");
  const edit = { access_token: stranger, title: "Моё", content: hello };
  expect((await telegraph.call(`editPage/${path}`, edit)).error).toBe("PAGE_ACCESS_DENIED");
  expect((await telegraph.call(`getPage/${path}`)).result).not.toHaveProperty("can_edit");
  expect((await telegraph.call(`getPage/${path}`, { access_token })).result.can_edit).toBe(true);
  const asStranger = await telegraph.call(`getPage/${path}`, { access_token: stranger });
  expect(asStranger.result).toMatchObject({ title: "Раз", can_edit: false });
  expect((await telegraph.call("getPageList", { access_token: stranger })).result.total_count).toBe(0);
});

test("a page that is not there is not found", async () => {
  expect((await telegraph.call("getPage/Net-11-15")).error).toBe("PAGE_NOT_FOUND");
  expect((await telegraph.call("getViews/Net-11-15")).error).toBe("PAGE_NOT_FOUND");
  const edit = { access_token, title: "Раз", content: hello };
  expect((await telegraph.call("editPage/Net-11-15", edit)).error).toBe("PAGE_NOT_FOUND");
});

test("content comes back only when it is asked for", async () => {
  expect((await create()).result).not.toHaveProperty("content");
  expect((await create({ return_content: true })).result.content).toEqual(hello);
  const path = await pathOf("Раз");
  expect((await telegraph.call(`getPage/${path}`, { return_content: true })).result.content).toEqual(hello);
});

describe("the list of pages", () => {
  test("is newest first and comes in parts", async () => {
    const titles = ["Раз", "Два", "Три"];
    for (const title of titles) await create({ title });
    const list = async (params: object) => {
      const { total_count, pages } = (await telegraph.call("getPageList", { access_token, ...params }))
        .result;
      return [total_count, ...pages.map(({ title }: { title: string }) => title)];
    };
    expect(await list({})).toEqual([3, "Три", "Два", "Раз"]);
    expect(await list({ limit: 1, offset: 1 })).toEqual([3, "Два"]);
    expect(await list({ limit: 0 })).toEqual([3]);
    expect(await list({ offset: 5 })).toEqual([3]);
    expect((await telegraph.call("getPageList", { access_token, limit: 201 })).error).toBe("LIMIT_INVALID");
  });

  test("has fifty pages unless more are asked for", async () => {
    for (let count = 0; count < 51; count += 1) await create({ title: `Страница ${count}` });
    const lengthOf = async (params: object) =>
      (await telegraph.call("getPageList", { access_token, ...params })).result.pages.length;
    expect([await lengthOf({}), await lengthOf({ limit: 200 })]).toEqual([50, 51]);
  });
});

describe("views", () => {
  const views = async (path: string, params: object = {}) =>
    (await telegraph.call(`getViews/${path}`, { ...params })).result.views;

  test("are counted when people read, not when programs ask", async () => {
    const path = await pathOf("Раз");
    await telegraph.read(path);
    clock.advance(3_600_000);
    await telegraph.read(path);
    await telegraph.call(`getPage/${path}`);
    expect(await views(path)).toBe(2);
    expect(await views(path, { year: 2026, month: 11, day: 15, hour: 12 })).toBe(1);
    expect(await views(path, { year: 2026, month: 11, day: 15 })).toBe(2);
    expect(await views(path, { year: 2026, month: 10 })).toBe(0);
    expect((await telegraph.call(`getPage/${path}`)).result.views).toBe(2);
    clock.advance(-3_600_000);
  });

  test.each([
    [{ month: 11 }, "YEAR_REQUIRED"],
    [{ year: 2026, day: 1 }, "MONTH_REQUIRED"],
    [{ year: 2026, month: 11, hour: 1 }, "DAY_REQUIRED"],
    [{ year: 1999 }, "YEAR_INVALID"],
    [{ year: 2026, month: 13 }, "MONTH_INVALID"],
    [{ year: 2026, month: "may" }, "MONTH_INVALID"],
  ])("within %j are refused as %s", async (params, error) => {
    expect((await telegraph.call(`getViews/${await pathOf("Раз")}`, { ...params })).error).toBe(error);
  });
});
