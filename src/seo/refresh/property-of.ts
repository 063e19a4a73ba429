import type { Property } from "../sources/index.ts";

const bare = (host: string) =>
  host
    .toLowerCase()
    .replace(/^www\./, "")
    .replace(/:(?:80|443)$/, "");

/** The property that tells about a site: the site's own, else the domain above it. */
export function propertyOf(host: string, properties: readonly Property[]): Property | undefined {
  const wanted = bare(host);
  const own = properties.filter((each) => bare(each.host) === wanted);
  const above = properties
    .filter(({ isDomain, host: domain }) => isDomain && wanted.endsWith(`.${bare(domain)}`))
    .toSorted((one, other) => other.host.length - one.host.length);
  // The whole domain has the pages of both schemes; an address of https comes before one of http.
  return (
    own.find(({ isDomain }) => isDomain) ?? own.find(({ id }) => id.startsWith("https")) ?? own[0] ?? above[0]
  );
}
