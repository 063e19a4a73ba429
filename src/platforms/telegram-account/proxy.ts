import { parsedUrl } from "../../kernel/url/index.ts";

/** A proxy by which an account reaches Telegram. */
export type ProxyAddress =
  | {
      readonly kind: "socks5" | "http";
      readonly host: string;
      readonly port: number;
      readonly user?: string;
      readonly password?: string;
    }
  | { readonly kind: "mtproxy"; readonly host: string; readonly port: number; readonly secret: string };

const usualPorts = { socks5: 1080, http: 8080, mtproxy: 443 } as const;
const secretShape = /^[\w+/=-]{32,}$/;

/**
 * Reads `socks5://user:password@host:port`, `http://…`, `mtproxy://secret@host:port` and Telegram's own links
 * (`t.me/proxy`, `t.me/socks`, `tg://proxy`, `tg://socks`). Undefined if it is none of them.
 */
export function readProxy(text: string): ProxyAddress | undefined {
  const trimmed = text.trim();
  const link = /^(?:https?:\/\/(?:t|telegram)\.me\/|tg:\/\/)(proxy|socks)\/?\?(.+)$/i.exec(trimmed);
  if (link) return fromLink(link[1]?.toLowerCase() === "proxy", new URLSearchParams(link[2]));
  const kind = /^(socks5|http|mtproxy):/i.exec(trimmed)?.[1]?.toLowerCase();
  if (kind !== "socks5" && kind !== "http" && kind !== "mtproxy") return undefined;
  // Parsed as an http URL, whose parser handles every form of a host; it drops port 80, though.
  const asWeb = trimmed.replace(/^\w+:/, "http:");
  const address = parsedUrl(asWeb);
  if (!address) return undefined;
  const { hostname: host, username, password, pathname, search, hash } = address;
  if (host === "" || pathname !== "/" || search !== "" || hash !== "") return undefined;
  const port = Number(/:(\d{1,5})\/?$/.exec(trimmed)?.[1] ?? usualPorts[kind]);
  const user = decoded(username);
  if (kind === "mtproxy") return secretShape.test(user) ? { kind, host, port, secret: user } : undefined;
  return { kind, host, port, ...(user !== "" && { user, password: decoded(password) }) };
}

/** A percent sign that is not an escape is kept. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function fromLink(isMtproxy: boolean, query: URLSearchParams): ProxyAddress | undefined {
  const host = query.get("server") ?? "";
  const port = Number(query.get("port"));
  if (host === "" || !Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  if (isMtproxy) {
    const secret = query.get("secret") ?? "";
    return secretShape.test(secret) ? { kind: "mtproxy", host, port, secret } : undefined;
  }
  const user = query.get("user") ?? "";
  return { kind: "socks5", host, port, ...(user !== "" && { user, password: query.get("pass") ?? "" }) };
}

/** The proxy for display: without its password or secret. */
export function shownProxy({ kind, host, port }: ProxyAddress): string {
  return `${kind}://${host}:${port}`;
}
