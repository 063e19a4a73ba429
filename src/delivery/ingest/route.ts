import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { type App, errorsFromIssues, inOurWords, problem } from "../../http/index.ts";
import { acceptPost, type IngestDeps } from "./accept-post.ts";
import { contentFaults, type PushBody, pushBody } from "./body.ts";
import { type DoorDeps, guardedDoor } from "./guarded-door.ts";
import { unroutedSchema } from "./unrouted.ts";

const accepted = z.object({
  ok: z.literal(true),
  run_id: z.string(),
  message_id: z.string(),
  queued: z.int().describe("Channels the post is on its way to"),
  deduped: z.int().describe("Channels that had it recently"),
  failed_permanent: z.int().describe("Channels that cannot take it; their events say why"),
  skipped_inflight: z.int().describe("Channels it is already on its way to"),
  unrouted: unroutedSchema.optional().describe("Only when no channel takes it: why"),
});

const dropped = z.object({
  ok: z.literal(true),
  run_id: z.string(),
  dropped: z.literal(true),
  reason: z.literal("ingress_dedup_dropped"),
});

/** `POST /api/v1/ingest`: through the guards, then the receipt and the queue. */
export function ingestRoute(app: App, deps: IngestDeps & DoorDeps): void {
  guardedDoor(
    app,
    {
      url: "/api/v1/ingest",
      kind: "webhook_push",
      metric: { name: "ingest_requests_total", help: "Requests to the ingest endpoint" },
      schema: {
        tags: ["ingest"],
        summary: "Take a post and carry it to every matching channel",
        security: [{ endpointSecret: [] }],
        body: pushBody,
        response: { 200: z.union([accepted, dropped]) },
      },
    },
    deps,
    async (body, { request, endpoint, payloadRef, malformed }) => {
      const read = parsed(body, request);
      if ("faults" in read) {
        await malformed();
        throw problem("invalid_request", { errors: read.faults });
      }
      const answer = await acceptPost(read.post, endpoint, deps, payloadRef);
      return { answer, outcome: "dropped" in answer ? "duplicate" : "accepted" };
    },
  );
}

/** The post of this request, or every fault in it. */
function parsed(
  given: unknown,
  request: FastifyRequest,
): { post: PushBody } | { faults: ReturnType<typeof contentFaults> } {
  const body = pushBody.safeParse(given, inOurWords);
  if (!body.success) return { faults: errorsFromIssues(body.error.issues) };
  const faults = contentFaults(body.data);
  if (faults.length > 0) return { faults };
  const key = request.headers["idempotency-key"];
  const sourceRef = body.data.source_ref?.trim() || (typeof key === "string" ? key.trim().slice(0, 512) : "");
  return { post: sourceRef ? { ...body.data, source_ref: sourceRef } : body.data };
}
