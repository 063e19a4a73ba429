import { expect, it } from "vitest";
import { faceOf } from "./avatar.ts";

it.each([
  ["Кофейня «Полдень»", "КП"],
  ["«утро»", "У"],
  ["24 часа", "2Ч"],
  ["🎉", "🎉"],
  ["", "?"],
])("gives %j the letters %s", (title, initials) => {
  expect(faceOf(title).initials).toBe(initials);
});

it("gives the same title the same colour and different titles many colours", () => {
  expect(faceOf("Канал")).toEqual(faceOf("Канал"));
  const palettes = new Set(Array.from({ length: 40 }, (_, index) => faceOf(`Канал ${index}`).palette));
  expect(palettes.size).toBeGreaterThan(4);
  expect(Math.max(...palettes)).toBeLessThan(8);
});
