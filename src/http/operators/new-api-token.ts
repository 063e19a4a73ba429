import { randomBytes } from "node:crypto";

const prefix = "mlv_";
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretBytes = 32;
/** The number of digits of the largest 256-bit number. */
const length = 43;

/** The prefix lets secret scanners find a leaked token; with letters and digits only, a double click selects all of it. */
export function newApiToken(): string {
  let rest = BigInt(`0x${randomBytes(secretBytes).toString("hex")}`);
  let digits = "";
  while (digits.length < length) {
    digits = base62.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return prefix + digits;
}
