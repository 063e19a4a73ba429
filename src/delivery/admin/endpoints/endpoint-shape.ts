import { z } from "zod";
import { lineOfText, networkList } from "../../../http/index.ts";
import { reason, somethingOf } from "../../../workspaces/index.ts";
import { overlapSeconds, signingSecret } from "../../signatures/signing-secret.ts";

/** Kinds of endpoints that senders call; the endpoints of pull sources are created with their sources. */
export const openedKinds = ["webhook_push", "bot_webhook"] as const;
export const endpointKinds = [...openedKinds, "pull_source"] as const;

/** What opens an endpoint. */
export const endpointModes = ["secret", "signature", "either"] as const;
const mode = z
  .enum(endpointModes)
  .describe("What opens it: its secret, a signature of Standard Webhooks over the body, or either");

/** An endpoint as operators see it: without its secret and the hash of it. */
export const endpointSchema = z
  .object({
    endpoint_id: z.uuid(),
    kind: z.enum(endpointKinds),
    name: z.string().nullable(),
    description: z.string().nullable(),
    enabled: z.boolean(),
    mode,
    address: z.uuid().describe("Signed posts go to /api/v1/ingest/{address}; a rotation keeps it"),
    has_signing_secret: z.boolean(),
    replaced_by: z.uuid().nullable().describe("The endpoint with the new secret, after a rotation"),
    ends_at: z.date().nullable().describe("Until when the secret before the rotation works"),
    last_used_at: z
      .date()
      .nullable()
      .describe("When the secret before the rotation was last used; null: not since the rotation"),
    secret_by_token: z
      .uuid()
      .nullable()
      .describe("The token that was given the secret, which works only while and from where the token does"),
    signing_by_token: z.uuid().nullable().describe("The same of the signing secret"),
    source_id: z.string().nullable().describe("The pull source this door belongs to"),
    ingress_rps: z.number(),
    max_payload_bytes: z.int(),
    hash_drop_window_sec: z.int(),
    keep_bodies: z.boolean(),
    networks: z.array(z.string()).describe("From which posts are taken; empty: from everywhere"),
    created_at: z.date(),
    updated_at: z.date(),
  })
  .meta({ id: "Endpoint" });
export type Endpoint = z.infer<typeof endpointSchema>;

export const endpointWithSecret = endpointSchema.extend({
  secret: z.string().nullable().describe("Shown here and nowhere else; null if it opens nothing"),
  signing_secret: z
    .string()
    .nullable()
    .describe("Shown here and nowhere else; null if it takes no signatures"),
});
export type EndpointWithSecret = z.infer<typeof endpointWithSecret>;

export const endpointSecret = z
  .string()
  .regex(/^[\x21-\x7e]{24,200}$/, "24 to 200 printable characters without spaces")
  .describe("A secret of your own; without it one is made");

const fields = {
  name: lineOfText({ min: 1, max: 200 }),
  description: lineOfText({ min: 0, max: 1000 }).nullable(),
  mode,
  ingress_rps: z.number().min(0).max(10_000).describe("Requests a second; 0: no limit"),
  max_payload_bytes: z.int().min(0).max(1_048_576).describe("0: no limit but the server's own"),
  hash_drop_window_sec: z
    .int()
    .min(1)
    .max(86_400)
    .describe("How long the same body counts as a repeat when it brings no source_ref"),
  keep_bodies: z
    .boolean()
    .describe("Keep each body as it came, encrypted, for as long as raw payloads are kept; up to 1 MiB each"),
  networks: networkList,
};

export const newEndpoint = z
  .strictObject(fields)
  .partial()
  .extend({
    kind: z.enum(openedKinds).optional(),
    name: fields.name,
    secret: endpointSecret.optional(),
    signing_secret: signingSecret.optional(),
    reason: reason.optional(),
  });
export type NewEndpoint = Omit<z.infer<typeof newEndpoint>, "reason">;

export const endpointChanges = somethingOf(
  z.strictObject(fields).partial().extend({ reason: reason.optional() }),
);
export type EndpointChanges = Omit<z.infer<typeof endpointChanges>, "reason">;

/** A first signing secret for an endpoint that had none. */
export const newSigning = z.strictObject({
  mode: z.enum(["signature", "either"]).optional().describe("either unless given"),
  signing_secret: signingSecret.optional(),
  reason,
});

export const rotation = z.strictObject({
  secret: endpointSecret.optional(),
  signing_secret: signingSecret.optional(),
  overlap_seconds: overlapSeconds,
  reason,
});
export type Rotation = Omit<z.infer<typeof rotation>, "reason">;

export const endpointFilter = { kind: z.enum(endpointKinds).optional() };
