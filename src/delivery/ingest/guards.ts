import type { FastifyRequest } from "fastify";
import { type App, Problem, type ProblemDetails, problem } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import { type Door, type DoorKind, type Endpoint, endpointFinder } from "./endpoint.ts";
import { type BodyKeeping, keptBody, largestKeptBytes } from "./keep-body.ts";
import { ingestProblem } from "./problems.ts";

/** The most that is ever read, whatever an endpoint allows; less of requests whose sender is unknown until they are read. */
const hardLimitBytes = 16 * 1024 * 1024;
const unknownSenderBytes = 1024 * 1024;

export interface GuardDeps extends BodyKeeping {
  readonly sql: Sql;
  readonly clock: Clock;
  /** Whether published secrets are accepted: only in a demo on loopback. */
  readonly takesPublishedSecrets?: boolean;
}

/** A request that passed the guards: its body is JSON, and nothing more has been checked. */
export interface Admitted {
  readonly endpoint: Endpoint;
  readonly body: unknown;
  /** Where its raw body is stored, if it is. */
  readonly payloadRef: string | undefined;
}

/** Counts the requests of a route. */
export interface RequestCounter {
  inc(labels: { readonly outcome: string }): void;
}

/** The guards of a route that is opened by an endpoint's secret. */
export function endpointGuards(kind: DoorKind, requests: RequestCounter, deps: GuardDeps) {
  return guardsOf({ find: endpointFinder(deps, kind) }, requests, deps);
}

/**
 * The guards of a route that endpoints are behind, as hooks for its declaration: secret or signature → size → rate → JSON. The
 * body is read as bytes, so that nothing of an unknown or oversized request is parsed.
 */
export function guardsOf(door: Door, requests: RequestCounter, deps: GuardDeps) {
  const endpoints = new WeakMap<FastifyRequest, Endpoint>();
  const admissions = new WeakMap<FastifyRequest, Admitted>();

  async function secret(request: FastifyRequest): Promise<void> {
    await counted(async () => void endpoints.set(request, await door.find(request)));
  }

  async function signature(request: FastifyRequest): Promise<void> {
    await counted(async () => door.verify?.(request, bytesOf(request)));
  }

  async function counted(check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      const code = error instanceof Problem ? error.code : undefined;
      requests.inc({ outcome: code === "ingress_network_refused" ? "network_refused" : "unknown_secret" });
      throw error;
    }
  }

  async function announcedSize(request: FastifyRequest): Promise<void> {
    const endpoint = known(endpoints, request);
    const announced = Number(request.headers["content-length"]);
    if (!isOver(announced, endpoint) || door.verify) return;
    if (endpoint.keepsBodies && announced <= largestKeptBytes) return;
    await refuseTooLarge(endpoint, announced);
  }

  async function size(request: FastifyRequest): Promise<void> {
    const endpoint = known(endpoints, request);
    const bytes = bytesOf(request);
    if (isOver(bytes.length, endpoint))
      await refuseTooLarge(endpoint, bytes.length, await keptBody(bytes, endpoint, deps, request.log));
  }

  async function rate(request: FastifyRequest): Promise<void> {
    const endpoint = known(endpoints, request);
    if (!endpoint.hasRate) return;
    const waitMs = await waitForRate(endpoint, deps);
    if (waitMs === 0) return;
    // The body is not stored: a flood of requests must not fill the storage, and the sender will retry.
    await recordDrop({ why: "rate_limited" }, endpoint, deps);
    requests.inc({ outcome: "rate_limited" });
    throw ingestProblem("ingress_rate_limited", {
      headers: { "retry-after": String(Math.ceil(waitMs / 1000)) },
    });
  }

  async function json(request: FastifyRequest): Promise<void> {
    const endpoint = known(endpoints, request);
    const bytes = bytesOf(request);
    const payloadRef = await keptBody(bytes, endpoint, deps, request.log);
    const read = jsonOf(bytes);
    if ("error" in read) {
      await recordMalformed({ endpoint, payloadRef });
      throw problem("invalid_json", { detail: `The body is not JSON in UTF-8: ${read.error}` });
    }
    admissions.set(request, { endpoint, payloadRef, body: read.value });
  }

  async function refuseTooLarge(endpoint: Endpoint, bytes: number, payloadRef?: string): Promise<never> {
    const details = { payload_bytes: bytes, max_payload_bytes: endpoint.maxPayloadBytes };
    await recordDrop({ why: "payload_rejected", details, payloadRef }, endpoint, deps);
    requests.inc({ outcome: "too_large" });
    throw ingestProblem("ingress_payload_rejected", {
      detail: `The body is ${bytes} bytes, the endpoint takes ${endpoint.maxPayloadBytes}. Send media as links rather than inline.`,
    });
  }

  async function recordMalformed({ endpoint, payloadRef }: Omit<Admitted, "body">): Promise<void> {
    await recordDrop({ why: "malformed", payloadRef }, endpoint, deps);
    requests.inc({ outcome: "malformed" });
  }

  return {
    /** For the declaration of the route. */
    hooks: {
      bodyLimit: door.verify ? unknownSenderBytes : hardLimitBytes,
      // The handler validates the body itself, after the guards.
      validatorCompiler: () => (value: unknown) => ({ value }),
      onRequest: secret,
      preParsing: announcedSize,
      preHandler: [signature, size, rate, json],
    },
    admitted: (request: FastifyRequest): Admitted => known(admissions, request),
    /** Refuses a body that does not have the route's shape. */
    async refuseMalformed(request: FastifyRequest, details: ProblemDetails): Promise<never> {
      await recordMalformed(known(admissions, request));
      throw problem("invalid_request", details);
    },
    count: (outcome: string) => requests.inc({ outcome }),
  };
}

/** Routes of this scope get their bodies as bytes. */
export function readBytes(scope: App): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: hardLimitBytes }, (_request, body, done) =>
    done(null, body),
  );
}

function known<Value>(values: WeakMap<FastifyRequest, Value>, request: FastifyRequest): Value {
  const value = values.get(request);
  if (!value) throw new Error("the request did not pass the guards before this one");
  return value;
}

function bytesOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function isOver(bytes: number, { maxPayloadBytes }: Endpoint): boolean {
  return maxPayloadBytes > 0 && bytes > maxPayloadBytes;
}

function jsonOf(bytes: Buffer): { value: unknown } | { error: string } {
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : "unreadable" };
  }
}

/** How long the sender has to wait for the endpoint's rate; zero if the request may pass. */
async function waitForRate(endpoint: Endpoint, { sql, clock }: GuardDeps): Promise<number> {
  const [row] = await sql<[{ wait_ms: number }]>`
    select extract(epoch from delivery.take_ingress_token(
      ${endpoint.workspaceId}, ${endpoint.endpointId}, ${clock.now()}))::float8 * 1000 as wait_ms`;
  return row.wait_ms;
}

/** Why a request was refused: the counter of its run, and its event. */
const drops = {
  payload_rejected: "ingress_payload_rejected",
  rate_limited: "ingress_rate_limited",
  malformed: "ingress_payload_rejected",
} as const;

interface Drop {
  readonly why: keyof typeof drops;
  readonly details?: Readonly<Record<string, string | number>>;
  readonly payloadRef?: string | undefined;
}

/** Records a request that was refused before it became a post. */
async function recordDrop(
  { why, details = {}, payloadRef }: Drop,
  endpoint: Endpoint,
  { sql, clock }: GuardDeps,
): Promise<void> {
  // A malformed body gets an event only if it is stored: then the event links to it.
  const action = why === "malformed" && !payloadRef ? null : drops[why];
  await sql`
    select delivery.record_ingress_drop(
      ${endpoint.workspaceId}, ${endpoint.endpointId}, ${uuidv7(clock)}, ${why}, ${action},
      ${sql.json(why === "malformed" ? { ...details, reason: "malformed" } : details)}, ${payloadRef ?? null}, ${clock.now()})`;
}
