import type { FastifyRequest } from "fastify";
import { sha256Hex } from "../../kernel/crypto/index.ts";
import { isUuid } from "../../kernel/ids/index.ts";
import { Refusal } from "../door/refusal.ts";

/** The id under which a request is answered once: of the body, of the header, or the same in both. */
export function requestIdOf(request: FastifyRequest, inBody?: string | null): string {
  const header = [request.headers["x-request-id"]].flat()[0];
  const given = inBody ?? header;
  if (!given)
    throw new Refusal(
      "bad_request",
      "missing_x_request_id",
      "Send a UUID as request_id or as the header X-Request-Id.",
    );
  if (!isUuid(given))
    throw new Refusal("bad_request", "invalid_x_request_id", `"${given.slice(0, 60)}" is not a UUID.`);
  if (inBody && header && inBody.toLowerCase() !== header.toLowerCase())
    throw new Refusal("bad_request", "request_id_mismatch", "request_id and the header X-Request-Id differ.");
  return given.toLowerCase();
}

/** Tells two payloads apart whatever the order of their keys. */
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
