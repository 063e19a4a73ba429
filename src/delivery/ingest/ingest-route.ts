import type { FastifyRequest } from "fastify";
import type { App } from "../../http/index.ts";
import type { Metrics } from "../../kernel/metrics/index.ts";
import { deliveryMetrics } from "../metrics.ts";
import { type Accepted, acceptedSchema, acceptPost, type IngestDeps } from "./accept-post.ts";
import { type PushBody, pushBody, readPost } from "./body.ts";
import { endpointGuards, type GuardDeps, guardsOf, readBytes } from "./guards.ts";
import { parsePostErrors } from "./post-errors.ts";
import { type SignedDoorDeps, signedDoor, signedParams, webhookIdOf } from "./signed-endpoint.ts";

export interface IngestRoutesDeps extends IngestDeps, GuardDeps, SignedDoorDeps {
  readonly metrics: Metrics;
}

/**
 * `POST /api/v1/ingest` with an endpoint's secret, and `POST /api/v1/ingest/{address}` with a signature: the guards, then the
 * receipt and the queue.
 */
export function ingestRoutes(app: App, deps: IngestRoutesDeps): void {
  const requests = deps.metrics.counter({ ...deliveryMetrics.ingestRequests, labels: ["outcome"] });
  const withSecret = endpointGuards("webhook_push", requests, deps);
  const signed = guardsOf(signedDoor(deps), requests, deps);
  const common = { tags: ["ingest"], body: pushBody, response: { 200: acceptedSchema } };
  app.register(async (scope) => {
    readBytes(scope);
    scope.route({
      method: "POST",
      url: "/api/v1/ingest",
      config: { scope: "public" },
      schema: {
        ...common,
        summary: "Take a post and carry it to every matching channel",
        security: [{ endpointSecret: [] }],
      },
      ...withSecret.hooks,
      handler: (request) => take(request, withSecret, deps, keyOf(request)),
    });
    scope.route({
      method: "POST",
      url: "/api/v1/ingest/:address",
      config: { scope: "public" },
      schema: {
        ...common,
        summary: "Take a signed post and carry it to every matching channel",
        description:
          "For endpoints of the modes `signature` and `either`. The body is signed as Standard Webhooks has it, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. The same `webhook-id` again is answered with success and sent to no channel twice.",
        security: [{ webhookSignature: [] }],
        params: signedParams,
      },
      ...signed.hooks,
      // Not `Idempotency-Key`: the signature does not cover it, so whoever caught a request could send it again under another key.
      handler: (request) => take(request, signed, deps, webhookIdOf(request)),
    });
  });
}

/** `reference`: the sender's own id of the post, if the body has none. */
async function take(
  request: FastifyRequest,
  guards: ReturnType<typeof guardsOf>,
  deps: IngestDeps,
  reference: string | undefined,
): Promise<Accepted> {
  const { endpoint, body, payloadRef } = guards.admitted(request);
  const read = readPost(body);
  if ("faults" in read) return guards.refuseMalformed(request, { errors: read.faults });
  const answer = await acceptPost(withReference(read.post, reference), endpoint, deps, payloadRef);
  if ("fault" in answer) return guards.refuseMalformed(request, { errors: parsePostErrors(answer.fault) });
  guards.count("dropped" in answer ? "duplicate" : "accepted");
  return answer;
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers["idempotency-key"];
  return typeof key === "string" ? key.trim().slice(0, 512) : undefined;
}

function withReference(post: PushBody, reference: string | undefined): PushBody {
  const sourceRef = post.source_ref?.trim() || reference;
  return sourceRef ? { ...post, source_ref: sourceRef } : post;
}
