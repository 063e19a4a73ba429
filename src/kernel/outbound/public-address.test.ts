import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPublicAddress } from "./index.ts";

const closed: Record<string, string[]> = {
  "this network": ["0.0.0.0", "0.1.2.3", "::"],
  loopback: ["127.0.0.1", "127.255.255.254", "::1"],
  private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd12:3456::1"],
  "link-local": ["169.254.0.1", "fe80::1", "fe80::1%eth0", "fec0::1"],
  metadata: ["169.254.169.254", "100.100.100.200", "168.63.129.16", "fd00:ec2::254", "192.0.0.192"],
  "carrier-grade NAT": ["100.64.0.1", "100.127.255.255"],
  "multicast and broadcast": ["224.0.0.1", "239.255.255.255", "255.255.255.255", "ff02::1"],
  "reserved and documentation": [
    "240.0.0.1",
    "192.0.2.1",
    "198.51.100.7",
    "203.0.113.9",
    "198.18.0.1",
    "2001:db8::1",
    "3fff::1",
    "100::1",
  ],
  "IPv4 mapped into IPv6": ["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:7f00:1", "::127.0.0.1"],
  "IPv4 behind NAT64, 6to4 and Teredo": [
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
  ],
  "no address at all": ["", "localhost", "127.1", "0x7f.0.0.1", "2130706433", "1.2.3.4.5", "[::1]"],
};

describe("a public address", () => {
  it.each(Object.entries(closed))("is not: %s", (_, addresses) => {
    for (const address of addresses) expect([address, isPublicAddress(address)]).toEqual([address, false]);
  });

  it.each([
    "8.8.8.8",
    "149.154.167.220",
    "100.63.255.255",
    "100.128.0.1",
    "172.32.0.1",
    "2a00:1450:4010::8b",
    "2606:4700::1111",
  ])("is %s", (address) => expect(isPublicAddress(address)).toBe(true));

  it("is never one that IPv6 wraps around an IPv4 address", () => {
    fc.assert(
      fc.property(fc.ipV4(), (v4) => {
        expect(isPublicAddress(`::ffff:${v4}`)).toBe(false);
        expect(isPublicAddress(`64:ff9b::${v4}`)).toBe(false);
      }),
    );
  });
});
