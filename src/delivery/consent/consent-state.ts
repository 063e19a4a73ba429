import type { Vault } from "../../kernel/crypto/index.ts";

/**
 * The `state` of OAuth, which the browser carries to the provider and back: for whom access is requested, in which exchange,
 * and until when.
 */
export interface ConsentState {
  readonly userId: string;
  readonly nonce: string;
  /** Distinguishes visits of the same link: each state can be used once. */
  readonly visit: string;
  readonly expiresAt: Date;
}

export type StateRead =
  | { readonly kind: "good"; readonly state: ConsentState }
  /** Not made by us, or not for this platform. */
  | { readonly kind: "forged" }
  | { readonly kind: "expired"; readonly state: ConsentState };

const purposeOf = (platform: string) => `consent ${platform}`;

/** `user_nonce_visit_expiry_signature`; the signature is HMAC-SHA256 over the rest. */
export function writeState(
  vault: Pick<Vault, "sign">,
  platform: string,
  { userId, nonce, visit, expiresAt }: ConsentState,
): string {
  const said = `${userId}_${nonce}_${visit}_${expiresAt.getTime()}`;
  return `${said}_${vault.sign(said, purposeOf(platform))}`;
}

export function readState(
  vault: Pick<Vault, "isSigned">,
  platform: string,
  text: string,
  now: Date,
): StateRead {
  const [, said = "", userId = "", nonce = "", visit = "", expiry = "", signature = ""] =
    /^((.{1,200})_([0-9a-f]{32})_([0-9a-f]{16})_(\d{1,15}))_([0-9a-f]{64})$/s.exec(text) ?? [];
  if (said === "" || !vault.isSigned(said, signature, purposeOf(platform))) return { kind: "forged" };
  const state = { userId, nonce, visit, expiresAt: new Date(Number(expiry)) };
  return state.expiresAt > now ? { kind: "good", state } : { kind: "expired", state };
}
