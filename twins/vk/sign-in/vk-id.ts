import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { acceptForms, addressWith, answerCall, type Consent, fieldsOf } from "../../shared/index.ts";
import { lifetimes } from "../limits.ts";
import type { App, Code } from "../model.ts";
import type { Vk } from "../twin.ts";
import { showConsent, showFault, vkLogo } from "./consent.ts";
import { answeringOAuth, OAuthError } from "./oauth-error.ts";

type Fields = Readonly<Record<string, string>>;

const verifier = /^[\w.~-]{43,128}$/;
const challenge = /^[\w-]{43}$/;
const shortestState = 32;

/** Signing in with VK ID (OAuth 2.1 with PKCE), below `/vk/id`, which replaces id.vk.ru. */
export async function vkIdRoutes(app: FastifyInstance, vk: Vk): Promise<void> {
  acceptForms(app);
  app.route({
    method: ["GET", "POST"],
    url: "/vk/id/authorize",
    handler: async (request, reply) => {
      const fields = fieldsOf(request);
      const fault = faultIn(vk, fields);
      const known = appOf(vk, fields);
      if (fault !== undefined || !known) return showFault(reply, fault ?? "client_id is unknown");
      if (request.method === "GET") return showConsent(reply, consentOf(vk, known));
      return reply.redirect(decided(vk, fields), 302);
    },
  });
  for (const [path, work] of [
    ["/oauth2/auth", exchange],
    ["/oauth2/user_info", userInfo],
  ] as const) {
    app.post(`/vk/id${path}`, (request, reply) => {
      const fields = fieldsOf(request);
      return answerCall(vk.context, reply, {
        call: { provider: "vk", method: `POST /id${path}` },
        request: { grant_type: fields.grant_type, client_id: fields.client_id, device_id: fields.device_id },
        work: async () => answeringOAuth(() => work(vk, fields)),
        refusal: ({ status, description }) => ({
          status,
          body: { error: "server_error", error_description: description ?? "Internal server error" },
        }),
      });
    });
  }
}

const appOf = ({ store }: Vk, { client_id }: Fields): App | undefined =>
  store.world.apps.find((app) => app.client_id === client_id);

/** An error that must not redirect to the program: its address may be forged. */
function faultIn(vk: Vk, fields: Fields): string | undefined {
  const app = appOf(vk, fields);
  if (!app) return "client_id is unknown";
  if (!app.redirect_uris.includes(fields.redirect_uri ?? "")) return "redirect_uri is not registered";
  if (fields.response_type !== "code") return "response_type must be code";
  if ((fields.state ?? "").length < shortestState)
    return `state must have ${shortestState} characters or more`;
  if (fields.code_challenge_method !== "S256") return "code_challenge_method must be S256";
  if (!challenge.test(fields.code_challenge ?? "")) return "code_challenge is missing or malformed";
  return undefined;
}

function consentOf({ store }: Vk, app: App): Consent {
  return {
    logo: vkLogo,
    heading: `Войти в «${app.name}» с VK ID`,
    lead: "Приложение узнает, кто вы.",
    asks: ["Имя, фамилия и номер страницы"],
    chooseAccount: "Аккаунт",
    accounts: store.world.users
      .filter(({ state }) => state === "active")
      .map(({ id, first_name, last_name, screen_name }) => ({
        id: String(id),
        name: `${first_name} ${last_name}`,
        detail: `vk.com/${screen_name}`,
      })),
    nobody: "Здесь пока никого нет: добавьте человека через /_control/vk/users.",
    allow: "Разрешить",
    deny: "Отмена",
  };
}

/** Where the person is redirected after the decision. */
function decided({ store, context }: Vk, fields: Fields): string {
  const { redirect_uri = "", state = "", client_id = "" } = fields;
  const user = store.user(Number(fields.account));
  if (fields.decision !== "allow" || !user) {
    return addressWith(redirect_uri, {
      error: "access_denied",
      error_description: "User denied access",
      state,
    });
  }
  const deviceId = store.newKey(64);
  const code: Code = {
    code: `vk2.a.${store.newKey(60)}`,
    clientId: client_id,
    redirectUri: redirect_uri,
    expiresAt: context.clock.now() + lifetimes.codeMs,
    used: false,
    signIn: {
      userId: user.id,
      deviceId,
      challenge: fields.code_challenge ?? "",
      scope: fields.scope ?? "vkid.personal_info",
      state,
    },
  };
  store.world.codes.push(code);
  store.changed();
  return addressWith(redirect_uri, {
    code: code.code,
    state,
    device_id: deviceId,
    expires_in: String(lifetimes.codeMs / 1000),
    type: "code_v2",
  });
}

function exchange(vk: Vk, fields: Fields) {
  if (!appOf(vk, fields)) throw new OAuthError("invalid_client", "client_id is invalid", 401);
  if (!fields.device_id) throw new OAuthError("invalid_request", "device_id is missing");
  switch (fields.grant_type) {
    case "authorization_code":
      return redeem(vk, fields);
    case "refresh_token":
      return refresh(vk, fields);
    default:
      throw new OAuthError("unsupported_grant_type", "grant_type is invalid");
  }
}

function redeem(vk: Vk, fields: Fields) {
  const { store, context } = vk;
  if (!verifier.test(fields.code_verifier ?? "")) {
    throw new OAuthError("invalid_request", "code_verifier is missing or invalid");
  }
  const code = store.world.codes.find((each) => each.code === fields.code && each.signIn);
  const signIn = code?.signIn;
  const digest = createHash("sha256")
    .update(fields.code_verifier ?? "")
    .digest("base64url");
  if (
    !code ||
    !signIn ||
    code.used ||
    code.expiresAt <= context.clock.now() ||
    code.clientId !== fields.client_id
  ) {
    throw new OAuthError("invalid_grant", "code is invalid or expired");
  }
  if (code.redirectUri !== fields.redirect_uri)
    throw new OAuthError("invalid_grant", "redirect_uri is invalid");
  if (signIn.deviceId !== fields.device_id) throw new OAuthError("invalid_grant", "device_id is invalid");
  // A wrong guess invalidates the code.
  code.used = true;
  store.changed();
  if (signIn.challenge !== digest) throw new OAuthError("invalid_grant", "code_verifier is invalid");
  return tokensFor(vk, code.clientId, signIn, fields.state ?? signIn.state);
}

/** Each refresh token works once; the answer has the next one. */
function refresh(vk: Vk, fields: Fields) {
  const { store, context } = vk;
  const known = store.world.refreshTokens.find(({ token }) => token === fields.refresh_token);
  if (!known || known.used || known.expiresAt <= context.clock.now() || known.clientId !== fields.client_id) {
    throw new OAuthError("invalid_grant", "refresh_token is invalid or expired");
  }
  if (known.deviceId !== fields.device_id) throw new OAuthError("invalid_grant", "device_id is invalid");
  known.used = true;
  return tokensFor(vk, known.clientId, known, fields.state ?? "");
}

function tokensFor(
  { store, context }: Vk,
  clientId: string,
  { userId, deviceId, scope }: { userId: number; deviceId: string; scope: string },
  state: string,
) {
  const now = context.clock.now();
  const token = `vk2.a.${store.newKey(80)}`;
  const refreshToken = `vk2.a.${store.newKey(80)}`;
  store.world.tokens.push({
    token,
    kind: "vkid",
    userId,
    scopes: scope.split(/[ ,]/),
    expiresAt: now + lifetimes.vkIdTokenMs,
    revoked: false,
    captchas: 0,
  });
  store.world.refreshTokens.push({
    token: refreshToken,
    clientId,
    deviceId,
    userId,
    scope,
    expiresAt: now + lifetimes.refreshTokenMs,
    used: false,
  });
  store.changed();
  return {
    access_token: token,
    refresh_token: refreshToken,
    id_token: `${store.newKey(20)}.${store.newKey(40)}.${store.newKey(40)}`,
    token_type: "Bearer",
    expires_in: lifetimes.vkIdTokenMs / 1000,
    user_id: userId,
    state,
    scope,
  };
}

function userInfo({ store, context }: Vk, fields: Fields) {
  const token = store.token(fields.access_token ?? "");
  const user = token?.kind === "vkid" && !token.revoked ? store.user(token.userId ?? 0) : undefined;
  if (!user || (token?.expiresAt ?? 0) <= context.clock.now()) {
    throw new OAuthError("invalid_token", "access_token is invalid or expired", 401);
  }
  const { id, first_name, last_name } = user;
  return { user: { user_id: String(id), first_name, last_name, sex: 0, verified: false } };
}
