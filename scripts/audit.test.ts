import { describe, expect, it } from "vitest";
import { verdictOf } from "./audit.js";

const weak = {
  metadata: { vulnerabilities: { total: 2, high: 1, critical: 0 } },
  vulnerabilities: { odd: { name: "odd", severity: "high", range: "<2", fixAvailable: true } },
};
const unreachable = { message: "request to https://registry.example/-/npm/v1 failed" };

describe("the question about known weaknesses", () => {
  it("fails for a grave one where it is asked, and only tells of it in the run of the tests", () => {
    expect(verdictOf(weak, { ifReachable: true })).toEqual({
      lines: [
        "high: odd <2, a fix is there",
        "audit: 2 known weaknesses, 1 of them high or critical",
        "A high or critical one fails `npm run check`; packages that only builds and tests need are not asked about.",
      ],
      exitCode: 1,
    });
    expect(verdictOf(weak, { onlyTell: true }).exitCode).toBe(0);
    const slight = { metadata: { vulnerabilities: { total: 3, high: 0, critical: 0 } } };
    expect(verdictOf(slight).exitCode).toBe(0);
  });

  it("is no failure of the checks where the registry cannot be reached, and shows no address", () => {
    for (const options of [{ ifReachable: true }, { onlyTell: true }])
      expect(verdictOf(unreachable, options).exitCode).toBe(0);
    expect(verdictOf(undefined)).toMatchObject({ exitCode: 2 });
    expect(verdictOf(unreachable).lines[0]).toBe(
      "audit: not done. The registry could not be asked: request to the registry failed.",
    );
  });
});
