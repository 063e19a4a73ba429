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
 * (`t.me/proxy`, `t.me/socks`, `tg://proxy`, `tg://socks`). Undefined when it is none of them.
 */
export function readProxy(text: string): ProxyAddress | undefined {
  const trimmed = text.trim();
  const link = /^(?:https?:\/\/(?:t|telegram)\.me\/|tg:\/\/)(proxy|socks)\/?\?(.+)$/i.exec(trimmed);
  if (link) return fromLink(link[1]?.toLowerCase() === "proxy", new URLSearchParams(link[2]));
  if (!URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed.replace(/^(socks5|mtproxy):/i, "http:"));
  const kind = /^(socks5|http|mtproxy):/i.exec(trimmed)?.[1]?.toLowerCase();
  if (kind !== "socks5" && kind !== "http" && kind !== "mtproxy") return undefined;
  const place = { host: url.hostname, port: Number(url.port) || usualPorts[kind] };
  if (place.host === "" || !["", "/"].includes(url.pathname)) return undefined;
  const user = decodeURIComponent(url.username);
  if (kind === "mtproxy") return secretShape.test(user) ? { kind, ...place, secret: user } : undefined;
  const password = decodeURIComponent(url.password);
  return { kind, ...place, ...(user !== "" && { user, password }) };
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

/** The proxy as people may see it: without its password or secret. */
export function shownProxy({ kind, host, port }: ProxyAddress): string {
  return `${kind}://${host}:${port}`;
}
