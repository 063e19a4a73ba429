import { describe, expect, it } from "vitest";
import { compare } from "../../../bench/accounts/compare.ts";

describe("accounts among hidden thresholds", () => {
  // The figures of 10,000 account-days are those of `npm run bench:accounts`; here is only whether they can be trusted.
  const { governed, ungoverned, optimum } = compare({ seed: 7, days: 60, accountDays: 300 });

  it("no account is banned with the governor", () => {
    expect(governed.bans).toBe(0);
  });

  it("accounts are banned without it", () => {
    expect(ungoverned.bans).toBeGreaterThan(0);
  });

  it("the governor sends most of what is possible, and nobody sends more", () => {
    expect(governed.sent / optimum.sent).toBeGreaterThan(0.6);
    expect(governed.sent).toBeLessThanOrEqual(optimum.sent);
  });

  it("the same seed gives the same figures", () => {
    const short = { seed: 7, days: 10, accountDays: 50 };
    expect(compare(short)).toEqual(compare(short));
  });
});
