/** Which addresses may become links. Everything else stays text. */
const schemes: ReadonlySet<string> = new Set(["http:", "https:", "tg:", "max:", "mailto:", "tel:"]);

export function hrefOf(address: string | undefined): string | undefined {
  const given = address?.trim();
  if (!given) return undefined;
  const parsed = parse(given) ?? (looksLikeHost(given) ? parse(`https://${given}`) : undefined);
  return parsed && schemes.has(parsed.protocol) ? parsed.href : undefined;
}

/** `https://www.example.ru/a/b?c` as people read it: host, then the rest. */
export function readable(address: string): { host: string; rest: string } {
  // Not through URL, which would turn «пример.рф» into Punycode.
  const [, host = address, rest = ""] =
    /^(?:https?:\/\/)?(?:[^/?#@]*@)?(?:www\.)?([^/?#\s]+)([^#]*)/i.exec(address) ?? [];
  return { host, rest: decoded(rest.replace(/\/$/, "")) };
}

function parse(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

/** Messengers link `example.ru/news` without a scheme. */
function looksLikeHost(address: string): boolean {
  return /^[\p{L}\d-]+(\.[\p{L}\d-]+)+([/?#:]|$)/u.test(address);
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path; // A stray percent sign is legal in an address and not in an encoding.
  }
}
