import { describe, expect, it } from "vitest";
import { areWithin, isWithin, networkList } from "./networks.ts";

describe("allowed networks", () => {
  it.each([
    [[], "203.0.113.9", true],
    [["203.0.113.0/24"], "203.0.113.9", true],
    [["203.0.113.0/24"], "::ffff:203.0.113.9", true],
    [["203.0.113.0/24"], "203.0.114.9", false],
    [["203.0.113.7"], "203.0.113.7", true],
    [["203.0.113.7"], "203.0.113.8", false],
    [["10.1.2.3/8"], "10.200.0.1", true],
    [["2001:db8::/32"], "2001:db8:1::9", true],
    [["2001:db8::/32"], "2001:db9::9", false],
    [["2001:db8::/32"], "203.0.113.9", false],
    [["0.0.0.0/0"], "203.0.113.9", true],
    [["0.0.0.0/0"], "2001:db8::1", false],
    [["198.51.100.0/24", "2001:db8::/32"], "2001:db8::1", true],
    [["203.0.113.0/24"], "not an address", false],
  ])("%j hold %s: %s", (networks, address, held) => {
    expect(isWithin(networks, address)).toBe(held);
  });

  it.each([
    [[], [], true],
    [["10.0.0.0/8"], [], true],
    [[], ["10.0.0.0/8"], false],
    [["10.1.0.0/16", "10.2.3.4"], ["10.0.0.0/8"], true],
    [["10.0.0.0/8"], ["10.1.0.0/16"], false],
    [["11.0.0.0/16"], ["10.0.0.0/8"], false],
    [["2001:db8:1::/48"], ["2001:db8::/32"], true],
    [["2001:db8::/32"], ["0.0.0.0/0"], false],
  ])("%j lie within %j: %s", (inner, outer, within) => {
    expect(areWithin(inner, outer)).toBe(within);
  });

  it.each([
    "",
    "10.0.0.0/33",
    "2001:db8::/129",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "10.0.0.0/-1",
    "example.com",
    "fe80::1%eth0",
    "::ffff:10.0.0.1",
    "10.0.0",
  ])("refuse %j", (text) => {
    expect(networkList.safeParse([text]).success).toBe(false);
  });
});
