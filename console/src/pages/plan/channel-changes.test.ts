import { expect, test } from "vitest";
import { changesOf, draftOf, gapIsWrong } from "./channel-changes.ts";
import type { PacedChannel } from "./shapes.ts";

const channel: PacedChannel = {
  ...{ channel_id: "c", title: "Новости", target_id: "-1", target_name: null, platform: "telegram" },
  ...{ state: "active", rate_rps: 0.5, window_mode: "immediate", posting_window: null },
};

test("an untouched channel has no changes", () => {
  expect(changesOf(channel, draftOf(channel))).toBeUndefined();
});

test("a gap of seconds becomes a rate, and no gap no limit", () => {
  expect(changesOf(channel, { ...draftOf(channel), gap: "60" })?.fields).toEqual({ rate_rps: 0.0166667 });
  expect(changesOf(channel, { ...draftOf(channel), gap: "" })?.fields).toEqual({ rate_rps: null });
});

test.each([
  ["", false],
  ["0,5", false],
  ["0", true],
  ["-1", true],
  ["часто", true],
])("a gap of %j is refused: %s", (gap, wrong) => {
  expect(gapIsWrong({ ...draftOf(channel), gap })).toBe(wrong);
});

test("a channel without hours gets them with the mode", () => {
  const draft = { ...draftOf(channel), mode: "windowed", days: ["mon"] as const };
  expect(changesOf(channel, draft)?.fields).toEqual({
    window_mode: "windowed",
    posting_window: { mon: [["09:00", "18:00"]] },
  });
});

test("hours that nobody touched keep their intervals; changed ones keep the holidays", () => {
  const holidays = { "2027-01-01": [] };
  const posting_window = {
    sat: [
      ["10:00", "12:00"],
      ["18:00", "24:00"],
    ],
    holidays,
  };
  const windowed = { ...channel, window_mode: "windowed", posting_window };
  expect(changesOf(windowed, { ...draftOf(windowed), enabled: false })).toEqual({
    fields: {},
    enabled: false,
  });
  expect(changesOf(windowed, { ...draftOf(windowed), from: "11:00", until: "00:00" })?.fields).toEqual({
    posting_window: { sat: [["11:00", "24:00"]], holidays },
  });
});
