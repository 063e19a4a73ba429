import { randomBytes } from "node:crypto";
import { z } from "zod";
import { signingPrefix } from "./standard-webhooks.ts";

/** The convention asks for 24 to 64 random bytes. */
const bytes = { made: 32, least: 24, most: 64 } as const;

export function newSigningSecret(): string {
  return `${signingPrefix}${randomBytes(bytes.made).toString("base64")}`;
}

export const signingSecret = z
  .string()
  .refine(isSigningSecret, `whsec_ and ${bytes.least} to ${bytes.most} random bytes in base64`)
  .describe("A secret of your own; without it one is made");

function isSigningSecret(text: string): boolean {
  const encoded = text.startsWith(signingPrefix) ? text.slice(signingPrefix.length) : "";
  const key = Buffer.from(encoded, "base64");
  return key.toString("base64") === encoded && key.length >= bytes.least && key.length <= bytes.most;
}

/** How long the secret before a rotation still works. */
export const overlap = { usualSeconds: 24 * 3600, mostSeconds: 30 * 24 * 3600 } as const;

export const overlapSeconds = z
  .int()
  .min(0)
  .max(overlap.mostSeconds)
  .optional()
  .describe(
    "How long the old secret still works; 0: it ends at once, as after a leak. 24 hours unless given",
  );
