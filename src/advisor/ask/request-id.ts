import type { FastifyRequest } from "fastify";
import { sha256Hex } from "../../kernel/crypto/index.ts";
import { isUuid } from "../../kernel/ids/index.ts";
import { badRequest } from "../v1/refusal.ts";

/** The idempotency key: from the body, the header, or equal in both. */
export function requestIdOf(request: FastifyRequest, inBody?: string | null): string {
  const header = [request.headers["x-request-id"]].flat()[0];
  const given = inBody ?? header;
  if (!given)
    throw badRequest("missing_x_request_id", "Send a UUID as request_id or as the header X-Request-Id.");
  if (!isUuid(given)) throw badRequest("invalid_x_request_id", `"${given.slice(0, 60)}" is not a UUID.`);
  if (inBody && header && inBody.toLowerCase() !== header.toLowerCase())
    throw badRequest("request_id_mismatch", "request_id and the header X-Request-Id differ.");
  return given.toLowerCase();
}

/** Independent of the order of keys. */
export function payloadHash(body: object): string {
  return sha256Hex(JSON.stringify(inOrder({ ...body, request_id: undefined })));
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, inOrder(inner)]),
  );
}
