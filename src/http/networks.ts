import { BlockList, isIP, isIPv4 } from "node:net";
import { z } from "zod";
import { unmapped } from "../kernel/outbound/index.ts";

interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: "ipv4" | "ipv6";
}

const mostNetworks = 50;

/** Allowed networks in a request: CIDR, or single addresses; empty for everywhere. */
export const networkList = z
  .array(
    z
      .string()
      .trim()
      .max(64)
      .refine(
        (text) => networkOf(text) !== undefined,
        "A network such as 203.0.113.0/24 or 2001:db8::/32 is needed, or one address",
      ),
  )
  .max(mostNetworks)
  .describe("Networks (CIDR) or addresses from which it works; empty: from everywhere");

/** Allowed networks of several that bind each other, such as a token and the one it was made with: an address must be within every list. */
export type Reach = readonly (readonly string[])[];
/** As `molva.token_reach` returns it. */
export const reachShape = z.array(z.array(z.string())).nullable();

export function isWithinAll(reach: Reach, address: string): boolean {
  return reach.every((networks) => isWithin(networks, address));
}

/** Whether the address is in one of the networks. An empty list holds every address. */
export function isWithin(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true;
  const plain = unmapped(address);
  return isIP(plain) !== 0 && listOf(networks).check(plain, familyOf(plain));
}

/** Whether every network of `inner` lies in one of `outer`. An empty list stands for everywhere. */
export function areWithin(inner: readonly string[], outer: readonly string[]): boolean {
  if (outer.length === 0) return true;
  return inner.length > 0 && inner.every((text) => outer.some((around) => contains(around, text)));
}

function contains(outer: string, inner: string): boolean {
  const [around, network] = [networkOf(outer), networkOf(inner)];
  return (
    around !== undefined &&
    network !== undefined &&
    around.family === network.family &&
    around.prefix <= network.prefix &&
    listOf([outer]).check(network.address, network.family)
  );
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of networks) {
    const network = networkOf(text);
    if (network) list.addSubnet(network.address, network.prefix, network.family);
  }
  return list;
}

/** Undefined for what is no network. IPv4 in the form of IPv6 is none: callers are compared by their IPv4 address. */
function networkOf(text: string): Network | undefined {
  const [address = "", bits, ...rest] = text.split("/");
  if (isIP(address) === 0 || address.includes("%") || unmapped(address) !== address || rest.length > 0)
    return undefined;
  const family = familyOf(address);
  const most = family === "ipv4" ? 32 : 128;
  if (bits === undefined) return { address, prefix: most, family };
  const prefix = /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  return prefix <= most ? { address, prefix, family } : undefined;
}

function familyOf(address: string): Network["family"] {
  return isIPv4(address) ? "ipv4" : "ipv6";
}
