import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { BlockList, isIP, isIPv4 } from "node:net";
import { Agent, fetch, type RequestInit, type Response } from "undici";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether an IP address is this machine. False for anything that is not an address. */
export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && loopback.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

/**
 * Fetches from this machine only. A twin follows addresses in posts of strangers, and must not reach its owner's
 * network or the Internet. Redirects are not followed: each would have to be checked like the first address.
 */
export async function fetchLoopback(url: string, init: RequestInit = {}): Promise<Response> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  // A connection to a bare IP address resolves no name, so `lookup` below would not see it.
  if (isIP(host) && !isLoopback(host)) throw new Error(`${host} is not this machine`);
  return fetch(url, { ...init, redirect: "manual", dispatcher: agent });
}

const agent = new Agent({ connect: { lookup: lookupLoopback } });

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

function lookupLoopback(hostname: string, options: LookupOptions, found: Found): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const here = (addresses ?? []).filter(({ address }) => isLoopback(address));
    const [first] = here;
    if (error) found(error, []);
    else if (!first || here.length < addresses.length)
      found(new Error(`${hostname} is not this machine`), []);
    else if (options.all) found(null, here);
    else found(null, first.address, first.family);
  });
}
