import { z } from "zod";
import type { HttpAnswer, HttpFailure } from "../../kernel/outbound/index.ts";
import { parsedUrl } from "../../kernel/url/index.ts";
import { classify, jsonOf, textOf, withoutAnswer } from "../classify.ts";
import type { SendError } from "../contract.ts";
import { ifReadable } from "../if-readable.ts";
import { reachedAt } from "./address.ts";
import { blocked, classifyRefusal, failure, maintenance, refusalOf } from "./classify.ts";
import {
  type CallContext,
  call,
  type Line,
  restAddress,
  type WordPressSettings,
  withoutDoubt,
} from "./client.ts";
import { type Account, authorizationOf } from "./credential.ts";

/** A site whose REST API was found. */
export interface FoundSite {
  /** The address of its pages, without a trailing slash. */
  readonly home: string;
  readonly line: Line;
  readonly name: string;
  readonly namespaces: ReadonlySet<string>;
  readonly offersPasswords: boolean;
}

/** What the account may do there. */
export interface Member {
  readonly name: string;
  readonly capabilities: ReadonlySet<string>;
}

export type Finding<T> =
  | { readonly ok: true; readonly found: T }
  | { readonly ok: false; readonly error: SendError };

/**
 * Finds the REST API of a site from its address: by the `Link` header of its front page, else at WordPress' two default
 * places. The password is sent only to the origin that the account names, or to the same host by https.
 */
export async function findSite(
  account: Account,
  settings: WordPressSettings,
  context: CallContext,
): Promise<Finding<FoundSite>> {
  const address = reachedAt(account.url, settings.twinRoot);
  const front = await visit(address, settings, context);
  if (!front.ok) return front;
  const { home, links, status } = front.found;
  const candidates = links.length > 0 ? links : [`${home}/wp-json/`, `${home}/?rest_route=/`];
  const errors: SendError[] = [];
  for (const candidate of candidates) {
    const root = ownRoot(candidate, home);
    if (!root) return { ok: false, error: elsewhere(candidate) };
    const line: Line = { root, authorization: authorizationOf(account), settings, context };
    const index = await readIndex(line);
    if (index.ok) {
      const { name, namespaces, authentication } = index.found;
      return {
        ok: true,
        found: {
          home,
          line,
          name: name || new URL(home).host,
          namespaces: new Set(namespaces),
          offersPasswords: authentication,
        },
      };
    }
    errors.push(index.error);
  }
  // Without REST the second place returns an ordinary page; only an error of WordPress itself tells more than the
  // first.
  const [first, second] = errors;
  const error = first?.code === "rest_off" && second && refusalOf(second.raw) ? second : first;
  if (!error) throw new Error("a site was looked for nowhere");
  return { ok: false, error: status === 404 && error.code === "rest_off" ? noSite(address) : error };
}

interface Front {
  readonly home: string;
  readonly links: readonly string[];
  readonly status: number;
}

const mostRedirects = 5;

/** Loads the front page and follows redirects. No credentials are sent. */
async function visit(
  address: string,
  settings: WordPressSettings,
  context: CallContext,
): Promise<Finding<Front>> {
  const named = new URL(address);
  let url = `${address}/`;
  for (let hop = 0; ; hop++) {
    const answer = await (settings.guarded ?? context.http).request({
      method: "GET",
      url,
      headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
      timeoutMs: settings.requestTimeoutMs ?? 30_000,
      maxRedirects: 0,
      ...(context.signal && { signal: context.signal }),
    });
    if (answer.kind === "failure") {
      // A page that is too large is not an error of the site.
      if (answer.reason === "too_large") return { ok: true, found: frontAt(url, 200, []) };
      return { ok: false, error: unreached(answer, named.host) };
    }
    const location = answer.status >= 300 && answer.status < 400 ? answer.headers.location : undefined;
    if (location === undefined) return frontOf(answer, url, context.clock.now());
    const next = parsedUrl(location, url);
    if (hop === mostRedirects || !next)
      return {
        ok: false,
        error: failure("channel_unavailable", `the site ${named.host} redirects without end`),
      };
    if (!isSameSite(next, named)) return { ok: false, error: elsewhere(next.href) };
    url = next.href;
  }
}

function frontOf(answer: HttpAnswer, url: string, now: Date): Finding<Front> {
  const { status } = answer;
  if (status === 503) return { ok: false, error: maintenance(answer, now) };
  if (status >= 500 || status === 429)
    return {
      ok: false,
      error: classify(
        { status, description: `the site's front page answers with status ${status}`, raw: { status } },
        [],
      ),
    };
  const inHeader = [
    ...(answer.headers.link ?? "").matchAll(/<([^<>]+)>\s*;\s*rel="?https:\/\/api\.w\.org\/"?/gi),
  ];
  const inPage = [
    ...textOfPage(answer).matchAll(/<link\s[^<>]*rel=["']https:\/\/api\.w\.org\/["'][^<>]*>/gi),
  ].flatMap(([tag]) => /href=["']([^"']+)["']/i.exec(tag)?.[1]?.replaceAll("&amp;", "&") ?? []);
  const found = [...inHeader.map(([, link = ""]) => link), ...inPage];
  const links = found.flatMap((link) => parsedUrl(link, url)?.href ?? []);
  return { ok: true, found: frontAt(url, status, links.slice(0, 1)) };
}

const textOfPage = ({ body }: HttpAnswer): string => new TextDecoder().decode(body.subarray(0, 200_000));

function frontAt(url: string, status: number, links: readonly string[]): Front {
  const { origin, pathname } = new URL(url);
  return {
    home: `${origin}${pathname.replace(/(?<!\/)\/+$/, "").replace(/\/index\.php$/, "")}`,
    links,
    status,
  };
}

/** The same host, at most with https instead of http. */
function isSameSite(url: URL, named: URL): boolean {
  if (url.origin === named.origin) return true;
  return named.protocol === "http:" && url.protocol === "https:" && url.hostname === named.hostname;
}

/** The API's root at the origin that was named. Many sites call themselves http though they are reached by https. */
function ownRoot(link: string, home: string): string | undefined {
  const url = new URL(link);
  const own = new URL(home);
  if (url.origin !== own.origin && url.hostname !== own.hostname) return undefined;
  if (url.origin !== own.origin && (url.port !== "" || own.port !== "")) return undefined;
  return `${own.origin}${url.pathname}${url.search}`;
}

const elsewhere = (address: string): SendError =>
  failure(
    "site_moved",
    `the site sends its visitors to ${new URL(address).origin}: connect it by that address, since the password goes only to the one that was named`,
  );

const noSite = (address: string): SendError =>
  failure("channel_unavailable", `there is no site at ${address} (status 404)`);

function unreached(answer: HttpFailure, host: string): SendError {
  if (answer.reason === "refused")
    return failure(
      "channel_unavailable",
      `the address ${host} is not one that may be asked: ${answer.message}`,
    );
  return withoutDoubt(withoutAnswer(answer)).error;
}

const indexShape = z.object({
  name: ifReadable(z.string()),
  namespaces: z.array(z.string()),
  /** PHP encodes an empty object as an empty list. */
  authentication: ifReadable(z.unknown()).transform(
    (offered) => typeof offered === "object" && offered !== null && "application-passwords" in offered,
  ),
});

/** The site's REST index. If something else is there, it tells why there is no index. */
async function readIndex({
  root,
  authorization,
  settings,
  context,
}: Line): Promise<Finding<z.infer<typeof indexShape>>> {
  const answer = await (settings.guarded ?? context.http).request({
    method: "GET",
    url: restAddress(root, "/", { _fields: "name,namespaces,authentication" }),
    headers: { authorization, accept: "application/json" },
    timeoutMs: settings.requestTimeoutMs ?? 30_000,
    maxRedirects: 0,
    ...(context.signal && { signal: context.signal }),
  });
  if (answer.kind === "failure") return { ok: false, error: unreached(answer, new URL(root).host) };
  const now = context.clock.now();
  const body = jsonOf(answer);
  const { status } = answer;
  if (status < 300) {
    const read = indexShape.safeParse(body);
    return read.success ? { ok: true, found: read.data } : { ok: false, error: maintenance(answer, now) };
  }
  if (status < 400)
    return { ok: false, error: elsewhere(parsedUrl(answer.headers.location ?? "/", root)?.href ?? root) };
  if (refusalOf(body)) return { ok: false, error: classifyRefusal(answer, body, now) };
  if (status === 503) return { ok: false, error: maintenance(answer, now) };
  if (status === 401 || status === 403 || status === 406) return { ok: false, error: blocked(answer) };
  if (status === 404) {
    const message = "the site answers, but its REST API is switched off, or it is no WordPress";
    return { ok: false, error: failure("rest_off", message, { status, body: textOf(answer) }) };
  }
  return { ok: false, error: classifyRefusal(answer, body, now) };
}

const memberShape = z.object({
  name: ifReadable(z.string()),
  capabilities: ifReadable(z.record(z.string(), z.unknown())),
});

/** The account's user at the site, and its capabilities. */
export async function memberOf({ line, offersPasswords }: FoundSite): Promise<Finding<Member>> {
  const query = { context: "edit", _fields: "id,name,capabilities" };
  const reply = await call({ method: "GET", route: "/wp/v2/users/me", query }, memberShape, line);
  if (reply.kind === "ok") {
    const { name = "", capabilities = {} } = reply.result;
    const may = Object.entries(capabilities).flatMap(([capability, has]) => (has ? [capability] : []));
    return { ok: true, found: { name, capabilities: new Set(may) } };
  }
  const { error } = withoutDoubt(reply);
  return { ok: false, error: error.code === "unauthorized" ? unknownMember(error, offersPasswords) : error };
}

/** Plain WordPress treats a wrong password like no password at all. */
function unknownMember(error: SendError, offersPasswords: boolean): SendError {
  if (!offersPasswords)
    return {
      ...error,
      ...failure("application_passwords_off", "the site lets nobody in by an application password"),
    };
  const message = `${error.message} The login or the application password is wrong, or the web server keeps the Authorization header from WordPress.`;
  return { ...error, message };
}
