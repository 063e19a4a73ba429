import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  callerOf,
  lineOfText,
  type ProblemTable,
  problem,
  problemsOf,
  type RouteModule,
  requireWorkspace,
} from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { defaultWorkspace } from "../../workspaces/index.ts";
import { longestLinkMs, type PayloadAccess, type PayloadStore } from "./payload-store.ts";

export interface PayloadRoutesDeps {
  readonly sql: Sql;
  readonly payloads: PayloadStore;
  /** How people reach the server; links are made for it. */
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
const workspace_id = z.uuid().optional();
const longestLinkSeconds = longestLinkMs / 1000;

/** Reading raw payloads: with the scope `payload` and a reason, or by a link that lives for minutes. */
export function payloadRoutes({ sql, payloads, publicUrl }: PayloadRoutesDeps): RouteModule {
  const tags = ["payloads"];

  return {
    name: "payloads",
    problems: payloadProblems,
    routes(app) {
      app.get(
        "/api/v1/payloads/:ref",
        {
          config: { scope: "payload" },
          schema: {
            tags,
            summary: "The raw payload behind an event, as it came; each reading is recorded",
            params,
            querystring: z.strictObject({ reason, workspace_id }),
            response: { 200: z.string().describe("The bytes, application/octet-stream") },
          },
        },
        async (request, reply) => {
          const workspaceId = await workspaceOf(request, request.query.workspace_id);
          const { ref } = request.params;
          return sendRaw(
            reply,
            await payloads.read(workspaceId, ref, accessOf(request, request.query.reason)),
            noPayload,
          );
        },
      );

      app.post(
        "/api/v1/payloads/:ref/link",
        {
          config: { scope: "payload" },
          schema: {
            tags,
            summary:
              "A link to the raw payload that anyone may follow for a few minutes; issue and use are recorded",
            params,
            querystring: z.strictObject({ workspace_id }),
            body: z.strictObject({
              reason,
              expires_in_seconds: z
                .int()
                .min(1)
                .max(longestLinkSeconds)
                .optional()
                .describe("300 unless given"),
            }),
            response: { 201: z.object({ url: z.string(), expires_at: z.date() }) },
          },
        },
        async (request, reply) => {
          const workspaceId = await workspaceOf(request, request.query.workspace_id);
          const link = await payloads.signedLink(workspaceId, request.params.ref, {
            ...accessOf(request, request.body.reason),
            expiresInMs: (request.body.expires_in_seconds ?? 300) * 1000,
          });
          if (!link) throw noPayload();
          const url = `${publicUrl}/api/v1/payload-links/${link.token}`;
          return reply
            .code(201)
            .header("cache-control", "no-store")
            .send({ url, expires_at: link.expiresAt });
        },
      );

      // A wildcard, because the router takes no parameter as long as a token.
      app.get(
        "/api/v1/payload-links/*",
        {
          config: { scope: "public" },
          schema: {
            tags,
            summary: "The raw payload that a link leads to",
            params: z.object({ "*": z.string().max(4096).describe("The link's token") }),
            response: { 200: z.string().describe("The bytes, application/octet-stream") },
          },
        },
        async (request, reply) =>
          sendRaw(reply, await payloads.followLink(request.params["*"]), () =>
            payloadProblem("payload_link_refused"),
          ),
      );
    },
  };

  async function workspaceOf(request: FastifyRequest, given: string | undefined): Promise<string> {
    const workspaceId = given ?? (await defaultWorkspace(sql, request));
    if (!workspaceId) throw noPayload();
    requireWorkspace(request, workspaceId);
    return workspaceId;
  }
}

function accessOf(request: FastifyRequest, why: string): PayloadAccess {
  const { kind, id, name } = callerOf(request);
  return { caller: { kind, id, name }, reason: why };
}

const noPayload = () =>
  problem("not_found", { detail: "There is no such payload in this workspace, or its time is over." });

/** As a file and never as a page: whoever wrote it must not run anything in the console's origin. */
function sendRaw(reply: FastifyReply, raw: Buffer | undefined, refusal: () => Error): FastifyReply {
  if (!raw) throw refusal();
  return reply
    .header("cache-control", "no-store")
    .header("content-disposition", 'attachment; filename="payload"')
    .header("x-content-type-options", "nosniff")
    .type("application/octet-stream")
    .send(raw);
}
