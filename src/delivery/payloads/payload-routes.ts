import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  type App,
  callerOf,
  lineOfText,
  type ProblemTable,
  problem,
  problemsOf,
  type RouteModule,
} from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { workspaceRoutes } from "../../workspaces/index.ts";
import { longestLinkMs, type PayloadAccess, type PayloadStore } from "./payload-store.ts";

export interface PayloadRoutesDeps {
  readonly sql: Sql;
  readonly payloads: PayloadStore;
  /** The public address of the server, for links. */
  readonly publicUrl: string;
}

const payloadProblems = {
  payload_link_refused: {
    status: 403,
    title: "The link does not open anything",
    meaning:
      "The link to a raw payload is altered or older than its time, or what it led to is gone. Ask for a new one.",
  },
} as const satisfies ProblemTable;

const payloadProblem = problemsOf(payloadProblems);

const reason = lineOfText({ min: 5, max: 200 }).describe("Why it is read; goes into the audit trail");
const params = z.object({ ref: z.uuid().describe("The `payload_ref` of an event") });
const bytes = z.string().describe("The bytes, application/octet-stream");
const tag = "payloads";

/** Reads raw payloads: with the scope `payload` and a reason, or by a link that is valid for minutes. */
export function payloadRoutes(deps: PayloadRoutesDeps): RouteModule {
  return {
    name: "payloads",
    problems: payloadProblems,
    routes(app) {
      readingRoutes(app, deps);
      linkRoute(app, deps);
    },
  };
}

function readingRoutes(app: App, { sql, payloads, publicUrl }: PayloadRoutesDeps): void {
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/payloads", tag });

  routes.get(
    "/:ref",
    {
      scope: "payload",
      summary: "The raw payload behind an event, as it came; each reading is recorded",
      params,
      query: { reason },
      answer: bytes,
    },
    async ({ workspaceId, params: { ref }, query, request, reply }) =>
      sendRaw(reply, await payloads.read(workspaceId, ref, accessOf(request, query.reason)), noPayload),
  );
  routes.post(
    "/:ref/link",
    {
      scope: "payload",
      summary:
        "A link to the raw payload that anyone may follow for a few minutes; issue and use are recorded",
      params,
      body: z.strictObject({
        reason,
        expires_in_seconds: z
          .int()
          .min(1)
          .max(longestLinkMs / 1000)
          .optional()
          .describe("300 unless given"),
      }),
      answer: z.object({ url: z.string(), expires_at: z.date() }),
      status: 201,
    },
    async ({ workspaceId, params: { ref }, body: { expires_in_seconds = 300 }, by, request, reply }) => {
      const link = await payloads.signedLink(workspaceId, ref, {
        ...accessOf(request, by.reason),
        expiresInMs: expires_in_seconds * 1000,
      });
      if (!link) throw noPayload();
      reply.header("cache-control", "no-store");
      return { url: `${publicUrl}/api/v1/payload-links/${link.token}`, expires_at: link.expiresAt };
    },
  );
}

function linkRoute(app: App, { payloads }: PayloadRoutesDeps): void {
  // A wildcard, because the router limits the length of a parameter, and a token is longer.
  app.get(
    "/api/v1/payload-links/*",
    {
      config: { scope: "public" },
      schema: {
        tags: [tag],
        summary: "The raw payload that a link leads to",
        params: z.object({ "*": z.string().max(4096).describe("The link's token") }),
        response: { 200: bytes },
      },
    },
    async (request, reply) =>
      sendRaw(reply, await payloads.followLink(request.params["*"]), () =>
        payloadProblem("payload_link_refused"),
      ),
  );
}

function accessOf(request: FastifyRequest, why: string): PayloadAccess {
  const { kind, id } = callerOf(request);
  return { caller: { kind, id }, reason: why };
}

const noPayload = () =>
  problem("not_found", { detail: "There is no such payload in this workspace, or its time is over." });

/** As a download and never as a page: its content must not run scripts in the console's origin. */
function sendRaw(reply: FastifyReply, raw: Buffer | undefined, refusal: () => Error): FastifyReply {
  if (!raw) throw refusal();
  return reply
    .header("cache-control", "no-store")
    .header("content-disposition", 'attachment; filename="payload"')
    .header("x-content-type-options", "nosniff")
    .type("application/octet-stream")
    .send(raw);
}
