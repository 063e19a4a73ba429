import { describe, expect, it } from "vitest";
import { inOneLine, readSourceConfig } from "./config.ts";

const api = { url: "https://api.example/items", fields: { id: "/id", text: "/text" } };
const db = {
  query: "select id, title, created_at from news where created_at > $1",
  time_column: "created_at",
  id_column: "id",
  fields: { id: "/id", text: "/title" },
};

describe("a source's configuration", () => {
  it("needs little: the rest has defaults", () => {
    expect(readSourceConfig("rss", { url: "https://news.example/rss" })).toMatchObject({
      ok: true,
      config: {
        kind: "rss",
        max_items_first_run: 3,
        fields: ["title", "summary"],
        link: "append",
        max_media: 1,
      },
    });
    expect(readSourceConfig("api", api).ok).toBe(true);
    expect(readSourceConfig("db", db).ok).toBe(true);
  });

  it.each([
    ["rss", {}, "/url"],
    ["rss", { url: "ftp://news.example/rss" }, "http or https"],
    ["rss", { url: "https://me:pass@news.example/rss" }, "secret"],
    ["rss", { url: "https://news.example", headers: { Authorization: "Bearer x" } }, "secret"],
    ["rss", { url: "https://news.example", feilds: ["title"] }, "feilds"],
    ["api", { ...api, fields: { id: "/id" } }, "nothing to post"],
    ["api", { ...api, fields: { id: "/id", text: "{{ title" } }, "/fields/text"],
    ["api", { ...api, fields: { id: "/id", text: "{{ title | no_such_filter }}" } }, "no_such_filter"],
    ["api", { ...api, fields: { id: "/id", text: "{% include 'x' %}" } }, "include"],
    ["api", { ...api, paging: { by: "page", param: "page", max_pages: 1000 } }, "max_pages"],
    ["db", { ...db, query: "select $3" }, "$3 is unknown"],
    ["db", { ...db, time_column: 'x"; drop table news; --' }, "/time_column"],
  ] as const)("is refused in words: %s %j", (kind, config, words) => {
    const read = readSourceConfig(kind, config);
    expect(read.ok ? "no fault" : inOneLine(read.errors)).toContain(words);
  });
});
