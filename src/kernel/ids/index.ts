import { randomUUID } from "node:crypto";
import type { Clock } from "../clock/index.ts";
import { systemClock } from "../clock/index.ts";

/** Makes ids; tests may pass a predictable source. */
export type NewId = () => string;

/** UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, then random bits, so that ids sort by creation time. */
export function uuidv7(clock: Clock = systemClock): string {
  // Node buffers random bytes for randomUUID, which makes it ten times faster than randomBytes(16).
  const random = randomUUID();
  const time = clock.now().getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuidShape.test(text);
}

export { fewestDigits, idRange, shortIds } from "./short.ts";
