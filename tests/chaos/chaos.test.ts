import { expect, it } from "vitest";
import { storm } from "./storm.ts";

it("a short storm loses nothing, doubles only what nobody could know, and leaves the books balanced", async () => {
  const report = await storm(
    {
      seed: Number(process.env.MOLVA_CHAOS_SEED ?? 20_261_116),
      seconds: 8,
      kills: 6,
      deliveries: 120,
      chats: { telegram: 27, max: 18 },
      chatsPerPost: { telegram: 6, max: 4 },
      networks: 2,
      processes: { api: 1, dispatcher: 2, monitor: 1 },
      restarts: 1,
    },
    () => undefined,
  );
  expect(report.violations).toEqual([]);
  expect(report).toMatchObject({ kills: 6, lost: 0, doubled_reconcilable: 0, doubled_at_most_once: 0 });
  expect(report.sent).toBeGreaterThan(0);
  expect(report.published).toBeGreaterThan(10);
  expect(report.corrections.corrected).toBeGreaterThan(0);
}, 600_000);
