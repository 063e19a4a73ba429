import type { FastifyBaseLogger } from "fastify";
import type { PayloadStore } from "../payloads/payload-store.ts";
import type { Endpoint } from "./endpoint.ts";

export interface BodyKeeping {
  readonly payloads: Pick<PayloadStore, "save">;
}

/** Larger bodies are not stored: what an endpoint refuses for its size must not fill the storage instead. */
export const largestKeptBytes = 1024 * 1024;

/** Stores a raw body if its endpoint wants that; returns its `payload_ref`. */
export async function keptBody(
  body: Buffer,
  { keepsBodies, workspaceId, endpointId }: Endpoint,
  { payloads }: BodyKeeping,
  log: FastifyBaseLogger,
): Promise<string | undefined> {
  if (!keepsBodies || body.length === 0 || body.length > largestKeptBytes) return undefined;
  try {
    return await payloads.save(workspaceId, "ingress_body", body);
  } catch (error) {
    // The copy is only for people to look at, so a post is not refused without it.
    log.error({ err: error, endpoint_id: endpointId }, "the body of a request could not be kept");
    return undefined;
  }
}
