/** Sign-ins whose person is at the provider. Each belongs to one browser, which has a cookie, and ends with its first return. */
import { z } from "zod";
import { randomToken, sameSecret, sha256Hex } from "../../kernel/crypto/index.ts";
import type { KeyValue } from "../../kernel/kv/index.ts";
import type { Checks } from "./provider.ts";

export const pendingLifeMs = 10 * 60 * 1000;

export interface Pending {
  readonly checks: Checks;
  /** The path of the console to show afterwards. */
  readonly returnTo: string;
}

const shape = z.object({
  checks: z.object({ state: z.string(), nonce: z.string(), verifier: z.string() }),
  returnTo: z.string(),
  browser: z.string(),
});

/** Returns the secret for the cookie of this browser. */
export async function keepPending(keyValue: KeyValue, pending: Pending): Promise<string> {
  const browser = randomToken();
  const kept = JSON.stringify({ ...pending, browser: sha256Hex(browser) });
  await keyValue.set(keyOf(pending.checks.state), kept, { ttlMs: pendingLifeMs });
  return browser;
}

/** Undefined if there is none for this state, or another browser began it. Of several concurrent calls one gets it. */
export async function takePending(
  keyValue: KeyValue,
  { state, browser }: { state: string; browser: string },
): Promise<Pending | undefined> {
  const key = keyOf(state);
  const kept = await keyValue.get(key);
  if (kept === undefined) return undefined;
  const pending = shape.parse(JSON.parse(kept));
  if (!sameSecret(sha256Hex(browser), pending.browser)) return undefined;
  return (await keyValue.delete(key)) ? pending : undefined;
}

function keyOf(state: string): string {
  return `oidc:${sha256Hex(state)}`;
}
