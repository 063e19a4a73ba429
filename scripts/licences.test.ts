import { describe, expect, it } from "vitest";
import { accepts, errorOf, installedPackages } from "./licences.js";

describe("the licences of packages", () => {
  it("are all on the list, or each exception says why", () => {
    expect(installedPackages().map(errorOf).filter(Boolean)).toEqual([]);
  });

  it.each([
    ["MIT", true],
    ["(MIT OR GPL-3.0-only)", true],
    ["MIT AND OFL-1.1", true],
    ["MIT AND GPL-3.0-only", false],
    ["AGPL-3.0-only", false],
    ["UNLICENSED", false],
    ["SEE LICENSE IN LICENSE.md", false],
  ])("%s is accepted: %s", (licence, accepted) => expect(accepts(licence)).toBe(accepted));

  it("are refused with the package named when they are unknown or missing", () => {
    expect(errorOf({ name: "x", version: "1.0.0", licence: "SSPL-1.0" })).toContain(
      "x 1.0.0 is under SSPL-1.0",
    );
    expect(errorOf({ name: "x", version: "1.0.0", licence: "" })).toContain("names no licence");
  });
});
