import { sha256Hex } from "./digest.ts";

/**
 * Secrets that are printed in these sources and documents, so anybody may know them. They are accepted only in a demo on
 * loopback. A secret stays in this list after a release stops using it: older databases still hold it.
 */
const published: readonly string[] = [
  "molva-demo-secret",
  "molva-demo-shop-webhook-secret",
  "molva-demo-advisor-token",
  "molva-demo-max-token",
  "vk1.a.molva-demo-vk-token",
  "pina_molva-demo-pinterest-token",
  "pinr_molva-demo-pinterest-token",
  "molva-demo-pinterest-app-secret",
  "molva-demo-shop-token",
  `7000000001:${"D".repeat(35)}`,
  `7000000003:${"H".repeat(35)}`,
  `7000000004:${"S".repeat(35)}`,
  `7000000077:${"T".repeat(35)}`,
  "7000000101:molva-demo-token-for-your-own-bot-1",
  "7000000102:molva-demo-token-for-your-own-bot-2",
  "molva-demo-token-for-your-own-shop",
  "molva-demo-token-for-your-own-wall",
  "molva-demo-token-for-your-own-editor",
  "sk-or-v1-molva-demo-0000000000000000",
  "sk-molva-demo-0000000000000000",
  // Fernet keys: all zeros, and the one of the test vectors of its specification.
  `${"A".repeat(43)}=`,
  "cw_0x689RpI-jtRR7oE8h_eQsKImvJapLeSbXpwF4e4=",
];

/** SHA-256 in hex, the form in which endpoints store their secrets. */
export const publishedHashes: ReadonlySet<string> = new Set(published.map((secret) => sha256Hex(secret)));

export function isPublished(secret: string): boolean {
  return publishedHashes.has(sha256Hex(secret));
}
