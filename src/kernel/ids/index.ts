import { randomBytes } from "node:crypto";
import type { Clock } from "../clock/index.ts";
import { systemClock } from "../clock/index.ts";

/** Where identifiers come from; tests may hand in a predictable source. */
export type NewId = () => string;

/** UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, then random bits, so that ids sort by birth. */
export function uuidv7(clock: Clock = systemClock): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(clock.now().getTime(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuidShape.test(text);
}
