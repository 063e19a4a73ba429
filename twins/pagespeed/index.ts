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
import { type Category, categories, reportOf, type SiteOptions } from "./report.ts";

interface World {
  key: string;
  sites: Record<string, SiteOptions>;
}

const freshWorld = (): World => ({ key: "AIzaMolvaDemo0000000000000000000000000", sites: {} });

const siteBody = z.strictObject({
  host: z.string().min(1),
  field: z.boolean().optional(),
  scores: z.record(z.string(), z.number().min(0).max(1).nullable()).optional(),
  runtime_error: z.string().optional(),
});

const perMinute = 240;

/** PageSpeed Insights v5. Slow answers are made by the fault `delay`. */
export function createPageSpeedTwin(context: TwinContext): Twin {
  const world = context.state.load<World>("pagespeed") ?? freshWorld();
  const changed = () => context.state.changed("pagespeed", () => world);
  const rates = createRates(context.clock);

  function work(query: URLSearchParams): Answer {
    const key = query.get("key");
    if (key !== null && key !== world.key)
      return error(400, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT", "badRequest");
    const wait = context.options.rateLimits
      ? rates.take([{ key: key ?? "nobody", count: key === null ? 4 : perMinute, perMs: 60_000 }])
      : undefined;
    if (wait !== undefined)
      return error(
        429,
        "Quota exceeded for quota metric 'Queries'.",
        "RESOURCE_EXHAUSTED",
        "rateLimitExceeded",
      );
    const address = z.url({ protocol: /^https?$/ }).safeParse(query.get("url"));
    if (!address.success)
      return error(
        400,
        `Invalid value '${query.get("url") ?? ""}'. Values must match the following regular expression: '(?i)http(s)?://.*'`,
        "INVALID_ARGUMENT",
        "invalidParameter",
      );
    const strategy = (query.get("strategy") ?? "desktop").toLowerCase();
    if (strategy !== "mobile" && strategy !== "desktop")
      return error(400, `Invalid value at 'strategy', "${strategy}"`, "INVALID_ARGUMENT", "badRequest");
    const asked = query.getAll("category").map((each) => each.toLowerCase().replace("_", "-"));
    const wrong = asked.find((each) => !isCategory(each));
    if (wrong !== undefined)
      return error(400, `Invalid value at 'category', "${wrong}"`, "INVALID_ARGUMENT", "badRequest");
    const url = new URL(address.data);
    const options = world.sites[url.hostname] ?? {};
    if (url.hostname.endsWith(".invalid"))
      return error(
        400,
        "Lighthouse returned error: FAILED_DOCUMENT_REQUEST. Lighthouse was unable to reliably load the page you requested. (Details: net::ERR_NAME_NOT_RESOLVED)",
        "INVALID_ARGUMENT",
        "lighthouseUserError",
      );
    if (options.runtimeError)
      return error(500, `Lighthouse returned error: ${options.runtimeError}`, "INTERNAL", "lighthouseError");
    const chosen = asked.length > 0 ? asked.filter(isCategory) : (["performance"] as const);
    return { status: 200, body: reportOf(url, chosen, strategy, options, new Date(context.clock.now())) };
  }

  return {
    name: "pagespeed",
    async mount(app) {
      takeText(app);
      app.get("/pagespeed/pagespeedonline/v5/runPagespeed", (request, reply) => {
        const query = new URL(request.url, "http://twin").searchParams;
        const { key: _, ...shown } = Object.fromEntries(query);
        const host = z.url().safeParse(query.get("url"));
        return answerCall(context, reply, {
          call: {
            provider: "pagespeed",
            // The slow part can be struck alone.
            method: `GET /runPagespeed ${query.getAll("category").join(",")}`.trim(),
            ...(host.success && { chat: new URL(host.data).hostname }),
          },
          request: { ...shown, category: query.getAll("category") },
          work: async () => work(query),
          refusal: (fault) => scripted(fault, errorOf),
        });
      });
      app.get("/_control/pagespeed/sites", async () => world.sites);
      app.post("/_control/pagespeed/sites", async (request) => {
        const { host, runtime_error, ...site } = readInput(siteBody, jsonOf(request.body));
        world.sites[host] = {
          ...world.sites[host],
          ...definedOnly({ ...site, runtimeError: runtime_error }),
        };
        changed();
        return world.sites[host];
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

function isCategory(text: string): text is Category {
  return categories.some((category) => category === text);
}

const statuses: Readonly<Record<number, readonly [string, string]>> = {
  403: ["PERMISSION_DENIED", "forbidden"],
  429: ["RESOURCE_EXHAUSTED", "rateLimitExceeded"],
  500: ["INTERNAL", "lighthouseError"],
};

function errorOf({ status, description }: StatusFault): unknown {
  const [name, reason] = statuses[status] ?? ["UNKNOWN", "unknown"];
  return error(
    status,
    description ?? "Unable to process request. Please wait a while and try again.",
    name,
    reason,
  ).body;
}

function error(code: number, message: string, status: string, reason: string): Answer {
  return {
    status: code,
    body: { error: { code, message, errors: [{ message, domain: "lighthouse", reason }], status } },
  };
}
