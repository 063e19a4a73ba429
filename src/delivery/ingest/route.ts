import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { type App, errorsFromIssues, inOurWords, problem } from "../../http/index.ts";
import type { Metrics } from "../../kernel/metrics/index.ts";
import { acceptPost, type IngestDeps, recordDrop, waitForRate } from "./accept-post.ts";
import { contentFaults, type PushBody, pushBody } from "./body.ts";
import { type Endpoint, endpointOf } from "./endpoint.ts";
import { type BodyKeeping, keptBody, largestKeptBytes } from "./keep-body.ts";
import { ingestProblem } from "./problems.ts";

export interface IngestRouteDeps extends IngestDeps, BodyKeeping {
  readonly metrics: Metrics;
}

/** The most that is ever read, whatever an endpoint allows. */
const hardLimitBytes = 16 * 1024 * 1024;

const accepted = z.object({
  ok: z.literal(true),
  run_id: z.string(),
  message_id: z.string(),
  queued: z.int().describe("Channels the post is on its way to"),
  deduped: z.int().describe("Channels that had it recently"),
  failed_permanent: z.int().describe("Channels that cannot take it; their events say why"),
  skipped_inflight: z.int().describe("Channels it is already on its way to"),
});

const dropped = z.object({
  ok: z.literal(true),
  run_id: z.string(),
  dropped: z.literal(true),
  reason: z.literal("ingress_dedup_dropped"),
});

/**
 * `POST /api/v1/ingest`: the guards in their order, secret → size → rate → receipt, and then the queue.
 * The body is read as bytes, so that nothing of an unknown or oversized request is parsed.
 */
export function ingestRoute(app: App, deps: IngestRouteDeps): void {
  const endpoints = new WeakMap<FastifyRequest, Endpoint>();
  const posts = deps.metrics.counter({
    name: "ingest_requests_total",
    help: "Requests to the ingest endpoint",
    labels: ["outcome"],
  });

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: hardLimitBytes },
      (_request, body, done) => done(null, body),
    );

    async function refuseTooLarge(endpoint: Endpoint, bytes: number, payloadRef?: string): Promise<never> {
      const details = { payload_bytes: bytes, max_payload_bytes: endpoint.maxPayloadBytes };
      await recordDrop({ why: "payload_rejected", details, payloadRef }, endpoint, deps);
      posts.inc({ outcome: "too_large" });
      throw ingestProblem("ingress_payload_rejected", {
        detail: `The body is ${bytes} bytes, the endpoint takes ${endpoint.maxPayloadBytes}. Send media as links rather than inline.`,
      });
    }

    scope.route({
      method: "POST",
      url: "/api/v1/ingest",
      config: { scope: "public" },
      schema: {
        tags: ["ingest"],
        summary: "Take a post and carry it to every matching channel",
        security: [{ endpointSecret: [] }],
        body: pushBody,
        response: { 200: z.union([accepted, dropped]) },
      },
      // The handler validates by itself, after the guards.
      validatorCompiler: () => (value: unknown) => ({ value }),
      bodyLimit: hardLimitBytes,
      async onRequest(request) {
        try {
          endpoints.set(request, await endpointOf(deps.sql, request.headers));
        } catch (error) {
          posts.inc({ outcome: "unknown_secret" });
          throw error;
        }
      },
      async preParsing(request) {
        const endpoint = endpoints.get(request);
        const announced = Number(request.headers["content-length"]);
        if (!endpoint || !isOver(announced, endpoint)) return;
        if (endpoint.keepsBodies && announced <= largestKeptBytes) return;
        await refuseTooLarge(endpoint, announced);
      },
      async handler(request) {
        const endpoint = endpoints.get(request);
        if (!endpoint) throw new Error("the endpoint was not resolved");
        const bytes: unknown = request.body;
        const body = Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
        const keep = () => keptBody(body, endpoint, deps, request.log);
        if (isOver(body.length, endpoint)) await refuseTooLarge(endpoint, body.length, await keep());

        const waitMs = await waitForRate(endpoint, deps);
        if (waitMs > 0) {
          // Not kept: a flood must not become a flood of the storage, and the sender comes again.
          await recordDrop({ why: "rate_limited" }, endpoint, deps);
          posts.inc({ outcome: "rate_limited" });
          throw ingestProblem("ingress_rate_limited", {
            headers: { "retry-after": String(Math.ceil(waitMs / 1000)) },
          });
        }

        const payloadRef = await keep();
        const post = await parsed(body, request).catch(async (error: unknown) => {
          await recordDrop({ why: "malformed", payloadRef }, endpoint, deps);
          posts.inc({ outcome: "malformed" });
          throw error;
        });
        const answer = await acceptPost(post, endpoint, deps, payloadRef);
        posts.inc({ outcome: "dropped" in answer ? "duplicate" : "accepted" });
        return answer;
      },
    });
  });
}

function isOver(bytes: number, { maxPayloadBytes }: Endpoint): boolean {
  return maxPayloadBytes > 0 && bytes > maxPayloadBytes;
}

/** The post of this request, or a problem that names every fault in it. */
async function parsed(bytes: Buffer, request: FastifyRequest): Promise<PushBody> {
  const body = pushBody.safeParse(jsonOf(bytes), inOurWords);
  if (!body.success) throw problem("invalid_request", { errors: errorsFromIssues(body.error.issues) });
  const faults = contentFaults(body.data);
  if (faults.length > 0) throw problem("invalid_request", { errors: faults });
  const key = request.headers["idempotency-key"];
  const sourceRef = body.data.source_ref?.trim() || (typeof key === "string" ? key.trim().slice(0, 512) : "");
  return sourceRef ? { ...body.data, source_ref: sourceRef } : body.data;
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw problem("invalid_json", {
      detail: `The body is not JSON in UTF-8: ${error instanceof Error ? error.message : "unreadable"}`,
    });
  }
}
