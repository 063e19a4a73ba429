/** What a user-supplied address may lead to. */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { ConnectError } from "./connect-error.ts";
import type { Address } from "./connector.ts";
import { isPublicAddress } from "./public-address.ts";

export interface Guard {
  /** Why this address is not asked, or nothing when it may be. Looks at the text only. */
  refusal(url: string): string | undefined;
  /** All addresses of a name, or a `ConnectError` when one of them is not public. */
  addressesOf(hostname: string, port: number): Promise<readonly Address[]>;
}

export type Resolve = (hostname: string) => Promise<readonly Address[]>;

/** Below 1024 only the web's own ports: a URL must not be a way to speak to a mail server or a shell. */
const webPorts = [80, 443];
const firstUnprivilegedPort = 1024;

/** `allowHosts` are exceptions, each `host:port`: the twins, a server next door that the operator named. */
export function createGuard(allowHosts: readonly string[], resolve: Resolve = systemResolve): Guard {
  const allowed = new Set(allowHosts.map((host) => host.toLowerCase()));
  const isAllowed = (hostname: string, port: number) => allowed.has(`${hostname}:${port}`);

  return {
    refusal(text) {
      if (!URL.canParse(text)) return "the address is not a valid URL";
      const url = new URL(text);
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
