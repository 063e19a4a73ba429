import { z } from "zod";
import {
  type Answer,
  answerCall,
  createRates,
  definedOnly,
  readInput,
  type StatusFault,
  type Twin,
  type TwinContext,
} from "../shared/index.ts";
import { jsonOf, scripted, takeText } from "../web/wire.ts";
import { type Desk, extract, extracted, map, refused, scrape } from "./calls.ts";
import { freshWorld, type World } from "./model.ts";
import { ScrapeError } from "./read-page.ts";

const optionsBody = z.strictObject({
  key: z.string().min(1).optional(),
  credits: z.int().min(0).optional(),
  hostile: z.boolean().optional(),
});
const siteBody = z.strictObject({
  host: z.string().min(1),
  pages: z.int().min(0).max(100_000).optional(),
  branding: z.record(z.string(), z.unknown()).optional(),
  markdown: z.record(z.string(), z.string()).optional(),
});

/** Of the plan Standard. */
const perMinute = 500;

/** Firecrawl v2. Pages of this machine are read, all others are of an imaginary web. */
export function createFirecrawlTwin(context: TwinContext): Twin {
  const world = context.state.load<World>("firecrawl") ?? freshWorld();
  const changed = () => context.state.changed("firecrawl", () => world);
  const desk: Desk = { context, world, kept: new Map(), changed };
  const rates = createRates(context.clock);

  async function guarded(auth: string | undefined, work: () => Promise<Answer>): Promise<Answer> {
    if (auth !== `Bearer ${world.key}`) return refused(401, "Unauthorized: Invalid token");
    const wait = context.options.rateLimits
      ? rates.take([{ key: "firecrawl", count: perMinute, perMs: 60_000 }])
      : undefined;
    if (wait !== undefined)
      return {
        ...refused(429, "Rate limit exceeded. Please retry after the time in the Retry-After header."),
        headers: { "retry-after": String(Math.ceil(wait / 1000)) },
      };
    try {
      return await work();
    } catch (error) {
      if (error instanceof ScrapeError) return refused(500, error.message, error.code);
      throw error;
    }
  }

  return {
    name: "firecrawl",
    async mount(app) {
      takeText(app);
      for (const [name, call] of Object.entries({ scrape, map, extract })) {
        app.post(`/firecrawl/v2/${name}`, (request, reply) => {
          const body = jsonOf(request.body);
          return answerCall(context, reply, {
            call: { provider: "firecrawl", method: `POST /${name}`, ...chatOf(body) },
            request: body ?? null,
            work: () =>
              guarded(request.headers.authorization, async () =>
                body === undefined
                  ? refused(400, "Bad request, malformed JSON", "BAD_REQUEST_INVALID_JSON")
                  : call(desk, body),
              ),
            refusal: (fault) => scripted(fault, errorOf),
          });
        });
      }
      app.get<{ Params: { id: string } }>("/firecrawl/v2/extract/:id", (request, reply) =>
        answerCall(context, reply, {
          call: { provider: "firecrawl", method: "GET /extract/:id" },
          request: request.params,
          work: () => guarded(request.headers.authorization, () => extracted(desk, request.params.id)),
          refusal: (fault) => scripted(fault, errorOf),
        }),
      );
      app.get("/firecrawl/v2/team/credit-usage", (request, reply) =>
        answerCall(context, reply, {
          call: { provider: "firecrawl", method: "GET /team/credit-usage" },
          request: null,
          work: () =>
            guarded(request.headers.authorization, async () => ({
              status: 200,
              body: { success: true, data: { remainingCredits: world.credits } },
            })),
          refusal: (fault) => scripted(fault, errorOf),
        }),
      );
      app.get("/_control/firecrawl/options", async () => world);
      app.patch("/_control/firecrawl/options", async (request) => {
        Object.assign(world, definedOnly(readInput(optionsBody, jsonOf(request.body))));
        desk.kept.clear();
        changed();
        return world;
      });
      app.post("/_control/firecrawl/sites", async (request) => {
        const { host, ...site } = readInput(siteBody, jsonOf(request.body));
        world.sites[host] = { ...world.sites[host], ...definedOnly(site) };
        desk.kept.clear();
        changed();
        return world.sites[host];
      });
    },
    chats: () => [],
    messages: () => [],
    reset() {
      Object.assign(world, freshWorld());
      desk.kept.clear();
      rates.clear();
      changed();
    },
  };
}

/** The provider's words for a scripted status. */
function errorOf({ status, description }: StatusFault): unknown {
  const [error, code] = words[status] ?? ["An unexpected error occurred.", "UNKNOWN_ERROR"];
  return { success: false, ...(code && { code }), error: description ?? error };
}

const words: Readonly<Record<number, readonly [string, string?]>> = {
  401: ["Unauthorized: Invalid token"],
  402: ["Insufficient credits to perform this request."],
  403: ["This website is not currently supported."],
  408: ["Request timed out", "SCRAPE_TIMEOUT"],
  429: ["Rate limit exceeded."],
  500: ["All scraping engines failed!", "SCRAPE_ALL_ENGINES_FAILED"],
};

/** The host of the page, by which scripts and queries name calls. */
function chatOf(body: unknown): { chat?: string } {
  const given = z.object({ url: z.url() }).safeParse(body);
  return given.success ? { chat: new URL(given.data.url).hostname } : {};
}
