import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  acceptForms,
  addressWith,
  answerCall,
  consentPage,
  consentStyle,
  fieldsOf,
  html,
  sendPage,
} from "../shared/index.ts";
import { ApiError, refuse, usual } from "./errors.ts";
import { lifetimes } from "./limits.ts";
import type { App } from "./model.ts";
import type { Pinterest } from "./twin.ts";

export const knownScopes: Readonly<Record<string, string>> = {
  "user_accounts:read": "See your profile",
  "boards:read": "See your public boards",
  "boards:read_secret": "See your secret boards",
  "boards:write": "Create and change your boards",
  "boards:write_secret": "Create and change your secret boards",
  "pins:read": "See your public Pins",
  "pins:read_secret": "See your secret Pins",
  "pins:write": "Create and delete your Pins",
  "pins:write_secret": "Create and delete your secret Pins",
};

type Fields = Readonly<Record<string, string>>;

export const logo = html`<svg width="56" height="56" viewBox="0 0 56 56" aria-label="Pinterest"><circle cx="28" cy="28" r="28" fill="#e60023"/><text x="28" y="29" text-anchor="middle" dominant-baseline="central" font-family="Georgia, serif" font-size="36" font-style="italic" font-weight="700" fill="#fff">P</text></svg>`;
const style = consentStyle("#e60023");

/** Consent at `/pinterest/oauth/`, tokens at `/pinterest/v5/oauth/token`. */
export async function oauthRoutes(app: FastifyInstance, pinterest: Pinterest): Promise<void> {
  acceptForms(app);
  app.route({
    method: ["GET", "POST"],
    url: "/pinterest/oauth/",
    handler: async (request, reply) => {
      const fields = fieldsOf(request);
      const known = pinterest.store.app(fields.client_id);
      const fault = faultIn(known, fields);
      if (!known || fault !== undefined) {
        const body = html`<main class="consent"><div class="logo">${logo}</div><h1>Something went wrong</h1><p class="lead">${fault ?? ""}</p></main>`;
        return sendPage(reply, { title: "Pinterest", style, body, status: 400, lang: "en" });
      }
      if (request.method === "POST") return reply.redirect(decided(pinterest, fields), 302);
      const body = consentPage({
        logo,
        heading: `Give ${known.name} access to your account?`,
        lead: "It will be able to:",
        asks: scopesOf(fields.scope).map((scope) => knownScopes[scope] ?? scope),
        chooseAccount: "Account",
        accounts: pinterest.store.world.accounts.map(({ id, username, business_name }) => ({
          id,
          name: business_name || username,
          detail: `@${username}`,
        })),
        nobody: "Nobody is here yet: add an account through /_control/pinterest/accounts.",
        allow: "Give access",
        deny: "Cancel",
      });
      return sendPage(reply, { title: "Pinterest", style, body, lang: "en", form: true });
    },
  });
  for (const base of ["/pinterest/v5", "/pinterest/sandbox/v5"]) {
    app.post(`${base}/oauth/token`, (request, reply) => {
      const fields = fieldsOf(request);
      return answerCall(pinterest.context, reply, {
        call: { provider: "pinterest", method: "POST /oauth/token" },
        request: { grant_type: fields.grant_type },
        work: async () => {
          try {
            return { status: 200, body: exchange(pinterest, request, fields), kept: "***" };
          } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            return { status: error.status, body: { code: error.code, message: error.message } };
          }
        },
        refusal: ({ status, description }) => ({
          status,
          body: {
            code: usual[status]?.[0] ?? 11,
            message: description ?? usual[status]?.[1] ?? "Server error",
          },
        }),
      });
    });
  }
}

const scopesOf = (scope = "") => scope.split(/[ ,]+/).filter((each) => each !== "");

function faultIn(app: App | undefined, fields: Fields): string | undefined {
  if (!app) return "client_id is unknown";
  if (!app.redirect_uris.includes(fields.redirect_uri ?? "")) return "redirect_uri does not match the app's";
  if (fields.response_type !== "code") return "response_type must be code";
  const scopes = scopesOf(fields.scope);
  if (scopes.length === 0) return "scope is missing";
  const unknown = scopes.find((scope) => !(scope in knownScopes));
  return unknown === undefined ? undefined : `scope is unknown: ${unknown}`;
}

function decided({ store, context }: Pinterest, fields: Fields): string {
  const { redirect_uri = "", state } = fields;
  const more = state === undefined ? {} : { state };
  const account = store.account(fields.account);
  if (fields.decision !== "allow" || !account)
    return addressWith(redirect_uri, { error: "access_denied", ...more });
  const code = store.newKey();
  store.world.codes.push({
    code,
    clientId: fields.client_id ?? "",
    redirectUri: redirect_uri,
    accountId: account.id,
    scopes: scopesOf(fields.scope),
    expiresAt: context.clock.now() + lifetimes.codeMs,
    used: false,
  });
  store.changed();
  return addressWith(redirect_uri, { code, ...more });
}

function exchange(pinterest: Pinterest, request: FastifyRequest, fields: Fields) {
  const { store, context } = pinterest;
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const [id = "", secret] = Buffer.from(basic, "base64").toString().split(":");
  const app = store.app(id);
  if (!app || app.client_secret !== secret) throw refuse.authentication();
  const now = context.clock.now();
  if (fields.grant_type === "authorization_code") {
    const code = store.world.codes.find((each) => each.code === fields.code && each.clientId === id);
    if (!code || code.used || code.expiresAt <= now) {
      throw new ApiError(400, 283, "The authorization code is expired or was used already.");
    }
    if (code.redirectUri !== fields.redirect_uri) throw refuse.invalid("'redirect_uri' does not match");
    code.used = true;
    return tokensFor(pinterest, id, code.accountId, code.scopes, "authorization_code");
  }
  if (fields.grant_type !== "refresh_token") throw refuse.invalid("'grant_type' is not supported");
  const old = store.world.tokens.find(
    (each) => each.refresh === fields.refresh_token && each.clientId === id,
  );
  if (!old || old.refreshed || old.revoked || old.refreshExpiresAt <= now) throw refuse.authentication();
  const scopes = fields.scope === undefined ? old.scopes : scopesOf(fields.scope);
  if (scopes.some((scope) => !old.scopes.includes(scope))) throw refuse.scopes();
  old.refreshed = true;
  return tokensFor(pinterest, id, old.accountId, scopes, "refresh_token");
}

export function tokensFor(
  { store, context }: Pinterest,
  clientId: string,
  accountId: string,
  scopes: readonly string[],
  grant: string,
  given: { readonly token?: string; readonly refresh?: string } = {},
) {
  const now = context.clock.now();
  const token = {
    token: `pina_${store.newKey()}`,
    refresh: `pinr_${store.newKey()}`,
    clientId,
    accountId,
    scopes: [...scopes],
    expiresAt: now + lifetimes.accessMs,
    refreshExpiresAt: now + lifetimes.refreshMs,
    revoked: false,
    refreshed: false,
    ...given,
  };
  store.world.tokens.push(token);
  store.changed();
  return {
    access_token: token.token,
    refresh_token: token.refresh,
    response_type: grant,
    token_type: "bearer",
    expires_in: lifetimes.accessMs / 1000,
    refresh_token_expires_in: lifetimes.refreshMs / 1000,
    refresh_token_expires_at: Math.floor(token.refreshExpiresAt / 1000),
    scope: scopes.join(" "),
  };
}
