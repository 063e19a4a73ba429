import type { FastifyInstance } from "fastify";
import {
  acceptForms,
  addressWith,
  consentPage,
  consentStyle,
  fieldsOf,
  html,
  sendPage,
} from "../shared/index.ts";
import { type Client, knownScopes, lifetimes } from "./model.ts";
import type { Provider } from "./store.ts";

type Fields = Readonly<Record<string, string>>;

const accent = "#3b5bdb";
const logo = html`<svg width="56" height="56" viewBox="0 0 56 56" aria-label="OpenID"><circle cx="28" cy="28" r="28" fill="${accent}"/><path d="M28 13v30M28 43c-9 0-15-4-15-10s6-10 15-10M28 23c5 0 9 1.5 12 4l3-4v9h-9l3-2" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
const style = consentStyle(accent);

/** The page on which a person says who they are: `/oidc/authorize`. */
export async function authorizeRoutes(app: FastifyInstance, provider: Provider): Promise<void> {
  acceptForms(app);
  app.route({
    method: ["GET", "POST"],
    url: "/oidc/authorize",
    handler: async (request, reply) => {
      const fields = fieldsOf(request);
      const client = provider.client(fields.client_id);
      // To an address that is not the client's, nothing is sent, errors included.
      const stranger = strangerIn(client, fields);
      if (!client || stranger !== undefined) {
        const body = html`<main class="consent"><div class="logo">${logo}</div><h1>Вход невозможен</h1><p class="lead">${stranger ?? ""}</p></main>`;
        return sendPage(reply, { title: "Вход", style, body, status: 400 });
      }
      const fault = faultIn(fields);
      if (fault)
        return reply.redirect(back(provider, fields, { error: fault[0], error_description: fault[1] }), 302);
      if (request.method === "POST") return reply.redirect(decided(provider, fields), 302);
      const body = consentPage({
        logo,
        heading: `Войти в «${client.name}»`,
        lead: "Программа узнает:",
        asks: ["кто вы", ...(fields.scope?.includes("email") ? ["ваш адрес почты"] : [])],
        chooseAccount: "Учётная запись",
        accounts: provider.world.accounts.map(({ sub, name, email, email_verified }) => ({
          id: sub,
          name,
          detail: `${email ?? "без адреса"}${email && !email_verified ? " (не подтверждён)" : ""}`,
        })),
        nobody: "Здесь ещё никого нет: добавьте человека через /_control/oidc/accounts.",
        allow: "Войти",
        deny: "Отмена",
      });
      return sendPage(reply, { title: "Вход", style, body, form: true });
    },
  });
}

function strangerIn(client: Client | undefined, fields: Fields): string | undefined {
  if (!client) return "client_id is unknown";
  return client.redirect_uris.includes(fields.redirect_uri ?? "")
    ? undefined
    : "redirect_uri is not one of the client's, character by character";
}

function faultIn(fields: Fields): readonly [code: string, description: string] | undefined {
  if (fields.response_type !== "code") return ["unsupported_response_type", "response_type must be code"];
  const scopes = (fields.scope ?? "").split(" ");
  if (!scopes.includes("openid")) return ["invalid_scope", "scope must contain openid"];
  if (scopes.some((scope) => !knownScopes.some((known) => known === scope)))
    return ["invalid_scope", "scope holds something unknown"];
  if (!fields.state) return ["invalid_request", "state is missing"];
  if (!fields.nonce) return ["invalid_request", "nonce is missing"];
  if (fields.code_challenge_method !== "S256" || !/^[\w-]{43}$/.test(fields.code_challenge ?? ""))
    return ["invalid_request", "PKCE with S256 is required"];
  return undefined;
}

function decided(provider: Provider, fields: Fields): string {
  const { world, context } = provider;
  const account = provider.account(fields.account);
  if (fields.decision !== "allow" || !account) return back(provider, fields, { error: "access_denied" });
  const code = provider.newKey();
  world.codes.push({
    code,
    clientId: fields.client_id ?? "",
    redirectUri: fields.redirect_uri ?? "",
    sub: account.sub,
    scopes: (fields.scope ?? "").split(" "),
    nonce: fields.nonce,
    challenge: fields.code_challenge ?? "",
    expiresAt: context.clock.now() + lifetimes.codeMs,
  });
  provider.changed();
  return back(provider, fields, { code });
}

function back(provider: Provider, { redirect_uri = "", state }: Fields, more: Fields): string {
  return addressWith(redirect_uri, { ...more, ...(state && { state }), iss: provider.issuer() });
}
