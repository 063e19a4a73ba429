import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Credentials } from "../../workspaces/index.ts";
import {
  isSignedWith,
  readSignatureHeaders,
  type SignatureHeaders,
} from "../signatures/standard-webhooks.ts";
import { type Door, type Endpoint, endpointColumns, refuseNetwork } from "./endpoint.ts";
import { ingestProblem } from "./problems.ts";

export interface SignedDoorDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly credentials: Pick<Credentials, "token">;
}

export const signedParams = z.object({
  address: z.uuid().describe("`address` of the endpoint, which stays the same when its secrets are rotated"),
});

const secretsShape = z.array(
  z.object({ endpoint_id: z.string(), signing_ref: z.string(), reach: z.array(z.array(z.string())) }),
);
type SigningSecret = z.infer<typeof secretsShape>[number];

interface Pending {
  readonly endpoint: Endpoint;
  readonly headers: SignatureHeaders;
  readonly secrets: readonly SigningSecret[];
}

/**
 * Requests that are signed as Standard Webhooks asks. The path names the endpoint, and whoever has its secret has signed the
 * body: both are checked before anything is written. An unknown address is answered as a wrong signature is.
 */
export function signedDoor({ sql, clock, credentials }: SignedDoorDeps): Door {
  const pending = new WeakMap<FastifyRequest, Pending>();

  async function find(request: FastifyRequest): Promise<Endpoint> {
    const read = readSignatureHeaders(request.headers, clock.now());
    if (!read.ok) throw refusals[read.why]();
    const address = signedParams.safeParse(request.params);
    const found = address.success ? await endpointAt(address.data.address) : undefined;
    if (!found) throw wrongSignature();
    pending.set(request, { ...found, headers: read.headers });
    return found.endpoint;
  }

  async function endpointAt(address: string): Promise<Omit<Pending, "headers"> | undefined> {
    const [row] = await sql<(Endpoint & { secrets: unknown })[]>`
      select ${endpointColumns(sql)}, f.secrets
      from delivery.find_signed_endpoint(${address}, ${clock.now()}) f
      cross join lateral (select (f.endpoint).*) e`;
    if (!row) return undefined;
    const { secrets, ...endpoint } = row;
    return { endpoint, secrets: secretsShape.parse(secrets ?? []) };
  }

  async function verify(request: FastifyRequest, body: Buffer): Promise<void> {
    const asked = pending.get(request);
    const signer = asked && (await signerOf(asked, body.toString("utf8")));
    if (!asked || !signer) throw wrongSignature();
    refuseNetwork(asked.endpoint, signer.reach, request);
    if (signer.endpoint_id !== asked.endpoint.endpointId)
      await sql`select delivery.note_old_secret('webhook_push', null, ${signer.endpoint_id}, ${clock.now()})`;
  }

  async function signerOf({ endpoint, headers, secrets }: Pending, body: string) {
    for (const signer of secrets) {
      const secret = await credentials.token(endpoint.workspaceId, signer.signing_ref);
      if (secret && isSignedWith(secret, headers, body)) return signer;
    }
    return undefined;
  }

  return { find, verify };
}

/** The id by which a signed request is recognised when it comes again. */
export function webhookIdOf({ headers }: FastifyRequest): string | undefined {
  const id = headers["webhook-id"];
  return typeof id === "string" ? id : undefined;
}

const wrongSignature = () => ingestProblem("webhook_signature_refused");

const refusals = {
  missing: () => ingestProblem("webhook_signature_missing"),
  malformed: () =>
    ingestProblem("webhook_signature_refused", {
      detail:
        "webhook-id, webhook-timestamp (seconds) or webhook-signature is not in the form of Standard Webhooks.",
    }),
  too_old: () => ingestProblem("webhook_timestamp_refused", { detail: "webhook-timestamp is too long ago." }),
  too_new: () =>
    ingestProblem("webhook_timestamp_refused", { detail: "webhook-timestamp lies in the future." }),
};
