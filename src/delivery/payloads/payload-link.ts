import { z } from "zod";
import { type Vault, VaultError } from "../../kernel/crypto/index.ts";

/** Who reads a raw payload: an id, because names can be chosen. */
export const payloadReader = z.object({ kind: z.string(), id: z.string() });

export type PayloadReader = z.infer<typeof payloadReader>;

/** What a link allows: to read one payload, on behalf of one caller and for one reason, until a given time. */
const linkGrant = z.object({
  /** The vault encrypts other things too; none of them may be accepted as a link. */
  purpose: z.literal("payload-link"),
  workspaceId: z.uuid(),
  ref: z.uuid(),
  expiresAt: z.iso.datetime().transform((text) => new Date(text)),
  caller: payloadReader,
  reason: z.string(),
});

export type LinkGrant = Omit<z.infer<typeof linkGrant>, "purpose">;

const place = "payload-link";

/** The grant as a token: encrypted, because it is part of an address, and signed, like everything the vault encrypts. */
export function sealLink(grant: LinkGrant, vault: Vault): string {
  return vault.encrypt(JSON.stringify({ purpose: "payload-link", ...grant }), place);
}

/** Reads the grant from a token that we made and that has not expired. */
export function openLink(token: string, vault: Vault, now: Date): LinkGrant | undefined {
  const grant = linkGrant.safeParse(unsealed(token, vault));
  return grant.success && grant.data.expiresAt > now ? grant.data : undefined;
}

function unsealed(token: string, vault: Vault): unknown {
  try {
    return JSON.parse(vault.decrypt(token, place));
  } catch (error) {
    if (error instanceof VaultError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
