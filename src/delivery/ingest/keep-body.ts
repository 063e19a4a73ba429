import type { FastifyBaseLogger } from "fastify";
import type { PayloadStore } from "../payloads/payload-store.ts";
import type { Endpoint } from "./endpoint.ts";

export interface BodyKeeping {
  readonly payloads: Pick<PayloadStore, "save">;
}

/** Larger bodies are not kept: what an endpoint refuses for its size must not fill the storage instead. */
export const largestKeptBytes = 1024 * 1024;

/** Keeps a body as it came, when its endpoint does; the answer is its `payload_ref`. */
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
    // A copy for people to look at; a post is not refused for the want of it.
    log.error({ err: error, endpoint_id: endpointId }, "the body of a request could not be kept");
    return undefined;
  }
}
