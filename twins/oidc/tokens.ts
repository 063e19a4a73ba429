import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type AnswerFlaw, acceptForms, answerCall, fieldsOf } from "../shared/index.ts";
import { answerOf, scripted, TokenError } from "./errors.ts";
import { type Account, type Client, type Code, lifetimes } from "./model.ts";
import type { Provider } from "./store.ts";

type Fields = Readonly<Record<string, string>>;

/** Codes for tokens at `/oidc/token`, and who a token is of at `/oidc/userinfo`. */
export async function tokenRoutes(app: FastifyInstance, provider: Provider): Promise<void> {
  acceptForms(app);
  app.post("/oidc/token", (request, reply) => {
    const fields = fieldsOf(request);
    return answerCall(provider.context, reply, {
      call: { provider: "oidc", method: "POST /token" },
      request: { grant_type: fields.grant_type },
      work: async (flaw) => {
        try {
          const body = exchange(provider, request, fields, flaw);
          return { status: 200, body, kept: "***", headers: { "cache-control": "no-store" } };
        } catch (error) {
          return answerOf(error);
        }
      },
      refusal: scripted,
    });
  });
  app.get("/oidc/userinfo", (request, reply) =>
    answerCall(provider.context, reply, {
      call: { provider: "oidc", method: "GET /userinfo" },
      request: {},
      work: async () => {
        const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
        const token = provider.world.tokens.find((each) => each.token === bearer);
        const account = provider.account(token?.sub);
        if (!token || !account || token.revoked || token.expiresAt <= provider.context.clock.now()) {
          const headers = { "www-authenticate": 'Bearer error="invalid_token"' };
          return { status: 401, body: { error: "invalid_token" }, headers };
        }
        return { status: 200, body: { sub: account.sub, ...claimsOf(account, token.scopes) } };
      },
      refusal: scripted,
    }),
  );
}

function exchange(provider: Provider, request: FastifyRequest, fields: Fields, flaw?: AnswerFlaw) {
  const client = clientOf(provider, request, fields);
  if (fields.grant_type !== "authorization_code")
    throw new TokenError("unsupported_grant_type", "grant_type must be authorization_code");
  const code = codeFor(provider, client, fields);
  const account = provider.account(code.sub);
  if (!account) throw new TokenError("invalid_grant", "The account is gone.");
  const now = provider.context.clock.now();
  const token = {
    token: provider.newKey(),
    sub: code.sub,
    scopes: code.scopes,
    expiresAt: now + lifetimes.tokenMs,
    revoked: false,
  };
  code.token = token.token;
  provider.world.tokens.push(token);
  provider.changed();
  return {
    access_token: token.token,
    token_type: "Bearer",
    expires_in: lifetimes.tokenMs / 1000,
    scope: code.scopes.join(" "),
    id_token: idToken(provider, client, code, account, flaw),
  };
}

/** By Basic or in the form, not by both (RFC 6749, section 2.3). */
function clientOf(provider: Provider, request: FastifyRequest, fields: Fields): Client {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (basic !== undefined && fields.client_secret !== undefined)
    throw new TokenError("invalid_request", "The client authenticates in two ways.");
  const [id, secret] =
    basic === undefined
      ? [fields.client_id, fields.client_secret]
      : Buffer.from(basic, "base64").toString().split(":").map(formDecoded);
  const client = provider.client(id);
  if (!client || client.client_secret !== secret)
    throw new TokenError("invalid_client", "The client or its secret is wrong.", 401);
  return client;
}

function formDecoded(text: string): string {
  return new URLSearchParams(`x=${text}`).get("x") ?? "";
}

function codeFor({ world, context, changed }: Provider, client: Client, fields: Fields): Code {
  const refuse = (why: string) => new TokenError("invalid_grant", why);
  const code = world.codes.find((each) => each.code === fields.code && each.clientId === client.client_id);
  if (!code) throw refuse("The code is unknown.");
  if (code.token !== undefined) {
    // Somebody else has it: what it gave is taken back (RFC 6749, section 4.1.2).
    for (const token of world.tokens) if (token.token === code.token) token.revoked = true;
    changed();
    throw refuse("The code was used already.");
  }
  if (code.expiresAt <= context.clock.now()) throw refuse("The code has expired.");
  if (code.redirectUri !== fields.redirect_uri) throw refuse("redirect_uri is another than the code's.");
  const challenge = createHash("sha256")
    .update(fields.code_verifier ?? "")
    .digest("base64url");
  if (challenge !== code.challenge) throw refuse("code_verifier does not fit.");
  return code;
}

function idToken(provider: Provider, client: Client, code: Code, account: Account, flaw?: AnswerFlaw) {
  const now = Math.floor(provider.context.clock.now() / 1000);
  const life = lifetimes.idTokenMs / 1000;
  const age = flaw === "expired" ? 2 * life : 0;
  const claims = {
    iss: flaw === "wrong_issuer" ? "https://elsewhere.example" : provider.issuer(),
    sub: account.sub,
    aud: flaw === "wrong_audience" ? "another-client" : client.client_id,
    iat: now - age,
    exp: now - age + life,
    nonce: flaw === "wrong_nonce" ? "another-nonce" : code.nonce,
    ...(provider.world.claimsIn === "id_token" && claimsOf(account, code.scopes)),
  };
  return provider.signer.token(claims, flaw === "unknown_key" ? "unknown" : "known");
}

function claimsOf({ name, email, email_verified }: Account, scopes: readonly string[]) {
  return {
    ...(scopes.includes("profile") && { name }),
    ...(scopes.includes("email") && email !== null && { email, email_verified }),
  };
}
