import { expect, test } from "vitest";
import { addressOf, filterOf } from "./filter.ts";
import { progressOf, totalOf } from "./status.ts";

const now = new Date("2026-11-18T12:00:00Z");

test("an address gives the filter, and what means nothing in it is left out", () => {
  expect(filterOf({ status: "dead,lost,retry", channel: "c1", since: "day" }, now)).toEqual({
    ...{ status: ["dead", "retry"], channel: "c1", since: "2026-11-17T12:00:00.000Z" },
  });
  expect(filterOf({ since: "yesterday" }, now)).toEqual({ status: [], channel: undefined, since: undefined });
});

test("the same filter has the same address, whatever came first", () => {
  expect(addressOf({ since: "day", status: "dead" })).toBe("status=dead&since=day");
  expect(addressOf({ status: "", since: "day" })).toBe("since=day");
});

test("the bar counts every status once", () => {
  const progress = progressOf({ sent: 3, queued: 1, retry: 1, dead: 1, failed_permanent: 1, withdrawn: 1 });
  expect(progress).toEqual({ sent: 3, deduped: 0, withdrawn: 1, moving: 2, failed: 2 });
  expect(totalOf(progress)).toBe(8);
});
