import { setTimeout as pause } from "node:timers/promises";
import { ConnectError, createGuard } from "../../kernel/outbound/index.ts";

/**
 * Why an address from a user or a search result is not sent to a provider, or undefined. A provider opens it from its
 * own network, but Firecrawl may also run in ours: no private, loopback or metadata address is ever named to it.
 */
export type AddressCheck = (url: string) => Promise<string | undefined>;

export interface AddressCheckSettings {
  /** Addresses that are allowed although they are not public, each `host:port`: the twins, a server the operator named. */
  readonly allowHosts: readonly string[];
  /** The system's resolver unless given. */
  readonly resolve?: Parameters<typeof createGuard>[1];
}

export function createAddressCheck({ allowHosts, resolve }: AddressCheckSettings): AddressCheck {
  const guard = createGuard(allowHosts, resolve);
  return async (text) => {
    const refusal = guard.refusal(text);
    if (refusal) return refusal;
    const url = new URL(text);
    const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
    if (!url.hostname.includes(".") && !isAllowed(url.host))
      return `${url.hostname} is not the name of a public site`;
    try {
      await Promise.race([guard.addressesOf(url.hostname, port), tooSlow()]);
      return undefined;
    } catch (error) {
      // A name that is unknown here may be known to the provider; one that leads inside is refused.
      if (error instanceof ConnectError && error.reason === "refused") return error.message;
      return undefined;
    }
  };

  function isAllowed(host: string): boolean {
    return allowHosts.some((each) => each.toLowerCase() === host) || host.startsWith("[");
  }
}

/** A resolver that does not answer must not keep a person waiting. */
async function tooSlow(): Promise<void> {
  await pause(5_000, undefined, { ref: false });
}
