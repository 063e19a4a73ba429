/** The exchange of a service account's signed statement for an access token. */
import { createPublicKey, randomBytes, verify } from "node:crypto";
import { z } from "zod";
import type { Answer } from "../shared/index.ts";
import { demoPublicKey } from "./demo-key.ts";

const email = "molva@demo.iam.gserviceaccount.com";
const grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const scopes = [
  "https://www.googleapis.com/auth/webmasters.readonly",
  "https://www.googleapis.com/auth/webmasters",
];
const longestSeconds = 3_600;

const claims = z.object({
  iss: z.string(),
  scope: z.string(),
  aud: z.string(),
  iat: z.int(),
  exp: z.int(),
});

export interface Exchanged extends Answer {
  readonly token?: { token: string; until: number };
}

export function exchange(form: string, now: number, audience: string): Exchanged {
  const given = new URLSearchParams(form);
  if (given.get("grant_type") !== grantType) return refused("unsupported_grant_type", "Invalid grant_type");
  const [head = "", body = "", signature = ""] = (given.get("assertion") ?? "").split(".");
  const read = claims.safeParse(parsed(body));
  if (z.object({ alg: z.literal("RS256") }).safeParse(parsed(head)).success === false || !read.success)
    return refused("invalid_grant", "Invalid JWT: Failed audience check or malformed token.");
  const { iss, scope, aud, iat, exp } = read.data;
  if (iss !== email) return refused("invalid_grant", "Invalid grant: account not found");
  const key = createPublicKey({ key: Buffer.from(demoPublicKey, "base64"), format: "der", type: "spki" });
  if (!verify("RSA-SHA256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url")))
    return refused("invalid_grant", "Invalid JWT Signature.");
  if (aud !== audience) return refused("invalid_grant", "Invalid JWT: Failed audience check.");
  const at = now / 1_000;
  // Clocks may differ by a few minutes.
  if (exp <= at || iat > at + 300 || exp - iat > longestSeconds)
    return refused(
      "invalid_grant",
      "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.",
    );
  if (!scope.split(" ").some((each) => scopes.includes(each)))
    return refused("invalid_scope", "Invalid OAuth scope or ID token audience provided.");
  const token = `ya29.c.molva-${randomBytes(12).toString("hex")}`;
  return {
    status: 200,
    body: { access_token: token, expires_in: longestSeconds - 1, token_type: "Bearer" },
    token: { token, until: now + longestSeconds * 1_000 },
  };
}

function refused(error: string, description: string): Exchanged {
  return { status: 400, body: { error, error_description: description } };
}

function parsed(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString());
  } catch {
    return undefined;
  }
}
