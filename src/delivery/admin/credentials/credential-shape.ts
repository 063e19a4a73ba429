import { z } from "zod";
import { platformDefinitions } from "../../../platforms/index.ts";
import { providerToken, reason } from "../../../workspaces/index.ts";

/** A credential as operators see it: that it exists, never its value. */
export const credentialSchema = z
  .object({
    platform: z.string(),
    auth_ref: z.string(),
    kept_in: z
      .enum(["vault", "env"])
      .describe("vault: encrypted in the database; env: in the server's environment"),
    channels: z.int(),
    stopped_channels: z
      .int()
      .describe(
        "How many of them stand still because they refused posts: paused or disabled, and by nobody else",
      ),
    rotated_at: z.date().nullable(),
    updated_at: z.date(),
  })
  .meta({ id: "Credential" });
export type Credential = z.infer<typeof credentialSchema>;

export const setCredentialSchema = credentialSchema
  .extend({ resumed_channels: z.int().describe("How many stood still and go on") })
  .meta({ id: "StoredCredential" });

export const newSecret = z.strictObject({
  token: providerToken.optional().describe("For platforms that know an account by its token alone"),
  fields: z
    .record(z.string(), z.string().max(10_000))
    .optional()
    .describe(`For every platform. ${fieldsInWords()}`),
  resume: z
    .boolean()
    .default(false)
    .describe("Let the channels go on that stand still because they refused posts"),
  reason: reason.optional(),
});

/** For example `telegram: token; max: token`. */
export function fieldsInWords(): string {
  return platformDefinitions
    .map(({ name, credential: { fields } }) => {
      const named = Object.entries(fields).map(([field, { optional }]) => (optional ? `${field}?` : field));
      return `${name}: ${named.join(", ")}`;
    })
    .join("; ");
}
