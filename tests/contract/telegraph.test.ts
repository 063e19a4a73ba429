import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseContent } from "../../src/content/index.ts";
import { type ManualClock, manualClock } from "../../src/kernel/clock/index.ts";
import { createProviderClient, type OwnedHttpClient } from "../../src/kernel/outbound/index.ts";
import {
  createTelegraph,
  failureText,
  type PageResult,
  type Preview,
  type Telegraph,
} from "../../src/telegraph/index.ts";
import { startTestTwins, type TestTwins } from "../../twins/shared/testing.ts";

let twins: TestTwins;
let http: OwnedHttpClient;
let telegraph: Telegraph;
let clock: ManualClock;
let waits: number[];
let token: string | undefined;

beforeEach(async () => {
  twins = await startTestTwins();
  http = createProviderClient();
  clock = manualClock();
  waits = [];
  token = undefined;
  telegraph = telegraphAt(`${twins.url}/telegraph`);
});
afterEach(async () => {
  await http.close();
  await twins.close();
});

function telegraphAt(apiRoot: string, requestTimeoutMs = 5_000): Telegraph {
  return createTelegraph({
    ...{ apiRoot, http, clock, shortName: "Molva", requestTimeoutMs },
    keeper: {
      token: async () => token,
      async keep(fresh, instead) {
        if (token === undefined || token === instead) token = fresh;
        return token;
      },
    },
    pause: async (ms) => {
      waits.push(ms);
      clock.advance(ms);
    },
  });
}

const patience = (seconds = 60) => ({ deadline: new Date(clock.now().getTime() + seconds * 1000) });

function aPreview(change: Partial<Preview> & { text?: string } = {}): Preview {
  const { text = "Текст статьи", ...rest } = change;
  const parsed = parseContent(text, "markdown");
  if (!parsed.ok) throw new Error(parsed.error.message);
  return { title: "Как выбрать диван", document: parsed.document, pictures: [], language: "ru", ...rest };
}

interface Page {
  readonly path: string;
  readonly title: string;
  readonly content: unknown[];
}
async function pages(): Promise<Page[]> {
  const { accounts } = await twins.control<{ accounts: { pages: Page[] }[] }>("GET", "/telegraph/accounts");
  return accounts.flatMap((account) => account.pages);
}
const fault = (what: object, match: object = {}) =>
  twins.control("POST", "/faults", {
    provider: "telegraph",
    method: "createPage",
    fault: what,
    times: 1,
    ...match,
  });
async function calls(method: string): Promise<number> {
  const { entries } = await twins.control<{ entries: unknown[] }>("GET", `/journal?method=${method}`);
  return entries.length;
}
function pathOf(result: PageResult): string {
  if (result.kind === "failed") throw new Error(JSON.stringify(result.failure));
  return result.path;
}

describe("a preview", () => {
  // covers networks: Telegraph: previews of articles
  it("becomes a page that everybody can read, with figure, caption and author", async () => {
    const pictures = [{ url: "https://cdn.example/a.jpg", alt: "Диван", caption: "Наш диван" }];
    const author = { name: "Магазин", url: "https://shop.example" };
    const result = await telegraph.create(
      aPreview({ text: "## Цена\n\n**Важно**", pictures, author }),
      patience(),
    );
    expect(result).toMatchObject({ kind: "ok", losses: [{ code: "alt_text" }] });
    const html = await (await fetch(`${twins.url}/telegraph/${pathOf(result)}`)).text();
    for (const part of ["Магазин", "Наш диван", "https://cdn.example/a.jpg", "Цена</h3>", "<b>Важно</b>"])
      expect(html).toContain(part);
  });

  it("uses one account for all pages, made by the first", async () => {
    await telegraph.create(aPreview(), patience());
    await telegraph.create(aPreview({ title: "Второй" }), patience());
    expect(await calls("createAccount")).toBe(1);
    expect(await pages()).toHaveLength(2);
  });

  // covers networks: Telegraph: 64 KB and waits
  it("of an article beyond 64 KB is cut between blocks and says so in its language", async () => {
    const text = Array.from({ length: 60 }, (_, index) => `Абзац ${index}. ${"слово ".repeat(100)}`).join(
      "\n\n",
    );
    const result = await telegraph.create(aPreview({ text }), patience());
    expect(result).toMatchObject({ kind: "ok", losses: [{ code: "text_shortened" }] });
    const [page] = await pages();
    expect(JSON.stringify(page?.content.at(-1))).toContain("Предпросмотр сокращён");
    expect(page?.content.length).toBeGreaterThan(30);
    expect(JSON.stringify(page?.content.at(-2))).toMatch(/слово/);
  });

  it("with a title too long, of many lines or missing gets one that Telegraph takes", async () => {
    await telegraph.create(aPreview({ title: "Д".repeat(300) }), patience());
    await telegraph.create(aPreview({ title: " Два \n слова " }), patience());
    await telegraph.create(aPreview({ title: " " }), patience());
    expect((await pages()).map(({ title }) => title)).toEqual([
      "Предпросмотр статьи",
      "Два слова",
      "Д".repeat(256),
    ]);
  });

  it("without text is refused in words", async () => {
    const result = await telegraph.create(aPreview({ text: "" }), patience());
    expect(result).toEqual({ kind: "failed", failure: { code: "empty" } });
    expect(failureText({ code: "empty" }, "ru")).toContain("нет текста");
  });

  it("with an address of the author that Telegraph refuses says which refusal", async () => {
    const author = { name: "Магазин", url: "shop" };
    const result = await telegraph.create(aPreview({ author }), patience());
    expect(result).toEqual({
      ...{ kind: "failed", failure: { code: "refused", providerCode: "AUTHOR_URL_INVALID" } },
    });
  });
});

describe("a wait that Telegraph demands", () => {
  // covers networks: Telegraph: 64 KB and waits
  it("is kept, and a second longer", async () => {
    await fault({ kind: "status", status: 429, retryAfter: 7 });
    expect((await telegraph.create(aPreview(), patience())).kind).toBe("ok");
    expect(waits).toEqual([8_000]);
  });

  it("beyond the caller's deadline is a failure that names it, at once", async () => {
    await fault({ kind: "status", status: 429, retryAfter: 300 });
    const result = await telegraph.create(aPreview(), patience(60));
    expect(result).toEqual({ kind: "failed", failure: { code: "busy", retryAfterMs: 301_000 } });
    expect(waits).toEqual([]);
    expect(failureText({ code: "busy", retryAfterMs: 301_000 }, "ru")).toContain("через 6 минут");
  });
});

describe("never two pages for one preview", () => {
  it.each([
    ["the save failed", { kind: "status", status: 500, description: "PAGE_SAVE_FAILED" }, 2],
    ["the save failed although the page is there", { kind: "answer", flaw: "error" }, 1],
    ["the server in front failed", { kind: "status", status: 502 }, 2],
    ["the connection broke before the work", { kind: "drop_before" }, 2],
    ["the connection broke after the work", { kind: "drop_after" }, 1],
    ["the answer is no JSON", { kind: "malformed" }, 1],
  ])("when %s", async (_name, what, attempts) => {
    await telegraph.create(aPreview(), patience());
    await fault(what);
    const result = await telegraph.create(aPreview(), patience());
    const all = await pages();
    expect(all).toHaveLength(2);
    // The page of the same title that was there before is another preview's.
    expect(pathOf(result)).toBe(all[0]?.path);
    expect(await calls("createPage")).toBe(1 + attempts);
  });

  // covers networks: Telegraph: previews of articles
  it("when no answer comes at all", async () => {
    await telegraph.create(aPreview(), patience());
    await fault({ kind: "hang", after: true });
    const result = await telegraphAt(`${twins.url}/telegraph`, 300).create(aPreview(), patience());
    expect(pathOf(result)).toBe((await pages())[0]?.path);
    expect(await pages()).toHaveLength(2);
  });

  it("when it fails twice: it is tried no third time", async () => {
    await fault({ kind: "status", status: 500, description: "PAGE_SAVE_FAILED" }, { times: 5 });
    const result = await telegraph.create(aPreview(), patience());
    expect(result).toEqual({ kind: "failed", failure: { code: "unreachable", detail: "PAGE_SAVE_FAILED" } });
    expect(await calls("createPage")).toBe(2);
  });

  it("when the page cannot be looked for: nothing is tried again, and the doubt is told", async () => {
    await telegraph.create(aPreview(), patience());
    await fault({ kind: "drop_after" });
    // The list answers once, before the page is made.
    await fault({ kind: "delay", ms: 0 }, { method: "getPageList" });
    await fault({ kind: "status", status: 502 }, { method: "getPageList", times: 5 });
    const result = await telegraph.create(aPreview(), patience());
    expect(result).toMatchObject({ kind: "failed", failure: { code: "uncertain" } });
    expect(await calls("createPage")).toBe(2);
  });
});

it("Telegraph that cannot be reached is a failure in words, and nothing was made", async () => {
  const result = await telegraphAt("http://127.0.0.1:9/telegraph").create(aPreview(), patience());
  expect(result).toMatchObject({ kind: "failed", failure: { code: "unreachable" } });
  if (result.kind === "failed") expect(failureText(result.failure, "ru")).toContain("не отвечает");
});

it("a caller without time left gets a failure, and Telegraph no request", async () => {
  const result = await telegraph.create(aPreview(), patience(0));
  expect(result).toMatchObject({ kind: "failed", failure: { code: "unreachable" } });
  expect(await calls("createAccount")).toBe(0);
});

it("a token that was revoked gives way to that of a new account", async () => {
  await telegraph.create(aPreview(), patience());
  token = "0".repeat(60);
  expect((await telegraph.create(aPreview(), patience())).kind).toBe("ok");
  expect(await calls("createAccount")).toBe(2);
  expect(token).not.toBe("0".repeat(60));
});

describe("a page", () => {
  // covers networks: Telegraph: edited in place or to nothing
  it("is edited in its place, through one failed save", async () => {
    const path = pathOf(await telegraph.create(aPreview(), patience()));
    await fault({ kind: "status", status: 500, description: "PAGE_SAVE_FAILED" }, { method: "editPage" });
    const edited = await telegraph.edit(path, aPreview({ title: "Иначе", text: "Другое" }), patience());
    expect(pathOf(edited)).toBe(path);
    expect(await pages()).toMatchObject([{ path, title: "Иначе", content: [{ children: ["Другое"] }] }]);
  });

  // covers networks: Telegraph: edited in place or to nothing
  it("that is removed keeps its address and nothing of the article", async () => {
    const path = pathOf(await telegraph.create(aPreview(), patience()));
    expect((await telegraph.remove(path, "ru", patience())).kind).toBe("ok");
    const html = await (await fetch(`${twins.url}/telegraph/${path}`)).text();
    expect(html).toContain("Предпросмотр удалён");
    expect(html).not.toContain("Текст статьи");
    expect(html).not.toContain("диван");
  });

  it("that is gone or somebody else's cannot be edited", async () => {
    const path = pathOf(await telegraph.create(aPreview(), patience()));
    const failed = (providerCode: string) => ({
      ...{ kind: "failed", failure: { code: "not_editable", providerCode } },
    });
    expect(await telegraph.remove("Net-11-15", "ru", patience())).toEqual(failed("PAGE_NOT_FOUND"));
    token = undefined;
    expect(await telegraph.remove(path, "ru", patience())).toEqual(failed("ACCESS_TOKEN_INVALID"));
    await telegraph.create(aPreview({ title: "Чужой" }), patience());
    expect(await telegraph.remove(path, "ru", patience())).toEqual(failed("PAGE_ACCESS_DENIED"));
  });
});
