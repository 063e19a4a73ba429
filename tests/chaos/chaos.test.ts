import { describe, expect, inject, it } from "vitest";
import { regressionSeed } from "../support/seed.ts";
import { storm } from "./storm.ts";

describe("a short storm loses nothing, doubles only what nobody could know, and leaves the books balanced", () => {
  it.each([
    ["of this run's seed", () => inject("seed")],
    ["of the seed that every run had before", () => regressionSeed],
  ])(
    "when processes are killed at any point: %s",
    async (_, seed) => {
      const report = await storm(
        {
          seed: seed(),
          kind: "all",
          seconds: 4,
          kills: 4,
          deliveries: 60,
          chats: { telegram: 27, max: 18 },
          chatsPerPost: { telegram: 6, max: 4 },
          networks: 2,
          processes: { api: 1, dispatcher: 2, monitor: 1 },
          restarts: 1,
        },
        () => undefined,
      );
      expect(report.violations).toEqual([]);
      expect(report).toMatchObject({ kills: 4, lost: 0, doubled_reconcilable: 0, doubled_at_most_once: 0 });
      expect(report.sent).toBeGreaterThan(0);
      expect(report.published).toBeGreaterThan(5);
      expect(report.corrections.corrected).toBeGreaterThan(0);
    },
    600_000,
  );
});
