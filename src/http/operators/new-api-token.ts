import { randomBytes } from "node:crypto";

const prefix = "mlv_";
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretBytes = 32;
/** As many digits as the largest 256-bit number has. */
const length = 43;

/** The prefix lets secret scanners find a leaked token; letters and digits alone survive a double click. */
export function newApiToken(): string {
  let rest = BigInt(`0x${randomBytes(secretBytes).toString("hex")}`);
  let digits = "";
  while (digits.length < length) {
    digits = base62.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return prefix + digits;
}
