import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import { isFromThisMachine, isWithinAll, type Reach, reachShape } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import { publishedHashes, sha256Hex } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { gather } from "../../kernel/gather/index.ts";
import { ingestProblem } from "./problems.ts";

/** The endpoint of a request; it alone determines the workspace. */
export interface Endpoint {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly maxPayloadBytes: number;
  /** Bodies are stored as they came, so that people can find out what a sender really sends. */
  readonly keepsBodies: boolean;
  /** Whether its requests are counted at all. */
  readonly hasRate: boolean;
  /** From which requests are taken; empty: from everywhere. */
  readonly networks: readonly string[];
}

/** Kinds of endpoints that are opened by a secret, and the headers that may carry it; providers of bots have their own. */
const secretHeaders = {
  webhook_push: ["x-molva-secret"],
  bot_webhook: ["x-max-bot-api-secret", "x-telegram-bot-api-secret-token", "x-molva-secret"],
} as const;
export type DoorKind = keyof typeof secretHeaders;

export type FindEndpoint = (request: FastifyRequest) => Promise<Endpoint>;

/** How requests of a route say whose they are. */
export interface Door {
  /** Finds the endpoint by the headers; throws if there is none. */
  readonly find: FindEndpoint;
  /** Checks the body's signature; until then nothing is written for the request. */
  readonly verify?: (request: FastifyRequest, body: Buffer) => Promise<void>;
}

/**
 * Resolves endpoints by the hash of their secret and by nothing else of the request; concurrent look-ups share one query.
 * Published secrets are refused, whatever the database says, unless the server is a demo and the request comes from the same
 * machine.
 */
export function endpointFinder(
  { sql, clock, takesPublishedSecrets = false }: FinderDeps,
  kind: DoorKind,
): FindEndpoint {
  const find = gather(async (hashes: readonly string[]) => {
    const rows = await sql<(Endpoint & { hash: string; isOld: boolean; reach: unknown })[]>`
      select h.hash, e.secret_hash <> h.hash as "isOld", ${endpointColumns(sql)},
        case when given.secret_by_token is not null then molva.token_reach(given.secret_by_token, ${clock.now()}) end as reach
      from unnest(${[...new Set(hashes)]}::text[]) as h (hash)
      cross join lateral delivery.find_endpoint(${kind}, h.hash, ${clock.now()}) e
      join delivery.workspace_endpoints given
        on given.kind = ${kind} and given.secret_hash = h.hash and given.enabled
      where e.workspace_id is not null`;
    for (const { hash } of rows.filter(({ isOld }) => isOld))
      await sql`select delivery.note_old_secret(${kind}, ${hash}, null, ${clock.now()})`;
    const known = new Map(
      rows.map(({ hash, isOld: _, reach, ...endpoint }) => [
        hash,
        { endpoint, reach: reachShape.parse(reach) ?? [] },
      ]),
    );
    return hashes.map((hash) => known.get(hash) ?? null);
  });
  return async (request) => {
    const secret = secretOf(request.headers, kind);
    if (!secret) throw ingestProblem("missing_endpoint_secret");
    const hash = sha256Hex(secret);
    if (publishedHashes.has(hash) && !(takesPublishedSecrets && isFromThisMachine(request)))
      throw ingestProblem("endpoint_auth_failed", { detail: publishedRefusal });
    const found = await find(hash);
    if (!found) throw ingestProblem("endpoint_auth_failed");
    refuseNetwork(found.endpoint, found.reach, request);
    return found.endpoint;
  };
}

/** Throws if the endpoint, or the token that its secret was made with, takes nothing from the address of the request. */
export function refuseNetwork({ networks }: Endpoint, reach: Reach, { ip }: FastifyRequest): void {
  if (!isWithinAll([networks, ...reach], ip)) throw ingestProblem("ingress_network_refused");
}

interface FinderDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly takesPublishedSecrets?: boolean;
}

/** The fields of `Endpoint`, of a row `e`. */
export function endpointColumns(sql: Sql) {
  return sql`e.workspace_id as "workspaceId", e.endpoint_id as "endpointId", e.max_payload_bytes as "maxPayloadBytes",
    e.ingress_rps > 0 as "hasRate", coalesce(e.meta -> 'keep_bodies' = 'true', false) as "keepsBodies", e.networks`;
}

const publishedRefusal =
  "Anybody can read this secret in Molva's documents, so it opens only a demo on the machine it runs on. " +
  "Make another: `molva endpoint rotate`, or Endpoints in the console.";

function secretOf(headers: IncomingHttpHeaders, kind: DoorKind): string | undefined {
  const named = secretHeaders[kind].map((name) => headers[name]);
  const bearer = headers.authorization?.match(/^Bearer\s+(\S.*)$/i)?.[1];
  return [...named, bearer]
    .map((value) => (Array.isArray(value) ? value[0] : value)?.trim())
    .find((value) => value);
}
