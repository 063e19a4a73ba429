import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Answer, download, type TwinContext } from "../shared/index.ts";
import { chanceOf } from "../web/chance.ts";
import { mapOf, usualSize, type WebPage } from "../web/pages.ts";
import { siteOf } from "../web/sites.ts";
import type { KeptPage, World } from "./model.ts";
import { addressHere, readPage, ScrapeError } from "./read-page.ts";
import { sampleOf } from "./sample.ts";

export interface Desk {
  readonly context: TwinContext;
  readonly world: World;
  readonly kept: Map<string, KeptPage>;
  changed(): void;
}

const webAddress = z.url({ protocol: /^https?$/, error: "Invalid URL" });
const jsonFormat = z.object({
  type: z.literal("json"),
  schema: z.unknown().optional(),
  prompt: z.string().optional(),
});
const otherFormats = [
  ...["markdown", "summary", "html", "rawHtml", "links", "images", "screenshot", "branding"],
  ...["changeTracking", "product", "menu", "question", "highlights", "audio", "video"],
] as const;
const format = z.union([
  z.enum(otherFormats).transform((type) => ({ type })),
  jsonFormat,
  z.looseObject({ type: z.enum(otherFormats) }),
]);
const timeout = z.int().min(1000).max(300_000).optional();

const scrapeBody = z.strictObject({
  url: webAddress,
  formats: z
    .array(format)
    .min(1)
    .default([{ type: "markdown" }]),
  onlyMainContent: z.boolean().optional(),
  waitFor: z.int().min(0).optional(),
  timeout,
  maxAge: z.int().min(0).default(172_800_000),
  location: z.object({ country: z.string(), languages: z.array(z.string()).optional() }).optional(),
  proxy: z.enum(["basic", "stealth", "enhanced", "auto"]).optional(),
  blockAds: z.boolean().optional(),
  actions: z.array(z.unknown()).optional(),
});
const mapBody = z.strictObject({
  url: webAddress,
  search: z.string().optional(),
  sitemap: z.enum(["include", "skip", "only"]).optional(),
  includeSubdomains: z.boolean().optional(),
  ignoreQueryParameters: z.boolean().optional(),
  limit: z.int().min(1).max(100_000).default(5000),
  timeout,
});
const extractBody = z.strictObject({
  urls: z.array(z.string()).min(1),
  prompt: z.string().optional(),
  schema: z.unknown().optional(),
  enableWebSearch: z.boolean().optional(),
  showSources: z.boolean().optional(),
  ignoreInvalidURLs: z.boolean().optional(),
});

export async function scrape(desk: Desk, body: unknown): Promise<Answer> {
  const read = scrapeBody.safeParse(body);
  if (!read.success) return invalid(read.error);
  const { url, formats, maxAge } = read.data;
  const { world, context, kept } = desk;
  const cost = 1 + (formats.some(({ type }) => type === "json") ? 4 : 0);
  if (world.credits < cost) return insufficient();
  const key = JSON.stringify([url, formats]);
  const known = kept.get(key);
  const isFresh = known !== undefined && context.clock.now() - known.at < maxAge;
  const data = isFresh ? known.data : await scraped(desk, url, formats);
  if (!isFresh) kept.set(key, { at: context.clock.now(), data });
  world.credits -= cost;
  desk.changed();
  const metadata = { ...(data.metadata as object), cacheState: isFresh ? "hit" : "miss", creditsUsed: cost };
  return { status: 200, body: { success: true, data: { ...data, metadata }, warning: null } };
}

async function scraped(
  { context, world }: Desk,
  address: string,
  formats: readonly z.output<typeof format>[],
): Promise<Record<string, unknown>> {
  const page = await readPage(address, context.options.baseUrl, world);
  const url = new URL(address);
  const made: Record<string, () => unknown> = {
    markdown: () => page.markdown,
    summary: () => page.summary,
    links: () => page.links,
    branding: () => world.sites[url.hostname]?.branding ?? brandingOf(url),
    html: () => `<h1>${page.title}</h1>`,
    rawHtml: () => `<!doctype html><h1>${page.title}</h1>`,
  };
  return {
    ...Object.fromEntries(
      formats.map((each) => [
        each.type,
        each.type === "json" ? sampleOf(Reflect.get(each, "schema"), page) : (made[each.type]?.() ?? null),
      ]),
    ),
    metadata: metadataOf(page, url),
  };
}

/** Values may be a text or a list, as on pages that repeat a tag. */
function metadataOf(page: WebPage, url: URL) {
  const twice = chanceOf("meta", url.href).below(5) === 0;
  return {
    title: page.title,
    description: twice ? [page.description, page.description] : page.description,
    language: "ru",
    sourceURL: url.href,
    url: url.href,
    statusCode: page.status,
    contentType: "text/html",
    error: page.status === 404 ? "Not Found" : null,
  };
}

/** Many sites have only some of it. */
function brandingOf(url: URL) {
  const chance = chanceOf("branding", url.hostname);
  const colour = () => `#${chance.between(0, 0xffffff).toString(16).padStart(6, "0")}`;
  return {
    colorScheme: "light",
    logo: chance.below(3) === 0 ? null : `${url.origin}/logo.svg`,
    colors: {
      primary: colour(),
      ...(chance.below(2) === 0 && { secondary: colour(), accent: colour() }),
      background: "#ffffff",
      textPrimary: "#1f2430",
    },
    fonts: [{ family: chance.pick(["Inter", "Golos Text", "PT Sans"]) }],
    typography: { fontFamilies: { primary: "PT Sans", heading: "Golos Text" } },
    images: { logo: `${url.origin}/logo.svg`, favicon: `${url.origin}/favicon.ico` },
  };
}

export async function map(desk: Desk, body: unknown): Promise<Answer> {
  const read = mapBody.safeParse(body);
  if (!read.success) return invalid(read.error);
  const { world, context } = desk;
  if (world.credits < 1) return insufficient();
  const url = new URL(read.data.url);
  if (url.hostname.endsWith(".invalid"))
    throw new ScrapeError(
      "SCRAPE_DNS_RESOLUTION_ERROR",
      `DNS resolution failed for hostname "${url.hostname}".`,
    );
  world.credits -= 1;
  desk.changed();
  const here = addressHere(url, context.options.baseUrl);
  const links = here
    ? await pagesHere(url, here)
    : mapOf(
        url.origin,
        Math.min(read.data.limit, world.sites[url.hostname]?.pages ?? usualSize(url.hostname)),
      );
  const found = read.data.search;
  const chosen = found
    ? links.filter(({ title }) => title.toLowerCase().includes(found.toLowerCase()))
    : links;
  // Titles are known of some pages only.
  const shown = chosen.slice(0, read.data.limit).map((link) => {
    const known = chanceOf("map", link.url).below(10) > 0;
    return known ? link : { url: link.url };
  });
  return {
    status: 200,
    body: { success: true, links: shown },
    // A journal of whole site maps would grow by megabytes.
    kept: { success: true, links: shown.length },
  };
}

/** Published posts of a site of the WordPress twin, a hundred at a time, by the name that was asked for. */
async function pagesHere(url: URL, here: string) {
  const home = here.replace(/\/$/, "");
  const asked = url.href.replace(/\/$/, "");
  const links = [{ url: url.href, title: siteOf(url.hostname).name, description: "" }];
  for (let page = 1; page <= 50; page += 1) {
    const fetched = await download(`${home}/wp-json/wp/v2/posts?per_page=100&page=${page}`, {
      maxBytes: 20_000_000,
    });
    const posts = fetched.ok
      ? postsShape.safeParse(JSON.parse(new TextDecoder().decode(fetched.file.bytes)))
      : undefined;
    if (!posts?.success || posts.data.length === 0) break;
    for (const { link, title } of posts.data)
      links.push({
        url: link.startsWith(home) ? `${asked}${link.slice(home.length)}` : link,
        ...{ title: title.rendered, description: "" },
      });
    if (posts.data.length < 100) break;
  }
  return links;
}

const postsShape = z.array(z.object({ link: z.string(), title: z.object({ rendered: z.string() }) }));

export async function extract(desk: Desk, body: unknown): Promise<Answer> {
  const read = extractBody.safeParse(body);
  if (!read.success) return invalid(read.error);
  const { urls, schema, prompt, ignoreInvalidURLs } = read.data;
  if (schema === undefined && prompt === undefined)
    return refused(400, "Either prompt or schema must be provided.");
  const bare = urls.map((url) => url.replace(/\/\*$/, "/"));
  const good = bare.filter((url) => webAddress.safeParse(url).success);
  const bad = bare.filter((url) => !good.includes(url));
  if (good.length === 0 || (bad.length > 0 && ignoreInvalidURLs === false))
    return refused(400, "Invalid URL", "BAD_REQUEST");
  const { world, context } = desk;
  if (world.credits < good.length * 5) return insufficient();
  world.credits -= good.length * 5;
  const [first = ""] = good;
  const id = randomUUID();
  try {
    const page = await readPage(first, context.options.baseUrl, world);
    world.jobs.push({
      id,
      polls: 1,
      status: "completed",
      data: sampleOf(schema ?? { type: "object" }, page),
    });
  } catch (error) {
    if (!(error instanceof ScrapeError)) throw error;
    world.jobs.push({ id, polls: 1, status: "failed", data: null });
  }
  desk.changed();
  return { status: 200, body: { success: true, id, invalidURLs: bad } };
}

export async function extracted({ world, context, changed }: Desk, id: string): Promise<Answer> {
  const job = world.jobs.find((each) => each.id === id);
  if (!job) return refused(404, "Extract job not found");
  const running = job.polls > 0;
  job.polls -= 1;
  changed();
  return {
    status: 200,
    body: {
      success: true,
      status: running ? "processing" : job.status,
      data: running ? [] : job.data,
      ...(!running && job.status === "failed" && { error: "All provided URLs failed to load." }),
      expiresAt: new Date(context.clock.now() + 86_400_000).toISOString(),
      tokensUsed: running ? 0 : 640,
    },
  };
}

export function refused(status: number, error: string, code?: string): Answer {
  return { status, body: { success: false, ...(code && { code }), error } };
}

const insufficient = () =>
  refused(402, "Insufficient credits to perform this request. For more credits, you can upgrade your plan.");

function invalid(error: z.ZodError): Answer {
  return {
    status: 400,
    body: { success: false, code: "BAD_REQUEST", error: "Bad Request", details: error.issues },
  };
}
