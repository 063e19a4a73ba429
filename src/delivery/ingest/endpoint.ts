import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import { isFromThisMachine } from "../../http/index.ts";
import { publishedHashes, sha256Hex } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { gather } from "../../kernel/gather/index.ts";
import { ingestProblem } from "./problems.ts";

/** The door a request came through; it alone decides the tenant. */
export interface Endpoint {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly maxPayloadBytes: number;
  /** Bodies are kept as they came, for whoever has to find out what a sender really sends. */
  readonly keepsBodies: boolean;
  /** Whether its requests are counted at all. */
  readonly hasRate?: boolean;
}

/** Doors that are opened by a secret, and the headers in which it may come; bots' providers have their own. */
const secretHeaders = {
  webhook_push: ["x-molva-secret"],
  bot_webhook: ["x-max-bot-api-secret", "x-telegram-bot-api-secret-token", "x-molva-secret"],
} as const;
export type DoorKind = keyof typeof secretHeaders;

export type FindEndpoint = (request: FastifyRequest) => Promise<Endpoint>;

/**
 * Resolves endpoints by the hash of their secret, and by nothing else of the request; many at once in one question.
 * Published secrets open nothing, whatever the database says, unless the server is a demo and the request comes from its machine.
 */
export function endpointFinder(
  sql: Sql,
  kind: DoorKind,
  { takesPublishedSecrets = false }: { takesPublishedSecrets?: boolean } = {},
): FindEndpoint {
  const find = gather(async (hashes: readonly string[]) => {
    const rows = await sql<FoundEndpoint[]>`
      select h.hash, e.workspace_id, e.endpoint_id, e.max_payload_bytes, e.ingress_rps > 0 as has_rate,
        coalesce(e.meta -> 'keep_bodies' = 'true', false) as keeps_bodies
      from unnest(${[...new Set(hashes)]}::text[]) as h (hash)
      cross join lateral delivery.find_endpoint(${kind}, h.hash) e
      where e.workspace_id is not null`;
    const known = new Map(rows.map((row) => [row.hash, endpointOf(row)]));
    return hashes.map((hash) => known.get(hash) ?? null);
  });
  return async (request) => {
    const secret = secretOf(request.headers, kind);
    if (!secret) throw ingestProblem("missing_endpoint_secret");
    const hash = sha256Hex(secret);
    if (publishedHashes.has(hash) && !(takesPublishedSecrets && isFromThisMachine(request)))
      throw ingestProblem("endpoint_auth_failed", { detail: publishedRefusal });
    const endpoint = await find(hash);
    if (!endpoint) throw ingestProblem("endpoint_auth_failed");
    return endpoint;
  };
}

const publishedRefusal =
  "Anybody can read this secret in Molva's documents, so it opens only a demo on the machine it runs on. " +
  "Make another: `molva endpoint rotate`, or Endpoints in the console.";

interface FoundEndpoint {
  readonly hash: string;
  readonly workspace_id: string;
  readonly endpoint_id: string;
  readonly max_payload_bytes: number;
  readonly has_rate: boolean;
  readonly keeps_bodies: boolean;
}

function endpointOf(row: FoundEndpoint): Endpoint {
  return {
    workspaceId: row.workspace_id,
    endpointId: row.endpoint_id,
    maxPayloadBytes: row.max_payload_bytes,
    hasRate: row.has_rate,
    keepsBodies: row.keeps_bodies,
  };
}

function secretOf(headers: IncomingHttpHeaders, kind: DoorKind): string | undefined {
  const named = secretHeaders[kind].map((name) => headers[name]);
  const bearer = headers.authorization?.match(/^Bearer\s+(\S.*)$/i)?.[1];
  return [...named, bearer]
    .map((value) => (Array.isArray(value) ? value[0] : value)?.trim())
    .find((value) => value);
}
