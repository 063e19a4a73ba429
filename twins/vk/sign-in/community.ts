import type { FastifyInstance } from "fastify";
import { acceptForms, addressWith, answerCall, fieldsOf } from "../../shared/index.ts";
import { lifetimes } from "../limits.ts";
import { permissionBits } from "../methods/groups.ts";
import { type App, type Code, type Group, levelOf } from "../model.ts";
import type { Vk } from "../twin.ts";
import { showConsent, showFault, vkLogo } from "./consent.ts";
import { answeringOAuth, OAuthError } from "./oauth-error.ts";

type Fields = Readonly<Record<string, string>>;

/** Keys of communities by their manager's consent, below `/vk/oauth`, which replaces oauth.vk.ru. They never expire. */
export async function communityRoutes(app: FastifyInstance, vk: Vk): Promise<void> {
  acceptForms(app);
  app.route({
    method: ["GET", "POST"],
    url: "/vk/oauth/authorize",
    handler: async (request, reply) => {
      const fields = fieldsOf(request);
      const asked = read(vk, fields);
      if (typeof asked === "string") return showFault(reply, asked);
      if (request.method === "POST") return reply.redirect(decided(vk, fields, asked), 302);
      return showConsent(reply, {
        logo: vkLogo,
        heading: `Приложение «${asked.app.name}» просит доступ к сообществам`,
        lead: asked.groups.map(({ name }) => `«${name}»`).join(", "),
        asks: asked.scopes.map((scope) => words[scope] ?? scope),
        chooseAccount: "Администратор",
        accounts: asked.admins,
        nobody: "Ни один человек здесь не управляет всеми этими сообществами.",
        allow: "Разрешить",
        deny: "Отмена",
      });
    },
  });
  app.get("/vk/oauth/access_token", (request, reply) => {
    const fields = fieldsOf(request);
    return answerCall(vk.context, reply, {
      call: { provider: "vk", method: "GET /oauth/access_token" },
      request: { client_id: fields.client_id, redirect_uri: fields.redirect_uri },
      work: async () => answeringOAuth(() => redeem(vk, fields)),
      refusal: ({ status, description }) => ({
        status,
        body: { error: "server_error", error_description: description ?? "Internal server error" },
      }),
    });
  });
}

const words: Readonly<Record<string, string>> = {
  stories: "Истории",
  photos: "Фотографии",
  app_widget: "Виджеты",
  messages: "Сообщения сообщества",
  wall: "Записи на стене",
  docs: "Документы",
  manage: "Управление сообществом",
};

interface Asked {
  readonly app: App;
  readonly groups: readonly Group[];
  readonly scopes: readonly string[];
  readonly admins: readonly { id: string; name: string; detail: string }[];
}

/** The parsed request, or its error. */
function read({ store }: Vk, fields: Fields): Asked | string {
  const app = store.world.apps.find(({ client_id }) => client_id === fields.client_id);
  if (!app) return "client_id is incorrect";
  if (!app.redirect_uris.includes(fields.redirect_uri ?? "")) return "redirect_uri is incorrect";
  if (fields.response_type !== "code") return "response_type must be code";
  const ids = (fields.group_ids ?? "").split(",").filter((id) => id !== "");
  const groups = ids.flatMap((id) => store.group(Number(id)) ?? []);
  if (groups.length === 0 || groups.length < ids.length) return "group_ids is incorrect";
  const scopes = (fields.scope ?? "").split(",").filter((scope) => scope !== "");
  const unknown = scopes.find((scope) => !(scope in permissionBits));
  if (unknown !== undefined) return `scope is incorrect: ${unknown}`;
  const admins = store.world.users
    .filter(({ id, state }) => state === "active" && groups.every((group) => levelOf(group, id) === 3))
    .map(({ id, first_name, last_name, screen_name }) => ({
      id: String(id),
      name: `${first_name} ${last_name}`,
      detail: `vk.com/${screen_name}`,
    }));
  return { app, groups, scopes, admins };
}

function decided({ store, context }: Vk, fields: Fields, { app, groups, scopes, admins }: Asked): string {
  const { redirect_uri = "", state } = fields;
  const more = state === undefined ? {} : { state };
  if (fields.decision !== "allow" || !admins.some(({ id }) => id === fields.account)) {
    return addressWith(redirect_uri, {
      error: "access_denied",
      error_description: "User denied your request",
      ...more,
    });
  }
  const code: Code = {
    code: store.newKey(18),
    clientId: app.client_id,
    redirectUri: redirect_uri,
    expiresAt: context.clock.now() + lifetimes.codeMs,
    used: false,
    groups: { ids: groups.map(({ id }) => id), scopes },
  };
  store.world.codes.push(code);
  store.changed();
  return addressWith(redirect_uri, { code: code.code, ...more });
}

function redeem({ store, context }: Vk, fields: Fields) {
  const app = store.world.apps.find(({ client_id }) => client_id === fields.client_id);
  if (!app || app.client_secret !== fields.client_secret) {
    throw new OAuthError("invalid_client", "client_secret is incorrect", 401);
  }
  const code = store.world.codes.find((each) => each.code === fields.code && each.groups);
  if (
    !code?.groups ||
    code.used ||
    code.clientId !== app.client_id ||
    code.expiresAt <= context.clock.now()
  ) {
    throw new OAuthError("invalid_grant", "Code is invalid or expired.");
  }
  if (code.redirectUri !== fields.redirect_uri) {
    throw new OAuthError(
      "invalid_grant",
      "redirect_uri is incorrect, check application redirect uri in the settings page",
    );
  }
  code.used = true;
  const { ids, scopes } = code.groups;
  const groups = ids.map((groupId) => {
    const token = `vk1.a.${store.newKey(80)}`;
    store.world.tokens.push({
      token,
      kind: "community",
      groupId,
      scopes: [...scopes],
      revoked: false,
      captchas: 0,
    });
    return { group_id: groupId, access_token: token };
  });
  store.changed();
  return { groups, expires_in: 0 };
}
