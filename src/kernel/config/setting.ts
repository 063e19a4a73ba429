import { isIP } from "node:net";
import { z } from "zod";
import { databaseAddress, parsedUrl } from "../url/index.ts";

/** One environment variable: what it accepts, what it means, and how it is shown in the documents. */
export interface Setting<T = unknown> {
  readonly group: string;
  readonly about: { readonly en: string; readonly ru: string };
  readonly schema: z.ZodType<T, string>;
  /** Used when the variable is absent or blank; a setting without one is optional. */
  readonly fallback?: T;
  /** How the fallback is shown when its value alone would not say enough. */
  readonly shownFallback?: string;
  /** Never printed, and may come from a file named by NAME_FILE. */
  readonly secret?: boolean;
  /** Another name of the same variable, or of the first of several values: a document's own. */
  readonly alias?: string;
  readonly example?: string;
}

export type Settings = Readonly<Record<string, Setting>>;

type ValueOf<S> = S extends { schema: z.ZodType<infer T> } ? T : never;

/** The values of settings; a setting without a fallback may be absent. */
export type ValuesOf<S extends Settings> = {
  readonly [Name in keyof S]: S[Name] extends { fallback: unknown }
    ? ValueOf<S[Name]>
    : ValueOf<S[Name]> | undefined;
};

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

export const port = wholeNumber(0, 65_535);
export const word = z.string().min(1);

export const address = (...schemes: string[]) =>
  z.string().refine(
    (text) => {
      const url = parsedUrl(text);
      return url !== undefined && schemes.includes(url.protocol.slice(0, -1));
    },
    `must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
  );

/** PostgreSQL at one host, or at several of which one at a time takes writes. */
export const postgresAddress = z
  .string()
  .regex(/^postgres(?:ql)?:\/\//, "must be an address that starts with postgres:// or postgresql://")
  .refine(
    (text) => databaseAddress(text) !== undefined,
    "must be postgres://user:password@host:port/name; several host:port are separated by commas, and target_session_attrs is read-write or primary",
  );

export const root = address("http", "https").transform((text) => text.replace(/(?<!\/)\/+$/, ""));

export const hostList = z
  .string()
  .transform((text) => text.split(",").map((host) => host.trim().toLowerCase()))
  .refine(
    (hosts) => hosts.every((host) => /^([a-z0-9._-]+|\[[0-9a-f:.]+\]):\d{1,5}$/.test(host)),
    "must be host:port pairs, separated by commas",
  );

export interface VariableBinding {
  readonly name: string;
  /** Its id, or `*` for every one. */
  readonly workspace: string;
}

export const variableBindings = z
  .string()
  .transform((text) =>
    text.split(",").map((pair) => /^([A-Z][A-Z0-9_]*)=(\*|[0-9a-f-]{36})$/.exec(pair.trim())),
  )
  .refine(
    (pairs) => pairs.every((pair) => pair !== null),
    "must be NAME=workspace pairs, separated by commas; a workspace is its id, or * for every one",
  )
  .transform((pairs): VariableBinding[] =>
    pairs.flatMap((pair) => (pair ? [{ name: pair[1] ?? "", workspace: pair[2] ?? "" }] : [])),
  );

export const yesNo = z
  .string()
  .toLowerCase()
  .refine((text) => ["true", "false", "1", "0", "yes", "no"].includes(text), "must be true or false")
  .transform((text) => ["true", "1", "yes"].includes(text));

/** Names of networks that `proxy-addr` understands. */
const namedNetworks = ["loopback", "linklocal", "uniquelocal"];

/**
 * Whose `X-Forwarded-*` headers are trusted: a number of proxies in a row, or proxies at these addresses.
 * `true` is refused: it would trust any address that a client invents.
 */
export const trustedProxies = z
  .string()
  .transform((text): number | readonly string[] => {
    if (["false", "no"].includes(text.toLowerCase())) return 0;
    return /^\d$/.test(text) ? Number(text) : text.split(",").map((part) => part.trim().toLowerCase());
  })
  .refine(
    (trusted) => typeof trusted === "number" || trusted.every(isNetwork),
    "must be the number of proxies in front (1 for one; 0 for none), or their addresses and networks, separated by commas",
  );

function isNetwork(text: string): boolean {
  if (namedNetworks.includes(text)) return true;
  const [ip = "", bits, ...rest] = text.split("/");
  const longest = { 4: 32, 6: 128 }[isIP(ip)];
  if (longest === undefined || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest);
}

export const fernetKey = /^[A-Za-z0-9_-]{43}=$/;

export const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });
