import { BlockList, isIPv4, isIPv6 } from "node:net";

/** IPv4 ranges that are not public (IANA special-purpose registry), and the metadata address of a cloud. */
const reservedV4 = [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // carrier-grade NAT
  ["127.0.0.0", 8], // loopback
  ["169.254.0.0", 16], // link-local, metadata of most clouds
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocol assignments
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
  ["168.63.129.16", 32], // Azure's metadata
] as const;

/** All of public IPv6; NAT64, mapped, unique-local, link-local and multicast addresses are outside of it. */
const globalV6 = ["2000::", 3] as const;

const reservedV6 = [
  ["2001::", 23], // protocol assignments: Teredo, ORCHID, benchmarks
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4: an IPv4 address in disguise
  ["3fff::", 20], // documentation
] as const;

const closedV4 = new BlockList();
for (const [network, bits] of reservedV4) closedV4.addSubnet(network, bits, "ipv4");
const closedV6 = new BlockList();
for (const [network, bits] of reservedV6) closedV6.addSubnet(network, bits, "ipv6");
const openV6 = new BlockList();
openV6.addSubnet(...globalV6, "ipv6");

/** An IPv4 client of a socket that listens on IPv6 comes as `::ffff:192.0.2.1`; returns its IPv4 address. */
export function unmapped(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/** Whether an IP address belongs to the public Internet. Anything that is not an address is not public. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closedV4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  return openV6.check(address, "ipv6") && !closedV6.check(address, "ipv6");
}
