import { expect, test } from "vitest";
import type { Channel } from "../shapes.ts";
import { changeOf, draftOf } from "./draft.ts";
import { daysOf, intervalsOf, readDays, readIntervals } from "./window.ts";

const channel: Channel = {
  ...{
    channel_id: "c1",
    platform: "telegram",
    target_id: "-1001",
    target_name: null,
    allow_duplicate: false,
  },
  ...{
    title: "Новости",
    state: "active",
    paused_until: null,
    owner: null,
    auth_ref: "bot",
    has_credential: true,
  },
  ...{ rate_group: "bot", send_mode: "mixed", rate_rps: 1, max_parallel: 1, timezone: null },
  ...{ window_mode: "windowed", posting_window: { mon: [["09:00", "18:00"]] }, dedup_ttl_hours: 168 },
  ...{ unknown_policy: "at_least_once", max_age_seconds: null, on_stale: "drop", catchup: "paced" },
  ...{ silence_after_seconds: null, pause_on_permanent_seconds: null, disable_after_permanent_streak: null },
  ...{ template_ref: null, settings: { silent: true, custom: 7 }, tags: ["новости"] },
  route_filter: { include_any: ["новости"] },
};

test("a form that nobody touched changes nothing", () => {
  expect(changeOf(channel, draftOf(channel))).toEqual({ body: {}, misread: {} });
});

test.each([
  ["title", " Другое ", { title: "Другое" }],
  ["title", "", { title: null }],
  ["rate_rps", "0,5", { rate_rps: 0.5 }],
  ["tags", "новости,  москва,", { tags: ["новости", "москва"] }],
  ["tags", "", { tags: [] }],
  ["allow_duplicate", "true", { allow_duplicate: true }],
  ["route_filter.exclude", "18+", { route_filter: { include_any: ["новости"], exclude: ["18+"] } }],
  ["route_filter.include_any", "", { route_filter: null }],
  ["settings.silent", "", { settings: { custom: 7 } }],
  ["settings.strict", "false", { settings: { silent: true, custom: 7, strict: false } }],
  ["settings.other", '{"mine": 1}', { settings: { silent: true, mine: 1 } }],
  [
    "posting_window.tue",
    "9:00-12:00, 18:00 — 02:00",
    {
      posting_window: {
        mon: [["09:00", "18:00"]],
        tue: [
          ["09:00", "12:00"],
          ["18:00", "02:00"],
        ],
      },
    },
  ],
  ["posting_window.mon", "", { posting_window: null }],
])("%s typed as «%s» sends %j", (key, text, body) => {
  expect(changeOf(channel, { ...draftOf(channel), [key]: text })).toEqual({ body, misread: {} });
});

test.each([
  ["rate_rps", "быстро", "number"],
  ["posting_window.wed", "утром", "intervals"],
  ["posting_window.holidays", "завтра", "days"],
  ["settings.other", "[1]", "json"],
])("%s typed as «%s» is not sent, because it is no %s", (key, text, misread) => {
  expect(changeOf(channel, { ...draftOf(channel), [key]: text })).toEqual({
    body: {},
    misread: { [key]: misread },
  });
});

test("hours are read as they are shown", () => {
  const hours = [
    ["09:00", "12:00"],
    ["18:00", "24:00"],
  ];
  expect(readIntervals(intervalsOf(hours))).toEqual(hours);
  const days = { "2027-01-01": [], "2027-05-09": [["10:00", "14:00"]] };
  expect(readDays(daysOf(days))).toEqual(days);
});
