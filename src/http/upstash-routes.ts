/** Endpoints that only QStash may call. Whoever cannot sign is refused, and soon not even heard. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../kernel/clock/index.ts";
import type { KeyValue } from "../kernel/kv/index.ts";
import type { App } from "./app.ts";
import { problem } from "./problems/index.ts";
import { readUpstashSignature } from "./upstash-signature.ts";

export interface UpstashDeps {
  readonly keyValue: KeyValue;
  readonly clock: Clock;
  /** Signatures name the whole address, as it is seen from outside. */
  readonly publicUrl: string;
  /** The current signing key and the next one. */
  readonly signingKeys: readonly (string | undefined)[];
}

/** A call that QStash has signed. */
export interface JobCall {
  /** Undefined if the body is not JSON. */
  readonly body: unknown;
  /** The same for all retries and repetitions of a message. */
  readonly messageId: string;
}

type Handle = (call: JobCall, reply: FastifyReply) => Promise<unknown>;

/** Requests without a valid signature that an address may make in a minute. Signed ones are not counted. */
const unsignedPerMinute = 100;
const bodyLimit = 64 * 1024;

/** Adds `POST` routes by path. QStash repeats whatever is not answered with 2xx. */
export function upstashRoutes(
  app: App,
  deps: UpstashDeps,
  handlers: Readonly<Record<`/${string}`, Handle>>,
): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit }, (_request, body, done) =>
      done(null, body),
    );
    for (const [path, handle] of Object.entries(handlers))
      scope.post(path, { schema: { hide: true } }, async (request, reply) =>
        handle(await admitted(deps, path, request), reply),
      );
  });
}

async function admitted(deps: UpstashDeps, path: string, request: FastifyRequest): Promise<JobCall> {
  const { keyValue, clock, publicUrl, signingKeys } = deps;
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const signature = headerOf(request, "upstash-signature");
  const now = clock.now();
  const use = readUpstashSignature({ signature, body, url: `${publicUrl}${path}` }, signingKeys, now);
  if (!use) throw await refused(deps, request.ip, "The request is not signed by QStash.");
  const ttlMs = Math.max(1, Math.ceil(use.validUntil.getTime() - now.getTime()));
  if (!(await keyValue.setIfAbsent(`qstash:jti:${use.jti}`, "used", { ttlMs })))
    throw await refused(deps, request.ip, "The signature was used before.");
  const given = headerOf(request, "upstash-message-id") ?? "";
  return { body: jsonOf(body), messageId: /^[\w.-]{1,200}$/.test(given) ? given : use.jti };
}

async function refused({ keyValue }: UpstashDeps, ip: string, detail: string): Promise<Error> {
  const count = await keyValue.increment(`qstash:unsigned:${ip}`, 1, { ttlMs: 60_000 });
  if (count <= unsignedPerMinute) return problem("signature_invalid", { detail });
  return problem("too_many_unsigned", { headers: { "retry-after": "60" } });
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    // Whoever reads it refuses it by its shape.
    return undefined;
  }
}
