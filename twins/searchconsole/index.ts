import { z } from "zod";
import {
  type Answer,
  answerCall,
  createRates,
  readInput,
  type StatusFault,
  type Twin,
  type TwinContext,
} from "../shared/index.ts";
import { daysBefore, type Visits, visitsBetween, visitsBody } from "../web/visits.ts";
import { jsonOf, scripted, takeText } from "../web/wire.ts";
import { exchange } from "./exchange.ts";

interface Site {
  readonly siteUrl: string;
  readonly permissionLevel: string;
  pages: Visits[];
}

interface World {
  tokens: { token: string; until: number }[];
  sites: Site[];
}

const freshWorld = (): World => ({ tokens: [], sites: [] });

const siteBody = z.strictObject({
  site_url: z.union([z.url(), z.string().regex(/^sc-domain:[a-z0-9.-]+$/)]),
  permission: z
    .enum(["siteOwner", "siteFullUser", "siteRestrictedUser", "siteUnverifiedUser"])
    .default("siteFullUser"),
  pages: z.array(visitsBody).default([]),
});

/** Of the API as its documents have it in November 2026. */
const limits = {
  rowLimit: 25_000,
  usualRows: 1_000,
  perMinute: 1_200,
  months: 16,
  finalAfterDays: 2,
} as const;

const queryBody = z.object({
  startDate: z.iso.date(),
  endDate: z.iso.date(),
  dimensions: z.array(z.enum(["date", "page"])).default([]),
  type: z.enum(["web", "image", "video", "news", "discover", "googleNews"]).default("web"),
  rowLimit: z.int().min(1).max(limits.rowLimit).default(limits.usualRows),
  startRow: z.int().min(0).default(0),
});

/** Google Search Console v3 for a service account. Figures of the last two days are not final and are not told. */
export function createSearchConsoleTwin(context: TwinContext): Twin {
  const world = context.state.load<World>("searchconsole") ?? freshWorld();
  const changed = () => context.state.changed("searchconsole", () => world);
  const rates = createRates(context.clock);

  function refusedBefore(auth: string | undefined): Answer | undefined {
    const token = /^Bearer (.+)$/.exec(auth ?? "")?.[1];
    const isLive = world.tokens.some((each) => each.token === token && each.until > context.clock.now());
    if (!isLive)
      return error(
        401,
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.",
        "authError",
      );
    const wait = context.options.rateLimits
      ? rates.take([{ key: "user", count: limits.perMinute, perMs: 60_000 }])
      : undefined;
    return wait === undefined
      ? undefined
      : error(429, "Quota exceeded for quota metric 'Queries'.", "rateLimitExceeded");
  }

  function query(siteUrl: string, text: unknown): Answer {
    const site = world.sites.find((each) => each.siteUrl === siteUrl);
    if (!site || site.permissionLevel === "siteUnverifiedUser")
      return error(
        403,
        `User does not have sufficient permission for site '${siteUrl}'. See also: https://support.google.com/webmasters/answer/2451999.`,
        "forbidden",
      );
    const read = queryBody.safeParse(jsonOf(text));
    if (!read.success)
      return error(400, `Invalid value at '${read.error.issues[0]?.path.join(".")}'`, "invalidParameter");
    const { startDate, endDate, dimensions, rowLimit, startRow } = read.data;
    if (startDate > endDate) return error(400, "startDate must be before endDate", "invalidParameter");
    const now = context.clock.now();
    const oldest = daysBefore(now, limits.months * 30);
    const newest = daysBefore(now, limits.finalAfterDays);
    const [, from = oldest] = [startDate, oldest].toSorted();
    const [to = newest] = [endDate, newest].toSorted();
    const found = visitsBetween(site.pages, from, to);
    const rows = rowsOf(found, dimensions).slice(startRow, startRow + rowLimit);
    return {
      status: 200,
      // Without rows the field is absent.
      body: { ...(rows.length > 0 && { rows }), responseAggregationType: "byPage" },
    };
  }

  return {
    name: "searchconsole",
    async mount(app) {
      takeText(app);
      app.post("/searchconsole/token", (request, reply) =>
        answerCall(context, reply, {
          call: { provider: "searchconsole", method: "POST /token" },
          request: null,
          work: async () => {
            const audience = `${context.options.baseUrl}/searchconsole/token`;
            const answer = exchange(String(request.body ?? ""), context.clock.now(), audience);
            if (answer.token) {
              world.tokens = [...world.tokens.slice(-20), answer.token];
              changed();
            }
            return answer;
          },
          refusal: (fault) => scripted(fault, ({ status }) => ({ error: "internal_failure", code: status })),
        }),
      );
      app.get("/searchconsole/webmasters/v3/sites", (request, reply) =>
        answerCall(context, reply, {
          call: { provider: "searchconsole", method: "GET /sites" },
          request: null,
          work: async () =>
            refusedBefore(request.headers.authorization) ?? {
              status: 200,
              body: {
                siteEntry: world.sites.map(({ siteUrl, permissionLevel }) => ({ siteUrl, permissionLevel })),
              },
            },
          refusal: (fault) => scripted(fault, errorOf),
        }),
      );
      app.post("/searchconsole/webmasters/v3/sites/:site/searchAnalytics/query", (request, reply) => {
        const { site } = z.object({ site: z.string() }).parse(request.params);
        return answerCall(context, reply, {
          call: { provider: "searchconsole", method: "POST /searchAnalytics/query", chat: site },
          request: jsonOf(request.body) ?? null,
          work: async () => refusedBefore(request.headers.authorization) ?? query(site, request.body),
          refusal: (fault) => scripted(fault, errorOf),
        });
      });
      /** Shares a site with the demo's service account; its pages have had these readers. */
      app.put("/_control/searchconsole/sites", async (request) => {
        const { site_url: siteUrl, permission, pages } = readInput(siteBody, jsonOf(request.body));
        const others = world.sites.filter((each) => each.siteUrl !== siteUrl);
        world.sites = [...others, { siteUrl, permissionLevel: permission, pages }];
        changed();
        return world.sites.map((each) => each.siteUrl);
      });
    },
    chats: () => [],
    messages: () => [],
    reset() {
      Object.assign(world, freshWorld());
      rates.clear();
      changed();
    },
  };
}

type Found = ReturnType<typeof visitsBetween>;

/** Grouped by the dimensions, those with the most clicks first. */
function rowsOf(found: Found, dimensions: readonly ("date" | "page")[]) {
  const groups = new Map<string, { keys: string[]; clicks: number; impressions: number; placed: number }>();
  for (const { url, day, clicks, impressions, position } of found) {
    const keys = dimensions.map((dimension) => (dimension === "date" ? day : url));
    const group = groups.get(keys.join(" ")) ?? { keys, clicks: 0, impressions: 0, placed: 0 };
    group.clicks += clicks;
    group.impressions += impressions;
    group.placed += position * impressions;
    groups.set(keys.join(" "), group);
  }
  return [...groups.values()]
    .toSorted((one, other) => other.clicks - one.clicks)
    .map(({ keys, clicks, impressions, placed }) => ({
      ...(keys.length > 0 && { keys }),
      ...{ clicks, impressions, ctr: clicks / impressions, position: placed / impressions },
    }));
}

const errorOf = ({ status, description }: StatusFault) =>
  error(status, description ?? "Backend Error", status === 429 ? "rateLimitExceeded" : "backendError").body;

function error(code: number, message: string, reason: string): Answer {
  return {
    status: code,
    body: { error: { code, message, errors: [{ message, domain: "global", reason }] } },
  };
}
