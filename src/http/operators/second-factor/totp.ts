import { Secret, TOTP } from "otpauth";

/** RFC 6238 as every authenticator app has it; a phone's clock may be one step off either way. */
const parameters = { algorithm: "SHA1", digits: 6, period: 30 } as const;
const drift = 1;

/** 160 bits, as RFC 4226 recommends, in base32. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** What the QR code holds. Neither name may contain a colon, so the port is left out. */
export function uriOf(secret: string, login: string, publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return new TOTP({ ...parameters, secret, issuer: `Molva (${hostname})`, label: login }).toString();
}

/** The step that the code belongs to, or undefined if it is of no step near `now`. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const totp = new TOTP({ ...parameters, secret });
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: drift });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}
