import fc from "fast-check";
import { expect, it } from "vitest";
import { mosaicOf } from "./mosaic.ts";

const ratios = fc.array(fc.double({ min: 0.2, max: 5, noNaN: true }), { minLength: 1, maxLength: 10 });

it("fills the whole rectangle, one tile for each picture", () => {
  fc.assert(
    fc.property(ratios, (ratios) => {
      const { tiles } = mosaicOf(ratios);
      expect(tiles).toHaveLength(ratios.length);
      const area = tiles.reduce((sum, { width, height }) => sum + width * height, 0);
      expect(area).toBeCloseTo(1, 6);
      for (const { left, top, width, height } of tiles) {
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
        expect(Math.max(left + width, top + height)).toBeLessThanOrEqual(1 + 1e-9);
      }
    }),
  );
});

it("never stretches an album into a ribbon", () => {
  fc.assert(
    fc.property(ratios, (ratios) => {
      const { ratio } = mosaicOf(ratios);
      expect(ratio).toBeGreaterThan(0.4);
      expect(ratio).toBeLessThan(4);
    }),
  );
});

it("keeps the pictures' order from left to right and from top to bottom", () => {
  const { tiles } = mosaicOf([1.5, 1.5, 1.5, 1.5, 1.5]);
  const reading = [...tiles].sort((a, b) => a.top - b.top || a.left - b.left);
  expect(reading).toEqual(tiles);
});

it("shows a single picture in its own proportions", () => {
  expect(mosaicOf([1.5])).toEqual({ ratio: 1.5, tiles: [{ left: 0, top: 0, width: 1, height: 1 }] });
});

it("puts two portraits side by side and two panoramas one above the other", () => {
  expect(mosaicOf([0.7, 0.7]).tiles[1]?.top).toBe(0);
  expect(mosaicOf([1.9, 1.9]).tiles[1]?.left).toBe(0);
});
