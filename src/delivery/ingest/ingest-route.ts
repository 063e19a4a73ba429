import type { App } from "../../http/index.ts";
import { deliveryMetrics } from "../metrics.ts";
import { acceptedSchema, acceptPost, type IngestDeps } from "./accept-post.ts";
import { type PushBody, pushBody, readPost } from "./body.ts";
import { endpointGuards, type GuardDeps, readBytes } from "./guards.ts";
import { parsePostErrors } from "./post-errors.ts";

/** `POST /api/v1/ingest`: the guards, then the receipt and the queue. */
export function ingestRoute(app: App, deps: IngestDeps & GuardDeps): void {
  const guards = endpointGuards("webhook_push", deliveryMetrics.ingestRequests, deps);
  app.register(async (scope) => {
    readBytes(scope);
    scope.route({
      method: "POST",
      url: "/api/v1/ingest",
      config: { scope: "public" },
      schema: {
        tags: ["ingest"],
        summary: "Take a post and carry it to every matching channel",
        security: [{ endpointSecret: [] }],
        body: pushBody,
        response: { 200: acceptedSchema },
      },
      ...guards.hooks,
      async handler(request) {
        const { endpoint, body, payloadRef } = guards.admitted(request);
        const read = readPost(body);
        if ("faults" in read) return guards.refuseMalformed(request, { errors: read.faults });
        const post = withReference(read.post, request.headers["idempotency-key"]);
        const answer = await acceptPost(post, endpoint, deps, payloadRef);
        if ("fault" in answer)
          return guards.refuseMalformed(request, { errors: parsePostErrors(answer.fault) });
        guards.count("dropped" in answer ? "duplicate" : "accepted");
        return answer;
      },
    });
  });
}

/** The sender's own id of the post, from the body or from the HTTP header `Idempotency-Key`. */
function withReference(post: PushBody, key: string | string[] | undefined): PushBody {
  const sourceRef = post.source_ref?.trim() || (typeof key === "string" ? key.trim().slice(0, 512) : "");
  return sourceRef ? { ...post, source_ref: sourceRef } : post;
}
