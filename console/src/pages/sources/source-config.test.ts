import { expect, test } from "vitest";
import type { Source } from "./shapes.ts";
import { configOf, draftOf, emptyDraft } from "./source-config.ts";

const stored = (kind: Source["kind"], config: Source["config"]): Source => ({
  ...{ source_id: "s", kind, config, enabled: true, every_seconds: 600, has_secret: false },
  ...{ next_run_at: "", running: false, last_run_at: null, last_success_at: null, failures: 0 },
  ...{ last_error: null, last_run: null },
});

test.each<[Source["kind"], Source["config"]]>([
  ["rss", { url: "https://a/x", max_items_first_run: 3, tags: ["а", "б"], fields: ["title"], max_text: 500 }],
  [
    "api",
    {
      url: "https://a/x",
      items_path: "/data",
      max_items_first_run: 0,
      parse_mode: "HTML",
      fields: { id: "/id", text: "<b>{{ name }}</b>", price: "/price" },
      paging: { by: "page", param: "p" },
    },
  ],
  [
    "db",
    {
      query: "select 1",
      time_column: "at",
      id_column: "id",
      max_items_first_run: 3,
      fields: { id: "/id", text: "/t" },
    },
  ],
])("settings of a source of kind %s go through the form unchanged", (kind, config) => {
  expect(configOf(draftOf(stored(kind, config)))).toEqual(config);
});

test("other settings that are no object are not guessed at", () => {
  expect(configOf({ ...emptyDraft, more: "[1]" })).toBeUndefined();
  expect(configOf({ ...emptyDraft, more: "{" })).toBeUndefined();
  expect(configOf({ ...emptyDraft, url: " https://a " })).toEqual({
    url: "https://a",
    max_items_first_run: 3,
  });
});
