import type { IncomingHttpHeaders } from "node:http";
import { sha256Hex } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
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

/** Resolves the endpoint by the hash of its secret, and by nothing else of the request. */
export async function endpointOf(sql: Sql, headers: IncomingHttpHeaders, kind: DoorKind): Promise<Endpoint> {
  const secret = secretOf(headers, kind);
  if (!secret) throw ingestProblem("missing_endpoint_secret");
  const [row] = await sql<FoundEndpoint[]>`
    select workspace_id, endpoint_id, max_payload_bytes, ingress_rps > 0 as has_rate,
      coalesce(meta -> 'keep_bodies' = 'true', false) as keeps_bodies
    from delivery.find_endpoint(${kind}, ${sha256Hex(secret)})`;
  if (!row?.workspace_id) throw ingestProblem("endpoint_auth_failed");
  return {
    workspaceId: row.workspace_id,
    endpointId: row.endpoint_id,
    maxPayloadBytes: row.max_payload_bytes,
    hasRate: row.has_rate,
    keepsBodies: row.keeps_bodies,
  };
}

interface FoundEndpoint {
  readonly workspace_id: string | null;
  readonly endpoint_id: string;
  readonly max_payload_bytes: number;
  readonly has_rate: boolean;
  readonly keeps_bodies: boolean;
}

function secretOf(headers: IncomingHttpHeaders, kind: DoorKind): string | undefined {
  const named = secretHeaders[kind].map((name) => headers[name]);
  const bearer = headers.authorization?.match(/^Bearer\s+(.+)$/i)?.[1];
  return [...named, bearer]
    .map((value) => (Array.isArray(value) ? value[0] : value)?.trim())
    .find((value) => value);
}
