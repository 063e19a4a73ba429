import type { FastifyRequest, FastifySchema } from "fastify";
import { type App, problem } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Metrics } from "../../kernel/metrics/index.ts";
import { recordDrop, waitForRate } from "./accept-post.ts";
import { type DoorKind, type Endpoint, endpointFinder } from "./endpoint.ts";
import { type BodyKeeping, keptBody, largestKeptBytes } from "./keep-body.ts";
import { ingestProblem } from "./problems.ts";

/** The most that is ever read, whatever an endpoint allows. */
const hardLimitBytes = 16 * 1024 * 1024;

export interface Door {
  readonly url: string;
  readonly kind: DoorKind;
  readonly schema: FastifySchema;
  /** Of the counter of its requests. */
  readonly metric: { readonly name: string; readonly help: string };
}

export interface DoorDeps extends BodyKeeping {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Whether secrets that anybody can read in the documents open doors: only in a demo on loopback. */
  readonly takesPublishedSecrets?: boolean;
}

/** A request that may come in: its body is JSON and nothing more is known of it. */
export interface Caller {
  readonly request: FastifyRequest;
  readonly endpoint: Endpoint;
  /** Where its body is kept as it came, if it is. */
  readonly payloadRef: string | undefined;
  /** Notes that the body is not what the door takes. */
  malformed(): Promise<void>;
}

/**
 * A route that is opened by an endpoint's secret, with the guards in their order: secret → size → rate. The body is read as
 * bytes, so that nothing of an unknown or oversized request is parsed. `handle` answers with the body and what to count.
 */
export function guardedDoor<Answer>(
  app: App,
  door: Door,
  deps: DoorDeps,
  handle: (body: unknown, caller: Caller) => Promise<{ answer: Answer; outcome: string }>,
): void {
  const endpoints = new WeakMap<FastifyRequest, Endpoint>();
  const findEndpoint = endpointFinder(deps.sql, door.kind, deps);
  const requests = deps.metrics.counter({ ...door.metric, labels: ["outcome"] });

  async function refuseTooLarge(endpoint: Endpoint, bytes: number, payloadRef?: string): Promise<never> {
    const details = { payload_bytes: bytes, max_payload_bytes: endpoint.maxPayloadBytes };
    await recordDrop({ why: "payload_rejected", details, payloadRef }, endpoint, deps);
    requests.inc({ outcome: "too_large" });
    throw ingestProblem("ingress_payload_rejected", {
      detail: `The body is ${bytes} bytes, the endpoint takes ${endpoint.maxPayloadBytes}. Send media as links rather than inline.`,
    });
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: hardLimitBytes },
      (_request, body, done) => done(null, body),
    );
    scope.route({
      method: "POST",
      url: door.url,
      config: { scope: "public" },
      schema: door.schema,
      // The handler validates by itself, after the guards.
      validatorCompiler: () => (value: unknown) => ({ value }),
      bodyLimit: hardLimitBytes,
      async onRequest(request) {
        try {
          endpoints.set(request, await findEndpoint(request));
        } catch (error) {
          requests.inc({ outcome: "unknown_secret" });
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

        const waitMs = endpoint.hasRate === false ? 0 : await waitForRate(endpoint, deps);
        if (waitMs > 0) {
          // Not kept: a flood must not become a flood of the storage, and the sender comes again.
          await recordDrop({ why: "rate_limited" }, endpoint, deps);
          requests.inc({ outcome: "rate_limited" });
          throw ingestProblem("ingress_rate_limited", {
            headers: { "retry-after": String(Math.ceil(waitMs / 1000)) },
          });
        }

        const payloadRef = await keep();
        const malformed = async () => {
          await recordDrop({ why: "malformed", payloadRef }, endpoint, deps);
          requests.inc({ outcome: "malformed" });
        };
        const parsed = jsonOf(body);
        if ("fault" in parsed) {
          await malformed();
          throw problem("invalid_json", { detail: `The body is not JSON in UTF-8: ${parsed.fault}` });
        }
        const { answer, outcome } = await handle(parsed.value, { request, endpoint, payloadRef, malformed });
        requests.inc({ outcome });
        return answer;
      },
    });
  });
}

function isOver(bytes: number, { maxPayloadBytes }: Endpoint): boolean {
  return maxPayloadBytes > 0 && bytes > maxPayloadBytes;
}

function jsonOf(bytes: Buffer): { value: unknown } | { fault: string } {
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : "unreadable" };
  }
}
