import { expect, it } from "vitest";
import { manualClock } from "../clock/index.ts";
import { idRange, isUuid, shortIds, uuidv7 } from "./index.ts";

it("makes version 7 identifiers that carry their time", () => {
  const clock = manualClock(new Date("2026-11-15T12:00:00.123Z"));
  const id = uuidv7(clock);
  expect(isUuid(id)).toBe(true);
  expect(id[14]).toBe("7");
  expect("89ab").toContain(id[19]);
  expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(clock.now().getTime());
});

it("sorts ids by the millisecond they were made in and never repeats one", () => {
  const clock = manualClock();
  const ids = Array.from({ length: 500 }, () => {
    clock.advance(1);
    return uuidv7(clock);
  });
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(500);
});

it("prints the ids of a list in short, longer only where two of them begin alike", () => {
  expect(shortIds(["01a1e5ca-64d0-7000-8000-000000000001", "01a1e5ca-64d1-7000-8000-000000000002"])).toEqual([
    "01a1e5ca-64d0",
    "01a1e5ca-64d1",
  ]);
  expect(shortIds(["01a1e5ca-64d0-7abc-8000-000000000001", "01a1e5ca-64d0-7abd-8000-000000000002"])).toEqual([
    "01a1e5ca-64d0-7abc",
    "01a1e5ca-64d0-7abd",
  ]);
  expect(shortIds(["01a1e5ca-64d0-7abc-8000-000000000001"])).toEqual(["01a1e5ca-64d0"]);
  expect(shortIds([])).toEqual([]);
});

it("finds between which ids those lie that begin as somebody typed, and nothing for what is no beginning", () => {
  expect(idRange(" 01A1e5ca-64 ")).toEqual([
    "01a1e5ca-6400-0000-0000-000000000000",
    "01a1e5ca-64ff-ffff-ffff-ffffffffffff",
  ]);
  for (const typed of ["", "-", "me", "01a1e5ca'", "0".repeat(33)]) expect(idRange(typed)).toBeUndefined();
});
