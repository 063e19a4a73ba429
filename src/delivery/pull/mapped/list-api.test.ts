import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "../../../../tests/support/database.ts";
import { apiConfig } from "../config.ts";
import { newItem } from "../pull-item.ts";
import { type Harness, startHarness, type TestWorkspace } from "../testing/harness.ts";
import { OverBudget } from "./expression.ts";
import { createMapper } from "./mapped-item.ts";

const anApi = { url: "https://shop.example", fields: { id: "/id", text: "/title" } };
let harness: Harness;
let workspace: TestWorkspace;
let path = "";
let servers = 0;

beforeAll(async () => {
  harness = await startHarness(await testDatabase());
});
afterAll(() => harness.close());
beforeEach(async () => {
  workspace = await harness.workspace();
  path = `/api-${servers++}`;
});

interface Item {
  id: number;
  title: string;
}

const items = (from: number, to: number): Item[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ id: from + at, title: `Товар ${from + at}` }));
const serve = (body: unknown) => harness.feeds.serve(path, { body: JSON.stringify(body) });
const addApi = (config: Record<string, unknown> = {}, secret?: string) =>
  workspace.add("shop", {
    kind: "api",
    config: {
      url: `${harness.feeds.url}${path}?lang=ru`,
      items_path: "/data/items",
      fields: { id: "/id", text: "{{ title }}" },
      max_items_first_run: 100,
      ...config,
    },
    ...(secret && { secret }),
  });
const askedFor = () =>
  harness.feeds.requests.filter((request) => request.path.startsWith(path)).map((r) => r.path);

describe("templates of a JSON API's fields", () => {
  // Long words pass the limit of bytes soon, well before the limit of time, on a slow machine too.
  const endless = `{% for a in (1..900) %}{% for b in (1..900) %}${"x".repeat(400)}{% endfor %}{% endfor %}`;

  it("have the limits of every template: an item that passes them is dropped with the reason", async () => {
    serve({ data: { items: items(1, 2) } });
    await addApi({ fields: { id: "/id", text: `{% if id == 1 %}${endless}{% endif %}{{ title }}` } });
    expect(await workspace.pull("shop")).toMatchObject({ stats: { accepted: 1, payload_rejected: 1 } });
    expect(await workspace.texts()).toEqual(["Товар 2"]);
  });

  it("that are needed to read the list fail the run in words", async () => {
    serve({ data: { items: items(1, 2) } });
    await addApi({ fields: { id: endless, text: "{{ title }}" } });
    expect(await workspace.pull("shop")).toMatchObject({
      outcome: "failed",
      failure: { code: "source_config_invalid", message: expect.stringContaining("longer than 65536 bytes") },
    });
  });

  it("have a budget for all items of a run, which drops nothing", () => {
    const { id } = createMapper({ ...apiConfig.parse(anApi), fields: { id: "{{ id }}" } }, "shop", 0);
    expect(id({ id: 1 })).toBe("1");
    expect(() => Array.from({ length: 10_000 }, () => id({ id: 1 }))).toThrow(OverBudget);
    const candidate = { ref: "1", cursor: {}, post: () => ({ payload: { text: id({ id: 1 }) } }) };
    expect(() => newItem(candidate)).toThrow(OverBudget);
  });
});

describe("a JSON API", () => {
  // covers autoposting: Pull mode
  it("is mapped by pointers and templates, media, tags, link and further fields included", async () => {
    serve({
      data: {
        items: [
          {
            id: "a/1",
            name: "Чайник <Заря>",
            price: 1990,
            photos: [{ url: "https://cdn.example/1.jpg" }, { url: "https://cdn.example/2.jpg" }],
            labels: "посуда, Новинка",
            page: "https://shop.example/1",
            added: 1_794_000_000,
          },
        ],
      },
    });
    await addApi({
      parse_mode: "HTML",
      link: "button",
      fields: {
        id: "/id",
        text: "<b>{{ name }}</b>\n{{ price }} ₽",
        media: "/photos",
        tags: "/labels",
        link: "/page",
        published_at: "/added",
        price: "/price",
      },
    });
    expect(await workspace.pull("shop")).toMatchObject({ outcome: "done", stats: { accepted: 1 } });
    const [message] = await harness.database.sql`
      select payload, tags, source_ref, source from delivery.messages where workspace_id = ${workspace.workspaceId}`;
    expect(message).toMatchObject({
      payload: {
        text: "<b>Чайник &lt;Заря&gt;</b>\n1990 ₽",
        price: 1990,
        media: [
          { type: "photo", url: "https://cdn.example/1.jpg" },
          { type: "photo", url: "https://cdn.example/2.jpg" },
        ],
        buttons: [[{ text: "Читать далее", url: "https://shop.example/1" }]],
      },
      tags: ["новинка", "посуда"],
      source_ref: "a/1",
      source: { kind: "pull_source", source_id: "shop", url: "https://shop.example/1" },
    });
  });

  it("sends its secret as the Authorization header and never shows it", async () => {
    serve({ data: { items: [] } });
    await addApi({}, "Bearer s3cret");
    await workspace.pull("shop");
    expect(harness.feeds.requests.at(-1)?.headers.authorization).toBe("Bearer s3cret");
    expect(JSON.stringify(await workspace.show("shop"))).not.toContain("s3cret");
  });

  it("is not asked without the secret it names", async () => {
    await workspace.add("shop", {
      kind: "api",
      config: { url: `${harness.feeds.url}${path}`, fields: { id: "/id", text: "/t" } },
      secretVariable: "MOLVA_SOURCE_MISSING",
    });
    expect(await workspace.pull("shop")).toMatchObject({ failure: { code: "source_secret_missing" } });
    expect(askedFor()).toEqual([]);
  });

  it("is posted oldest first although it lists newest first", async () => {
    serve({ data: { items: items(1, 3).reverse() } });
    await addApi();
    await workspace.pull("shop");
    expect(await workspace.texts()).toEqual(["Товар 1", "Товар 2", "Товар 3"]);
  });

  it("is read page by page until an empty one, within the bound", async () => {
    harness.feeds.serve(path, ({ url }, response) => {
      const page = Number(url.searchParams.get("page"));
      const listed = page <= 2 ? items(page * 10, page * 10 + 1) : [];
      response.end(JSON.stringify({ data: { items: listed } }));
    });
    await addApi({ order: "oldest_first", paging: { by: "page", param: "page", max_pages: 5 } });
    await workspace.pull("shop");
    expect(await workspace.texts()).toEqual(["Товар 10", "Товар 11", "Товар 20", "Товар 21"]);
    expect(askedFor()).toEqual([1, 2, 3].map((page) => `${path}?lang=ru&page=${page}`));
  });

  it("is followed by its next cursor, and not in a circle", async () => {
    harness.feeds.serve(path, ({ url }, response) => {
      const at = url.searchParams.get("cursor") ?? "start";
      const listed = items(at === "start" ? 1 : 2, at === "start" ? 1 : 2);
      response.end(JSON.stringify({ data: { items: listed }, next: "more" }));
    });
    await addApi({
      order: "oldest_first",
      paging: { by: "cursor", param: "cursor", next: "/next", max_pages: 9 },
    });
    await workspace.pull("shop");
    expect(askedFor()).toHaveLength(2);
    expect(await workspace.texts()).toEqual(["Товар 1", "Товар 2"]);
  });

  it("is asked only for what follows the stored cursor", async () => {
    harness.feeds.serve(path, ({ url }, response) => {
      const since = Number(url.searchParams.get("since_id") ?? 0);
      response.end(JSON.stringify({ data: { items: items(since + 1, since + 2) } }));
    });
    await addApi({ order: "oldest_first", cursor_param: "since_id" });
    await workspace.pull("shop");
    harness.clock.advance(1_000);
    await workspace.pull("shop");
    expect(askedFor().at(-1)).toBe(`${path}?lang=ru&since_id=2`);
    expect(await workspace.texts()).toEqual([1, 2, 3, 4].map((id) => `Товар ${id}`));
  });

  it.each([
    ["no JSON", "<html>", "not JSON"],
    ["no list at its place", { data: {} }, 'no list at "/data/items"'],
    ["items without ids", { data: { items: [{ title: "безымянный" }] } }, "nothing at the id's place"],
  ])("that answers with %s is reported in words", async (_what, body, words) => {
    if (typeof body === "string") harness.feeds.serve(path, { body });
    else serve(body);
    await addApi();
    expect(await workspace.pull("shop")).toMatchObject({
      failure: { code: "source_malformed", message: expect.stringContaining(words) },
    });
  });

  it("drops an item whose template fails and keeps the others", async () => {
    serve({ data: { items: [{ id: 1, title: "" }, ...items(2, 3)] } });
    await addApi();
    expect(await workspace.pull("shop")).toMatchObject({ stats: { accepted: 2, payload_rejected: 1 } });
  });
});
