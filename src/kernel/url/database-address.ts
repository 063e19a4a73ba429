import { parsedUrl } from "./parsed-url.ts";

export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

/** A PostgreSQL address as libpq reads it: `postgres://user:password@one:5432,other:5432/name?target_session_attrs=read-write`. */
export interface DatabaseAddress {
  readonly hosts: readonly DatabaseHost[];
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Only the host that takes writes will do: there are several, or the address says so. */
  readonly primaryOnly: boolean;
  /** `one:5432,other:5432`, without anything secret. */
  readonly shown: string;
  /** The same database by one of its hosts. */
  at(host: DatabaseHost): string;
  /** Another database of the same hosts. */
  named(database: string): string;
}

const defaultPort = 5432;
const local: DatabaseHost = { host: "localhost", port: defaultPort };
/** What Molva can work with: it writes. */
const writable = ["read-write", "primary"];
const attributes = "target_session_attrs";

/** Undefined when the text is no such address. */
export function databaseAddress(text: string): DatabaseAddress | undefined {
  const [, scheme = "", signIn = "", places = "", path = "", query = ""] =
    /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]*)((?:\/[^?#]*)?)(\?[^#]*)?$/.exec(text) ?? [];
  const hosts = places === "" ? [local] : places.split(",").map(hostOf);
  const [first] = hosts;
  if (!scheme || !first || !hosts.every((host) => host !== undefined)) return undefined;
  const parameters = new URLSearchParams(query);
  const wanted = parameters.get(attributes);
  parameters.delete(attributes);
  if (wanted !== null && !writable.includes(wanted)) return undefined;
  const rest = parameters.size > 0 ? `?${parameters}` : "";
  const at = ({ host, port }: DatabaseHost) =>
    `${scheme}${signIn}${host.includes(":") ? `[${host}]` : host}:${port}${path}${rest}`;
  const url = parsedUrl(at(first));
  const [user, password, database] = [url?.username, url?.password, path.slice(1)].map(decoded);
  if (user === undefined || password === undefined || database === undefined) return undefined;
  return {
    ...{ hosts, user, password, database },
    primaryOnly: hosts.length > 1 || wanted !== null,
    ...{ shown: places, at },
    named: (database) => `${scheme}${signIn}${places}/${database}${query}`,
  };
}

function hostOf(text: string): DatabaseHost | undefined {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const number = Number(port ?? defaultPort);
  return host && number > 0 && number < 65_536 ? { host, port: number } : undefined;
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
