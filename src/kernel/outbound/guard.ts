/** Decides which user-supplied addresses may be requested. */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { parsedUrl } from "../url/index.ts";
import { ConnectError } from "./connect-error.ts";
import type { Address } from "./connector.ts";
import { isPublicAddress } from "./public-address.ts";

export interface Guard {
  /** Why this address is not allowed, or undefined. Checks the text only. */
  refusal(url: string): string | undefined;
  /** Returns all addresses of a name, or throws `ConnectError` when one of them is not public. */
  addressesOf(hostname: string, port: number): Promise<readonly Address[]>;
}

export type Resolve = (hostname: string) => Promise<readonly Address[]>;

/** Below 1024 only the ports of the web: a URL must not reach a mail server or SSH. */
const webPorts = [80, 443];
const firstUnprivilegedPort = 1024;

/** `allowHosts` are exceptions, each `host:port`: the twins, a local server that the operator named. */
export function createGuard(allowHosts: readonly string[], resolve: Resolve = systemResolve): Guard {
  const allowed = new Set(allowHosts.map((host) => host.toLowerCase()));
  const isAllowed = (hostname: string, port: number) => allowed.has(`${hostname}:${port}`);

  return {
    refusal(text) {
      const url = parsedUrl(text);
      if (!url) return "the address is not a valid URL";
      if (url.protocol !== "http:" && url.protocol !== "https:")
        return `${url.protocol} addresses are not asked`;
      if (url.username || url.password) return "an address with a user name or password is not asked";
      const port = portOf(url);
      if (isAllowed(url.hostname, port)) return undefined;
      if (port < firstUnprivilegedPort && !webPorts.includes(port)) return `port ${port} is not asked`;
      const literal = bare(url.hostname);
      if (isIP(literal) && !isPublicAddress(literal)) return notPublic(url.hostname, literal);
      return undefined;
    },

    async addressesOf(hostname, port) {
      const literal = bare(hostname);
      const family = isIP(literal);
      const addresses = family
        ? [{ address: literal, family: family === 4 ? 4 : 6 } as const]
        : await resolve(hostname);
      if (addresses.length === 0) throw new ConnectError("connect", `${hostname} has no address`);
      if (isAllowed(hostname, port) || isAllowed(`[${literal}]`, port)) return addresses;
      for (const { address } of addresses) {
        if (!isPublicAddress(address)) throw new ConnectError("refused", notPublic(hostname, address));
      }
      return addresses;
    },
  };
}

async function systemResolve(hostname: string): Promise<readonly Address[]> {
  const found = await lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

function portOf(url: URL): number {
  if (url.port) return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function notPublic(hostname: string, address: string): string {
  return bare(hostname) === address
    ? `${address} is not a public address`
    : `${hostname} leads to ${address}, which is not a public address`;
}
