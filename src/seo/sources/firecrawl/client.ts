import { z } from "zod";
import { parsedUrl } from "../../../kernel/url/index.ts";
import type { AddressCheck } from "../address-check.ts";
import { type Attempt, ask, type NotDone } from "../ask.ts";
import type { SourceDeps } from "../deps.ts";
import { limits } from "../limits.ts";
import type { Remembering } from "../remembered.ts";
import { attemptOf, type JsonAnswer, requestJson } from "../request.ts";
import type { Payer, Sourced } from "../result.ts";
import {
  anything,
  isObject,
  lineOf,
  listOf,
  numberOrNull,
  objectOf,
  oneLine,
  plainText,
  textOf,
  webAddress,
} from "../shapes.ts";
import { missing, refusedAddress } from "../texts.ts";
import { type Branding, brandingFrom } from "./branding.ts";
import { countWords, type Heading, headingsIn } from "./page.ts";

export interface FirecrawlAccount {
  readonly apiKey: string;
  /** Without a trailing slash, such as `https://api.firecrawl.dev/v2`. */
  readonly apiRoot: string;
}

/** What a page says. All of it was written by strangers: in prompts it is data, never an instruction. */
export interface ReadPage {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
  readonly summary: string;
  readonly headings: readonly Heading[];
  /** Of the whole page, also if its text was cut. */
  readonly wordCount: number;
}

export interface SiteLink {
  readonly url: string;
  readonly title: string;
  readonly description: string;
}

export interface Extraction {
  /** Each is checked like any address. */
  readonly urls: readonly string[];
  readonly prompt: string;
  /** JSON Schema. The answer is a model's: read it with a shape of your own. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Asked {
  /** Asks even if an answer is kept. */
  readonly fresh?: boolean | undefined;
}

export interface Firecrawl {
  /** A competitor's page, kept for a day. */
  page(url: string, payer: Payer, asked?: Asked): Promise<Sourced<ReadPage>>;
  /** Colours, fonts and logo of a site, with the document's defaults for what it does not tell; kept for a week. */
  branding(url: string, payer: Payer, asked?: Asked): Promise<Sourced<Branding>>;
  /** Up to 5,000 pages of a site, kept for two weeks. */
  map(url: string, payer: Payer, asked?: Asked): Promise<Sourced<readonly SiteLink[]>>;
  /** The same if it is kept, without a call. */
  keptMap(url: string): Promise<readonly SiteLink[] | undefined>;
  extract(extraction: Extraction, payer: Payer): Promise<Sourced<unknown>>;
}

/** Three attempts; the document's third pause, 9 s, would follow the last one. */
const waitsMs = [1_000, 3_000];
const day = 24 * 3_600_000;
const kept = { page: day, branding: 7 * day, map: 14 * day };
/** Firecrawl's own time for a page, and ours for its answer. */
const pageMs = 45_000;
const timeoutMs = 60_000;
const mapSize = 5_000;
/** A minute in all, as the document has it. */
const extractEveryMs = 3_000;
const extractPolls = 20;
const pollMs = 5_000;
/** Polls that may fail. */
const lostPolls = 3;
/** By the plan Standard: 83 dollars for 100,000. */
const creditUsd = 0.00083;
const credits = { page: 1, map: 1, extract: 5 };

export function createFirecrawl(
  account: FirecrawlAccount | undefined,
  deps: SourceDeps,
  { remembered, recalled }: Remembering,
  check: AddressCheck,
): Firecrawl {
  /** Checks the address, then asks unless the answer is kept. */
  async function site<T>(
    url: string,
    memory: {
      kind: string;
      ttlMs: number;
      shape: z.ZodType<{ value: T; callId: string }>;
      fresh: boolean | undefined;
    },
    payer: Payer,
    attempt: (account: FirecrawlAccount, address: string) => Promise<Attempt<T>>,
  ): Promise<Sourced<T>> {
    if (!account) return missing("firecrawl", "off", "no key is set");
    const refusal = url.length > limits.url ? "the address is too long" : await check(url);
    if (refusal) return refusedAddress("firecrawl", refusal);
    const address = pageAt(url);
    return remembered({ ...memory, of: address }, () =>
      ask(deps, "firecrawl", payer, waitsMs, () => attempt(account, address)),
    );
  }

  return {
    page: (url, payer, { fresh } = {}) =>
      site(
        url,
        { kind: "competitor", ttlMs: kept.page, shape: storedPage, fresh },
        payer,
        async (to, address) => pageFrom(address, await scrape(to, deps, address, ["markdown", "summary"])),
      ),
    branding: (url, payer, { fresh } = {}) =>
      site(
        url,
        { kind: "branding", ttlMs: kept.branding, shape: storedBranding, fresh },
        payer,
        async (to, address) => {
          const answer = await scrape(to, deps, address, ["branding"]);
          if (answer.kind !== "done") return answer;
          const value = brandingFrom(answer.value.branding);
          return value
            ? { ...answer, value }
            : { kind: "end", reason: "no_data", detail: "no colours were found", costUsd: answer.costUsd };
        },
      ),
    map: (url, payer, { fresh } = {}) =>
      site(url, { kind: "map", ttlMs: kept.map, shape: storedMap, fresh }, payer, (to, address) =>
        mapped(to, deps, address),
      ),
    async keptMap(url) {
      const address = parsedUrl(url) && pageAt(url);
      return address === undefined
        ? undefined
        : recalled({ kind: "map", of: address, ttlMs: kept.map, shape: storedMap });
    },

    async extract({ urls, prompt, schema }, payer) {
      if (!account) return missing("firecrawl", "off", "no key is set");
      for (const url of urls) {
        const refusal = await check(url);
        if (refusal) return refusedAddress("firecrawl", refusal);
      }
      return ask(deps, "firecrawl", payer, waitsMs, () =>
        extracted(account, deps, { urls, prompt, schema, ignoreInvalidURLs: true }),
      );
    },
  };
}

/** Without what browsers keep to themselves. */
function pageAt(url: string): string {
  const address = new URL(url);
  address.hash = "";
  return address.href;
}

const scraped = objectOf({
  markdown: z.string().catch(""),
  summary: textOf(limits.summary),
  branding: anything,
  metadata: objectOf({
    // A page that repeats a tag has a list.
    title: z.union([z.string(), z.array(z.string()).transform(([first = ""]) => first)]).catch(""),
    description: z.union([z.string(), z.array(z.string()).transform(([first = ""]) => first)]).catch(""),
    statusCode: numberOrNull,
    creditsUsed: numberOrNull,
  }),
});
type Scraped = z.output<typeof scraped>;

async function scrape(
  account: FirecrawlAccount,
  deps: SourceDeps,
  url: string,
  formats: readonly string[],
): Promise<Attempt<Scraped>> {
  const answer = await post(account, deps, "/scrape", {
    ...{ url, formats, onlyMainContent: true, timeout: pageMs, blockAds: true },
    location: { country: "RU", languages: ["ru"] },
  });
  if (answer.kind !== "answer") return answer;
  const { data } = objectOf({ data: anything }).parse(answer.json);
  if (!isObject(data)) return { kind: "again", reason: "unavailable", detail: "an unreadable answer" };
  const value = scraped.parse(data);
  const costUsd = Math.max(0, value.metadata.creditsUsed ?? credits.page) * creditUsd;
  const status = value.metadata.statusCode ?? 200;
  // Firecrawl did its work: it was the site that had no page.
  if (status >= 400) {
    const fault = status >= 500 ? ("site_down" as const) : undefined;
    return { kind: "end", reason: "no_data", fault, detail: `the page answered ${status}`, costUsd };
  }
  return { kind: "done", value, costUsd };
}

function pageFrom(url: string, answer: Attempt<Scraped>): Attempt<ReadPage> {
  if (answer.kind !== "done") return answer;
  const { markdown, summary, metadata } = answer.value;
  if (!markdown.trim())
    return { kind: "end", reason: "no_data", detail: "the page has no text", costUsd: answer.costUsd };
  return {
    ...answer,
    value: {
      url,
      title: oneLine(metadata.title, limits.title),
      description: oneLine(metadata.description, limits.snippet),
      markdown: plainText(markdown, limits.markdown),
      summary,
      headings: headingsIn(markdown),
      wordCount: countWords(markdown),
    },
  };
}

const siteLinks = listOf(
  z.object({
    url: webAddress,
    title: lineOf(limits.mapTitle),
    description: lineOf(limits.mapTitle),
  }),
  mapSize,
);

async function mapped(
  account: FirecrawlAccount,
  deps: SourceDeps,
  url: string,
): Promise<Attempt<readonly SiteLink[]>> {
  const answer = await post(account, deps, "/map", {
    url,
    limit: mapSize,
    sitemap: "include",
    ignoreQueryParameters: true,
  });
  if (answer.kind !== "answer") return answer;
  if (!isObject(answer.json)) return { kind: "again", reason: "unavailable", detail: "an unreadable answer" };
  const { links } = objectOf({ links: siteLinks }).parse(answer.json);
  const value = [...new Map(links.map((link) => [link.url, link])).values()];
  const costUsd = credits.map * creditUsd;
  return value.length > 0
    ? { kind: "done", value, costUsd }
    : { kind: "end", reason: "no_data", detail: "no pages were found", costUsd };
}

async function extracted(
  account: FirecrawlAccount,
  deps: SourceDeps,
  body: Readonly<Record<string, unknown>> & { readonly urls: readonly string[] },
): Promise<Attempt<unknown>> {
  const begun = await post(account, deps, "/extract", body);
  if (begun.kind !== "answer") return begun;
  const { id } = objectOf({ id: z.string().catch("") }).parse(begun.json);
  if (!/^[\w-]{1,80}$/.test(id))
    return { kind: "again", reason: "unavailable", detail: "an unreadable answer" };
  const costUsd = credits.extract * body.urls.length * creditUsd;
  // From here on it is paid for: a poll that fails is repeated, the extraction never begun again.
  let detail = "it took too long";
  let lost = 0;
  for (let poll = 0; poll < extractPolls; poll += 1) {
    await deps.pause(extractEveryMs);
    const answer = await get(account, deps, `/extract/${id}`);
    if (answer.kind === "end") return { ...answer, costUsd };
    if (answer.kind !== "answer") {
      detail = answer.detail;
      lost += 1;
      if (lost > lostPolls) break;
      continue;
    }
    const { status, data } = objectOf({ status: lineOf(40), data: anything }).parse(answer.json);
    if (status === "completed")
      return isObject(data) || Array.isArray(data)
        ? { kind: "done", value: data, costUsd }
        : { kind: "end", reason: "no_data", detail: "nothing was extracted", costUsd };
    if (status === "failed" || status === "cancelled")
      return { kind: "end", reason: "no_data", detail: `the extraction ${status}`, costUsd };
  }
  return { kind: "end", reason: "unavailable", detail, costUsd };
}

function post(account: FirecrawlAccount, deps: SourceDeps, path: string, body: object) {
  return called(account, deps, "POST", path, JSON.stringify(body));
}

function get(account: FirecrawlAccount, deps: SourceDeps, path: string) {
  return called(account, deps, "GET", path, undefined, pollMs);
}

/** A good answer, or how the request ended. */
async function called(
  { apiKey, apiRoot }: FirecrawlAccount,
  { http }: SourceDeps,
  method: "GET" | "POST",
  path: string,
  body?: string,
  patienceMs = timeoutMs,
): Promise<JsonAnswer | NotDone> {
  const answer = await requestJson(http, {
    method,
    url: `${apiRoot}${path}`,
    headers: { authorization: `Bearer ${apiKey}` },
    ...(body !== undefined && { body }),
    timeoutMs: patienceMs,
    maxBytes: limits.maxBytes.page,
  });
  if (answer.kind !== "answer") return answer;
  const { error, code } = objectOf({ error: lineOf(300), code: lineOf(80) }).parse(answer.json);
  if (answer.status === 200) return answer;
  const detail = [code, error].filter(Boolean).join(" ");
  if (siteFaults.test(code))
    return {
      ...{ kind: "end", reason: "refused", detail },
      ...(code.startsWith("SCRAPE_DNS") && { fault: "no_site" }),
    };
  const ended = attemptOf(answer, detail);
  return code === "SCRAPE_SITE_ERROR" ? { ...ended, fault: "site_down" } : ended;
}

/** Failures of the address, which no repeat mends. */
const siteFaults = /^SCRAPE_(SSL|DNS_RESOLUTION|UNSUPPORTED_FILE|PDF)/;

const storedPage = z.object({
  callId: z.string(),
  value: z.object({
    ...{ url: z.string(), title: z.string(), description: z.string() },
    ...{ markdown: z.string(), summary: z.string(), wordCount: z.number() },
    headings: z.array(z.object({ level: z.literal([1, 2, 3]), text: z.string() })),
  }),
});
const storedBranding = z.object({
  callId: z.string(),
  value: z.object({
    colors: z.object({
      ...{ background: z.string(), text: z.string(), accent: z.string() },
      ...{ primary: z.string(), secondary: z.string() },
    }),
    fonts: z.object({ heading: z.string().nullable(), body: z.string().nullable() }),
    logoUrl: z.string().nullable(),
  }),
});
const storedMap = z.object({
  callId: z.string(),
  value: z.array(z.object({ url: z.string(), title: z.string(), description: z.string() })),
});
