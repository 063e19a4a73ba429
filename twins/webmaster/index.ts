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
import { daysBefore, type Visits, type VisitsOfDay, visitsBetween, visitsBody } from "../web/visits.ts";
import { jsonOf, scripted, takeText } from "../web/wire.ts";

interface Host {
  readonly host_id: string;
  readonly ascii_host_url: string;
  readonly verified: boolean;
  pages: Visits[];
}

interface World {
  token: string;
  hosts: Host[];
}

const userId = 1130000012345678;
const freshWorld = (): World => ({ token: "y0_molva-demo-webmaster-000000000000", hosts: [] });

const hostBody = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  verified: z.boolean().default(true),
  pages: z.array(visitsBody).default([]),
});

/** It tells two weeks, up to the day before yesterday. */
const kept = { first: 15, last: 2 } as const;
const limits = { page: 500, perHour: 10_000 } as const;

const listBody = z.object({
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(limits.page).default(limits.page),
  device_type_indicator: z.enum(["ALL", "DESKTOP", "MOBILE_AND_TABLET", "MOBILE", "TABLET"]).default("ALL"),
  text_indicator: z.enum(["URL", "QUERY"]),
});

/** Yandex Webmaster v4: the account, its sites, and the readers of their pages. */
export function createWebmasterTwin(context: TwinContext): Twin {
  const world = context.state.load<World>("webmaster") ?? freshWorld();
  const changed = () => context.state.changed("webmaster", () => world);
  const rates = createRates(context.clock);

  function list(hostId: string, text: unknown): Answer {
    const host = world.hosts.find((each) => each.host_id === hostId);
    if (!host) return error(404, "HOST_NOT_FOUND", "Host not found");
    if (!host.verified) return error(403, "HOST_NOT_VERIFIED", "Host is not verified");
    const wait = context.options.rateLimits
      ? rates.take([{ key: "analytics", count: limits.perHour, perMs: 3_600_000 }])
      : undefined;
    if (wait !== undefined) return error(429, "TOO_MANY_REQUESTS_ERROR", "Too many requests");
    const read = listBody.safeParse(jsonOf(text));
    if (!read.success)
      return error(400, "FIELD_VALIDATION_ERROR", `${read.error.issues[0]?.path.join(".")} is invalid`);
    const { offset, limit, text_indicator: type } = read.data;
    const now = context.clock.now();
    const [from, to] = [daysBefore(now, kept.first), daysBefore(now, kept.last)];
    const pages = type === "URL" ? host.pages : [];
    const found = pages.flatMap((page) => {
      const days = visitsBetween([page], from, to);
      return days.length === 0 ? [] : [statisticsOf(page.url, days)];
    });
    const body = { count: found.length, text_indicator_to_statistics: found.slice(offset, offset + limit) };
    return { status: 200, body };
  }

  return {
    name: "webmaster",
    async mount(app) {
      takeText(app);
      const answer = (
        method: string,
        request: {
          readonly headers: { readonly authorization?: string | undefined };
          readonly body?: unknown;
        },
        reply: Parameters<typeof answerCall>[1],
        work: () => Answer,
      ) =>
        answerCall(context, reply, {
          call: { provider: "webmaster", method },
          request: jsonOf(request.body) ?? null,
          work: async () =>
            request.headers.authorization === `OAuth ${world.token}`
              ? work()
              : error(401, "INVALID_OAUTH_TOKEN", "Invalid OAuth token"),
          refusal: (fault) => scripted(fault, errorOf),
        });
      /** The number in the path must be the account's own. */
      const ofUser = (given: string, work: () => Answer) =>
        given === String(userId) ? work() : error(403, "INVALID_USER_ID", "Invalid user id");
      const params = z.object({ user: z.string(), host: z.string().default("") });
      app.get("/webmaster/v4/user", (request, reply) =>
        answer("GET /user", request, reply, () => ({ status: 200, body: { user_id: userId } })),
      );
      app.get("/webmaster/v4/user/:user/hosts", (request, reply) => {
        const { user } = params.parse(request.params);
        const body = {
          hosts: world.hosts.map(({ pages: _, ...host }) => ({
            ...{ ...host, unicode_host_url: host.ascii_host_url, main_mirror: null },
          })),
        };
        return answer("GET /hosts", request, reply, () => ofUser(user, () => ({ status: 200, body })));
      });
      app.post("/webmaster/v4/user/:user/hosts/:host/query-analytics/list", (request, reply) => {
        const { user, host } = params.parse(request.params);
        return answer("POST /query-analytics/list", request, reply, () =>
          ofUser(user, () => list(host, request.body)),
        );
      });
      /** Delegates a site to the demo's account; its pages have had these readers. */
      app.put("/_control/webmaster/hosts", async (request) => {
        const { url, verified, pages } = readInput(hostBody, jsonOf(request.body));
        const { protocol, hostname, port } = new URL(url);
        const number = port || (protocol === "https:" ? "443" : "80");
        const host_id = `${protocol}${hostname}:${number}`;
        const ascii_host_url = `${protocol}//${hostname}:${number}/`;
        const others = world.hosts.filter((each) => each.host_id !== host_id);
        world.hosts = [...others, { host_id, ascii_host_url, verified, pages }];
        changed();
        return world.hosts.map((each) => each.host_id);
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

const statisticsOf = (url: string, days: readonly VisitsOfDay[]) => ({
  text_indicator: { type: "URL", value: url },
  popular_complementary_indicator: { type: "QUERY", value: "чай" },
  statistics: days.flatMap(({ day: date, clicks, impressions, position }) => [
    { date, field: "IMPRESSIONS", value: impressions },
    { date, field: "CLICKS", value: clicks },
    { date, field: "POSITION", value: position },
    { date, field: "CTR", value: (clicks / impressions) * 100 },
  ]),
});

const errorOf = ({ status, description }: StatusFault) =>
  error(status, status === 429 ? "TOO_MANY_REQUESTS_ERROR" : "INTERNAL_ERROR", description ?? "Scripted")
    .body;

function error(status: number, error_code: string, error_message: string): Answer {
  return { status, body: { error_code, error_message } };
}
