import { randomUUID } from "node:crypto";
import { keepProxy, proxyOf } from "../../src/accounts/login/account-proxies.ts";
import { addAttempt, placeOfCode } from "../../src/accounts/login/login-attempts.ts";
import { accountParts } from "../../src/accounts/parts.ts";
import { sessionValues } from "../../src/accounts/sessions/session-values.ts";
import { createConsentStore } from "../../src/delivery/consent/consent-store.ts";
import { createPayloadStore } from "../../src/delivery/index.ts";
import { aWorkspace } from "../../src/delivery/testing/builders.ts";
import { addOperator } from "../../src/http/index.ts";
import { beginEnrolment, placeOf } from "../../src/http/operators/second-factor/factors.ts";
import { botName } from "../../src/seo/bot/bot-name.ts";
import { seal, unseal } from "../../src/seo/bot/connections/connecting.ts";
import type { BotServices } from "../../src/seo/bot/services.ts";
import { createTokenKeeper } from "../../src/seo/previews/telegraph-token.ts";
import { type Core, createTokens, storeSecret } from "../../src/workspaces/index.ts";

/** Something encrypted, stored by the code that stores it in earnest. */
export interface Kept {
  readonly store: string;
  readonly secret: string;
  /** Reads it, with a core that may have other keys. */
  read(core: Core): Promise<string | undefined>;
}

/** Fills every store of the registry. A new store is added here, or the test of the registry fails. */
export async function fillEveryStore(core: Core): Promise<Kept[]> {
  const workspaceId = await aWorkspace(core.sql, { name: `Всё зашифрованное ${randomUUID()}` });
  return [
    await keepSecondFactor(core),
    await keepSecret(core, workspaceId),
    ...(await keepAccount(core, workspaceId)),
    await keepPayload(core, workspaceId),
    await keepConsent(core, workspaceId),
    ...(await keepTyped(core, workspaceId)),
    await keepTelegraph(core),
  ];
}

async function keepSecondFactor(core: Core): Promise<Kept> {
  const added = await addOperator(core.sql, { login: randomUUID(), name: "Анна", clock: core.clock });
  if (added.kind === "refused") throw new Error(added.reason);
  const secret = await beginEnrolment(core, added.id);
  return {
    store: "second factors of operators",
    secret: secret ?? "",
    async read({ sql, vault }) {
      const [row] = await sql<[{ secret: string }]>`
        select secret from molva.second_factors where operator_id = ${added.id}`;
      return vault.decrypt(row.secret, placeOf(added.id));
    },
  };
}

async function keepSecret({ sql, vault, clock }: Core, workspaceId: string): Promise<Kept> {
  const secret = "7000000009:токен бота";
  const ref = await storeSecret(sql, vault, workspaceId, secret, clock.now());
  return {
    store: "credentials and other secrets",
    secret,
    read: (core) => createTokens(core.sql, core.vault, core.variables).token(workspaceId, ref),
  };
}

async function keepAccount(core: Core, workspaceId: string): Promise<Kept[]> {
  const account = { workspaceId, accountId: randomUUID() };
  await sessionValues(core, account).put("auth_key", [{ key: "2", value: Buffer.from("ключ сессии") }]);
  const proxy = "socks5://user:password@127.0.0.1:9";
  await keepProxy(core, account, proxy, core.clock.now());
  const attempt = await addAttempt(accountParts(core).login, workspaceId, {
    account_id: account.accountId,
    owner: "owner",
    method: "phone",
    phone: "+79990000000",
    device: {
      deviceModel: "Desktop",
      systemVersion: "1",
      appVersion: "1",
      langCode: "ru",
    },
    step: "code",
    codeHash: "хеш кода",
  });
  return [
    {
      store: "sessions of accounts",
      secret: "ключ сессии",
      read: async (other) => {
        const value = await sessionValues(other, account).get("auth_key", "2");
        return value && Buffer.from(value).toString("utf8");
      },
    },
    { store: "proxies of accounts", secret: proxy, read: (other) => proxyOf(other, account) },
    {
      store: "sign-ins under way",
      secret: "хеш кода",
      async read({ sql, vault }) {
        const [row] = await sql<[{ code_hash: string }]>`
          select code_hash from accounts.login_attempts where id = ${attempt.id}`;
        return vault.decrypt(row.code_hash, placeOfCode(workspaceId, attempt.id));
      },
    },
  ];
}

async function keepPayload(core: Core, workspaceId: string): Promise<Kept> {
  const ref = await createPayloadStore(core).save(workspaceId, "ingress_body", "тело запроса");
  const access = { caller: { kind: "operator", id: "1", name: "тест" }, reason: "проверка" };
  return {
    store: "raw payloads",
    secret: "тело запроса",
    read: async (other) => (await createPayloadStore(other).read(workspaceId, ref, access))?.toString("utf8"),
  };
}

async function keepConsent(core: Core, workspaceId: string): Promise<Kept> {
  const nonce = randomUUID().replaceAll("-", "");
  const credential = { token: "pina_секрет" };
  const store = ({ keyValue, vault }: Core) => createConsentStore(keyValue, vault, "pinterest");
  await store(core).keep(nonce, { workspaceId, owner: { product: "seo", user: "1" }, credential });
  return {
    store: "accounts being connected",
    secret: credential.token,
    read: async (other) => (await store(other).kept(nonce))?.credential.token,
  };
}

async function keepTyped({ sql, vault }: Core, workspaceId: string): Promise<Kept[]> {
  const chatId = "77";
  const sealing = (services: Pick<BotServices, "vault">) => ({
    ...{ workspaceId, chatId },
    // Nothing else of the bot is used to encrypt.
    services: services as BotServices,
  });
  const typed = { wordpress: "password", vk: "token", telegram: "token" };
  const data = Object.fromEntries(
    Object.entries(typed).map(([platform, field]) => [
      platform,
      { [field]: seal(sealing({ vault }), `набрано для ${platform}`) },
    ]),
  );
  await sql`
    insert into dialogs.dialogues (workspace_id, bot, chat_id, user_id, language, data)
    values (${workspaceId}, ${botName}, ${chatId}, ${chatId}, 'ru', ${sql.json(data)})`;
  return Object.entries(typed).map(([platform, field]) => ({
    store: `typed to SEO Master's bot: ${platform} ${field}`,
    secret: `набрано для ${platform}`,
    async read(other) {
      const [row] = await other.sql<[{ sealed: string }]>`
        select data #>> ${[platform, field]} as sealed from dialogs.dialogues
        where workspace_id = ${workspaceId} and chat_id = ${chatId}`;
      return unseal(sealing(other), row.sealed);
    },
  }));
}

async function keepTelegraph({ keyValue, vault }: Core): Promise<Kept> {
  await createTokenKeeper(keyValue, vault).keep("токен Telegraph");
  return {
    store: "Telegraph token of previews",
    secret: "токен Telegraph",
    read: (other) => createTokenKeeper(other.keyValue, other.vault).token(),
  };
}
