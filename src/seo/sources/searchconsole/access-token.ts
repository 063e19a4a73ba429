/** Tokens of a service account of Google: a signed statement is exchanged for one that lives for an hour. */
import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import type { NotDone } from "../ask.ts";
import type { SourceDeps } from "../deps.ts";
import { limits } from "../limits.ts";
import { attemptOf, requestJson } from "../request.ts";
import { lineOf, numberOrNull, objectOf } from "../shapes.ts";

export interface ServiceAccount {
  readonly email: string;
  readonly key: KeyObject;
  readonly tokenUrl: string;
}

export interface AccessTokens {
  current(): Promise<{ readonly kind: "token"; readonly token: string } | NotDone>;
  /** It was refused: the next call gets another. */
  forget(): void;
}

const scope = "https://www.googleapis.com/auth/webmasters.readonly";
const grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const lifeSeconds = 3_600;
/** A token is not used in its last minute. */
const spareMs = 60_000;

const tokenAnswer = objectOf({
  access_token: lineOf(4_000),
  expires_in: numberOrNull,
  error: lineOf(100),
  error_description: lineOf(300),
});

export function createAccessTokens(account: ServiceAccount, { http, clock }: SourceDeps): AccessTokens {
  let held: { readonly token: string; readonly until: number } | undefined;
  return {
    async current() {
      const now = clock.now().getTime();
      if (held && held.until > now) return { kind: "token", token: held.token };
      const body = new URLSearchParams({ grant_type: grantType, assertion: assertionOf(account, now) });
      const answer = await requestJson(http, {
        ...{ method: "POST", url: account.tokenUrl, body: body.toString() },
        headers: { "content-type": "application/x-www-form-urlencoded" },
        ...{ timeoutMs: 15_000, maxBytes: limits.maxBytes.small },
      });
      if (answer.kind !== "answer") return answer;
      const read = tokenAnswer.parse(answer.json);
      if (answer.status !== 200 || read.access_token === "")
        return attemptOf(answer, `${read.error} ${read.error_description}`.trim());
      held = { token: read.access_token, until: now + (read.expires_in ?? 0) * 1_000 - spareMs };
      return { kind: "token", token: read.access_token };
    },
    forget() {
      held = undefined;
    },
  };
}

function assertionOf({ email, key, tokenUrl }: ServiceAccount, now: number): string {
  const at = Math.floor(now / 1_000);
  const claims = { iss: email, scope, aud: tokenUrl, iat: at, exp: at + lifeSeconds };
  const parts = [{ alg: "RS256", typ: "JWT" }, claims].map((part) => encoded(JSON.stringify(part)));
  const signed = parts.join(".");
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), key).toString("base64url")}`;
}

const encoded = (text: string) => Buffer.from(text).toString("base64url");

/** A key as Google's file has it; throws for anything else. */
export const keyFromPem = (pem: string): KeyObject => createPrivateKey(pem);
export const keyFromDer = (base64: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(base64, "base64"), format: "der", type: "pkcs8" });
