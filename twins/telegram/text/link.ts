const schemes = /^(https?|tg|ton|tonsite):(\/\/)?/i;

/** A normalised address, or undefined if the provider would not make it a link. */
export function checkedLink(address: string): string | undefined {
  if (address === "" || /\s/.test(address)) return undefined;
  const scheme = schemes.exec(address)?.[1]?.toLowerCase();
  if (scheme === undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return undefined;
  if (scheme !== undefined && !scheme.startsWith("http")) {
    return address.replace(schemes, `${scheme}://`);
  }
  const [, host = "", rest = ""] = /^([^/?#]*)(.*)/s.exec(address.replace(schemes, "")) ?? [];
  const name = host.replace(/^[^@]*@/, "").replace(/:\d+$/, "");
  if (!/^[^.].*\.[^.]+\.?$/.test(name) || /[<>"'`\\^{}|]/.test(name)) return undefined;
  return `${scheme ?? "http"}://${host.toLowerCase()}${rest.startsWith("/") ? "" : "/"}${rest}`;
}

/** The user that `tg://user?id=…` points to. */
export function mentionedUser(address: string): number | undefined {
  const id = /^tg:(\/\/)?user\/?\?(?:.*&)?id=(\d+)/i.exec(address.trim())?.[2];
  return id === undefined ? undefined : Number(id);
}
