import { sha256Hex } from "../../kernel/crypto/index.ts";

/**
 * A marker in the page that identifies its delivery. It is a comment, because WordPress silently drops unknown meta.
 */
export function markerOf(idempotencyKey: string): string {
  // A comment may not contain two dashes in a row.
  const plain = /^[a-z0-9]+(?:-[a-z0-9]+)*$/i.test(idempotencyKey);
  return `<!-- molva ${plain ? idempotencyKey : sha256Hex(idempotencyKey).slice(0, 32)} -->`;
}

/** The marker in a page. */
export function markerIn(content: string): string | undefined {
  return /<!-- molva [a-z0-9-]+ -->/i.exec(content)?.[0];
}
