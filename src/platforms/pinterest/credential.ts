import { z } from "zod";
import type { Credential } from "../contract.ts";
import type { CredentialDefinition } from "../definition.ts";

const token = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{8,2000}$/, "is 8 to 2000 printable characters without spaces");
const moment = z.iso.datetime({ offset: true, error: "is a time such as 2026-12-17T10:00:00Z" });

/** An access token for thirty days, and the refresh token for the next one. The browser consent fills all fields. */
export const credential = {
  fields: {
    access_token: { about: "The access token, pina_…", schema: token },
    refresh_token: { about: "The refresh token, pinr_…, good for one renewal", schema: token },
    expires_at: { about: "When the access token ends", schema: moment, open: true },
    refresh_expires_at: {
      about: "When the refresh token ends",
      schema: moment,
      optional: true,
      open: true,
    },
    scope: {
      about: "What the account's owner allowed, parted by blanks",
      schema: z.string().max(1_000),
      optional: true,
      open: true,
    },
  },
  expiresAt: ({ expires_at }) => (expires_at === undefined ? undefined : new Date(expires_at)),
  refreshAheadMs: 24 * 3_600_000,
} satisfies CredentialDefinition;

/** The permissions requested from Pinterest. Secret boards are not requested. */
export const scopes = [
  "boards:read",
  "boards:write",
  "pins:read",
  "pins:write",
  "user_accounts:read",
] as const;

/** Whether the owner granted the scope, as far as the credential tells. */
export function mayAsk({ scope }: Credential, wanted: (typeof scopes)[number]): boolean {
  return scope === undefined || scope.split(/[\s,]+/).includes(wanted);
}
