import { BlockList, isIP, isIPv4 } from "node:net";
import { unmapped } from "../../kernel/outbound/index.ts";

/** YooKassa's documented addresses of notifications. */
export const yookassaNetworks: readonly string[] = [
  "185.71.76.0/27",
  "185.71.77.0/27",
  "77.75.153.0/25",
  "77.75.154.128/25",
  "77.75.156.11",
  "77.75.156.35",
  "2a02:5180::/32",
];

/** The twin runs on this machine. */
export const loopbackNetworks: readonly string[] = ["127.0.0.0/8", "::1"];

/** Whether an address belongs to one of the networks. */
export function allowList(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (given) => {
    const address = unmapped(given);
    return isIP(address) !== 0 && list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
  };
}

/** Parses addresses and networks, separated by commas; undefined if one of them is invalid. */
export function networksIn(text: string): readonly string[] | undefined {
  const networks = text.split(",").map((part) => part.trim());
  return networks.every(isNetwork) ? networks : undefined;
}

function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const longest = { 4: 32, 6: 128 }[isIP(address)];
  if (longest === undefined || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest);
}
