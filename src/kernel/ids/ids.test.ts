import { expect, it } from "vitest";
import { manualClock } from "../clock/index.ts";
import { isUuid, uuidv7 } from "./index.ts";

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
