import { isPublicAddress, unmapped } from "../kernel/outbound/index.ts";
import type { HttpSettings } from "./settings.ts";

type Trust = false | string[] | ((address: string, hop: number) => boolean);

/**
 * Decides whose `X-Forwarded-*` headers are trusted. Fastify checks networks. Hops are counted from the server outwards, and
 * only behind a proxy of a private network: a client that reaches the port from the Internet could invent hops.
 */
export function trustOf(proxies: HttpSettings["trustProxy"]): Trust {
  if (typeof proxies !== "number") return [...proxies];
  if (proxies === 0) return false;
  return (address, hop) => hop < proxies && (hop > 0 || !isPublicAddress(unmapped(address)));
}
