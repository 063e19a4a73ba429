import { expect, it } from "vitest";
import type { Outcome } from "../../platforms/index.ts";
import { withinLimits } from "./within-limits.ts";

const sent: Outcome = { kind: "sent", providerMessageId: "1", raw: null };
const never = new Promise<Outcome>(() => {});
const limits = { softMs: 60_000, hardMs: 60_000, onSoft: () => {} };

it("a send that ends in time is what it is", async () => {
  expect(await withinLimits(async () => sent, limits)).toBe(sent);
});

// covers accounts: 14. Stuck tasks
it("at the soft limit the send is told to give up, and stuck tasks are looked for", async () => {
  let looked = 0;
  const outcome = await withinLimits(
    (signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve(sent));
      }),
    { ...limits, softMs: 5, onSoft: () => (looked += 1) },
  );
  expect(outcome).toBe(sent);
  expect(looked).toBe(1);
});

it("beyond the hard limit it is not waited for: nobody knows what became of it", async () => {
  expect(await withinLimits(() => never, { ...limits, softMs: 5, hardMs: 10 })).toMatchObject({
    kind: "unknown",
    error: { code: "outcome_unknown", category: "TRANSIENT" },
  });
});

it("a driver that breaks leaves it open too", async () => {
  const broken = async () => {
    throw new Error("socket closed");
  };
  expect(await withinLimits(broken, limits)).toMatchObject({
    kind: "unknown",
    error: { message: "socket closed" },
  });
});
