import { isPublicAddress, unmapped } from "../kernel/outbound/index.ts";
import type { HttpSettings } from "./settings.ts";

type Trust = false | string[] | ((address: string, hop: number) => boolean);

/**
 * Whose `X-Forwarded-*` headers are believed. Networks are checked by Fastify. Hops are counted from the
 * server outwards, and only behind a proxy of the own network: whoever reaches the port directly from the
 * Internet could otherwise invent as many hops as are believed.
 */
export function trustOf(proxies: HttpSettings["trustProxy"]): Trust {
  if (typeof proxies !== "number") return [...proxies];
  if (proxies === 0) return false;
  return (address, hop) => hop < proxies && (hop > 0 || !isPublicAddress(unmapped(address)));
}
