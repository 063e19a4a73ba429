import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { preparationOf, worldOf } from "../../../../../tests/contract/preparation.ts";
import { testDatabase } from "../../../../../tests/support/database.ts";
import { tempFolder } from "../../../../../tests/support/temp-folder.ts";
import { type RunningTwins, startTwins } from "../../../../../twins/index.ts";
import { runCommand } from "../../../../cli/testing/run-command.ts";
import {
  type Credential,
  credentialText,
  definitionOf,
  platformNames,
  withTwins,
} from "../../../../platforms/index.ts";
import { addChannelCommand } from "../../../commands/channel.ts";
import { aChannel } from "../../../testing/builders.ts";
import { type AdminHarness, startAdminHarness } from "../../testing/harness.ts";

let twins: RunningTwins;
let harness: AdminHarness;
let databaseUrl: string;
beforeAll(async () => {
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: false, rateLimits: false });
  const database = await testDatabase();
  databaseUrl = database.url;
  harness = await startAdminHarness(database, {
    telegramApiRoot: `${twins.url}/telegram`,
    maxApiRoot: `${twins.url}/max`,
    twinsUrl: twins.url,
  });
});
afterAll(async () => {
  await harness.stop();
  await twins.close();
});

async function control(method: string, path: string, body?: object): Promise<void> {
  const answer = await fetch(`${twins.url}/_control${path}`, {
    method,
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

let auth = 0;
async function aTestedChannel(platform: string, target_id: string, fields?: Credential): Promise<string> {
  const auth_ref = `bot-${auth++}`;
  if (fields) await harness.call("PUT", `/credentials/${platform}/${auth_ref}`, { fields });
  await harness.sql`delete from delivery.channels where workspace_id = ${harness.workspaceId}`;
  return aChannel(harness.sql, harness.workspaceId, { platform, target_id, auth_ref });
}

const russian = /[а-яё]/i;
/** What the test of a bot's channel looks at. */
const aBot = {
  steps: ["token", "chat", "rights"],
  account: "shop_bot",
  outage: { step: "token", finding: "unreachable" },
};

describe.each(platformNames)("the test of a channel on %s", async (platform) => {
  const preparation = await preparationOf(platform);
  const { credential, targetId, troubles, checked = aBot } = preparation;
  const isSecret = (field: string) => !definitionOf(platform).credential.fields[field]?.open;
  beforeEach(async () => {
    await control("POST", "/reset");
    for (const { path, body } of worldOf(platform, preparation)) await control("POST", path, body);
  });

  it("says of a channel in order what was looked at, in both languages, and posts nothing", async () => {
    const id = await aTestedChannel(platform, targetId, credential);
    const { status, body } = await harness.call("POST", `/channels/${id}/test`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: true,
      summary: { en: "The channel can post.", ru: "Канал может публиковать." },
      steps: checked.steps.map((step) => ({
        ...{ step, finding: "ok" },
        ...(step === "token" && { ru: { text: expect.stringContaining(checked.account) } }),
      })),
    });
    const shownAt = preparation.shownAt ?? targetId;
    const answer = await fetch(`${twins.url}/_control/chats/${platform}/${shownAt}/messages`);
    expect(await answer.json()).toMatchObject({ messages: [] });
  });

  it.each(troubles.map((trouble) => [trouble.name, trouble] as const))(
    "tells %s, and what to do",
    async (_, trouble) => {
      if (trouble.control) {
        const { method, path, body } = trouble.control;
        await control(method, path, body);
      }
      const id = await aTestedChannel(
        platform,
        trouble.targetId ?? targetId,
        trouble.credential ?? credential,
      );
      const { body } = await harness.call("POST", `/channels/${id}/test`);
      expect(body.ok).toBe(false);
      const found = body.steps.at(-1);
      expect(found).toMatchObject({ step: trouble.step, finding: trouble.finding });
      expect(found.ru.advice).toMatch(russian);
      expect(found.en.advice).not.toMatch(russian);
      for (const [field, value] of Object.entries(trouble.credential ?? credential))
        if (isSecret(field)) expect(JSON.stringify(body)).not.toContain(value);
    },
  );

  it("tells a channel without a token, an outage and a channel that is switched off", async () => {
    const without = await aTestedChannel(platform, targetId);
    expect((await harness.call("POST", `/channels/${without}/test`)).body.steps).toMatchObject([
      { step: "token", finding: "no_credential" },
    ]);

    const id = await aTestedChannel(platform, targetId, credential);
    await control("POST", "/faults", {
      provider: platform,
      times: 1,
      fault: { kind: "status", status: 503 },
    });
    expect((await harness.call("POST", `/channels/${id}/test`)).body.steps).toMatchObject([checked.outage]);

    await harness.sql`update delivery.channels set enabled = false where channel_id = ${id}`;
    expect((await harness.call("POST", `/channels/${id}/test`)).body).toMatchObject({
      ok: true,
      state: "disabled",
      summary: { en: expect.stringContaining("molva channel resume") },
    });
  });

  it("is a command too, which fails when the channel cannot post", async () => {
    await aTestedChannel(platform, targetId);
    await harness.sql`
      insert into workspaces.credential_bindings (workspace_id, auth_ref, platform, secret_ref)
      select workspace_id, auth_ref, platform, 'env:TESTED_TOKEN' from delivery.channels
      where workspace_id = ${harness.workspaceId}`;
    const molva = (...args: string[]) =>
      runCommand(
        addChannelCommand,
        ["channel", "test", targetId, "--workspace", harness.workspaceId, ...args],
        {
          MOLVA_HOME: tempFolder("channel-test"),
          MOLVA_ENV: "development",
          DATABASE_URL: databaseUrl,
          ...withTwins({}, twins.url),
          TESTED_TOKEN: credentialText(definitionOf(platform).credential, credential),
          MOLVA_WORKSPACE_VARIABLES: "TESTED_TOKEN=*",
          MOLVA_ALLOW_HOSTS: new URL(twins.url).host,
        },
      );
    const good = await molva("--lang", "ru");
    const { en, ru } = definitionOf(platform).words;
    const fine = ru.fine?.rights ?? "Бот может здесь публиковать.";
    expect(good).toMatchObject({ code: 0, out: expect.stringContaining(`✓ ${fine}`) });

    await control("POST", "/reset");
    const bad = await molva();
    const refused = en.wrong?.token_refused?.text ?? "The token is not accepted";
    const first = checked.steps[0] === "token" ? refused : "There is no site";
    expect(bad).toMatchObject({ code: 1, out: expect.stringContaining(`✗ ${first}`) });
    expect(bad.err).toContain("The channel cannot post.");
    expect(JSON.parse((await molva("--json")).out)).toMatchObject({ ok: false });
    expect((await molva("--lang", "fr")).code).toBe(2);
  });
});

describe("a chat by its name", async () => {
  const { bot, chat, credential, targetId } = await preparationOf("telegram");
  beforeEach(async () => {
    await control("POST", "/reset");
    await control("POST", "/telegram/bots", bot);
    await control("POST", "/telegram/chats", chat);
    await harness.sql`delete from delivery.channels where workspace_id = ${harness.workspaceId}`;
  });
  const bound = async () => {
    await harness.call("PUT", "/credentials/telegram/by-name", { fields: credential });
  };
  const unbound = async () => {
    await harness.sql`delete from workspaces.credential_bindings where workspace_id = ${harness.workspaceId}`;
  };
  const add = (target_id: string, more: object = {}) =>
    harness.call("POST", "/channels", { platform: "telegram", target_id, auth_ref: "by-name", ...more });

  it("is kept by its number, and one chat under four spellings is one channel", async () => {
    await bound();
    const first = await add("https://t.me/Shop_News");
    expect(first).toMatchObject({
      status: 201,
      body: { target_id: targetId, target_name: "@shop_news", title: "Новости магазина" },
    });
    for (const spelling of ["@SHOP_NEWS", targetId, "t.me/shop_news", "https://t.me/shop_news/1"]) {
      const { status, body } = await add(spelling);
      expect(status).toBe(409);
      expect(body.detail).toContain(first.body.channel_id);
      expect(body.errors).toMatchObject([{ pointer: "/target_id" }]);
    }
    expect(await add("@shop_news", { allow_duplicate: true, title: "Второй" })).toMatchObject({
      status: 201,
      body: { target_id: `${targetId}#2`, allow_duplicate: true, title: "Второй" },
    });
    const { body } = await harness.call("PATCH", `/channels/${first.body.channel_id}`, {
      target_id: "@shop_news",
      title: "Тот же",
    });
    expect(body).toMatchObject({ target_id: targetId, target_name: "@shop_news", title: "Тот же" });
  });

  it("that no chat has is refused, and so is a target that names none", async () => {
    await bound();
    for (const target_id of ["@no_such_chat", "https://t.me/x", "1234567890", "chat-abc"])
      expect(await add(target_id)).toMatchObject({
        status: 422,
        body: { code: "unprocessable", errors: [{ pointer: "/target_id" }] },
      });
  });

  it("is kept as it is while nobody can be asked, and its number is found by the first test", async () => {
    await unbound();
    const { body: added } = await add("t.me/Shop_News");
    expect(added).toMatchObject({ target_id: "@shop_news", target_name: null, title: null });
    await bound();
    expect((await harness.call("POST", `/channels/${added.channel_id}/test`)).body).toMatchObject({
      ok: true,
      target_id: targetId,
    });
    expect((await harness.call("GET", `/channels/${added.channel_id}`)).body).toMatchObject({
      target_id: targetId,
      target_name: "@shop_news",
      title: "Новости магазина",
    });
    await unbound();
    expect((await add("@shop_news")).status).toBe(409);
  });

  it("of another channel is told by the test, in both languages", async () => {
    await unbound();
    const { body: named } = await add("@shop_news");
    const { body: numbered } = await add(targetId);
    await bound();
    const { body } = await harness.call("POST", `/channels/${named.channel_id}/test`);
    expect(body.ok).toBe(false);
    expect(body.steps.at(-1)).toMatchObject({
      step: "chat",
      finding: "same_chat",
      en: { text: expect.stringContaining(numbered.channel_id) },
      ru: { advice: expect.stringContaining("allow_duplicate=true") },
    });
  });
});

it("of a channel of another workspace is not found", async () => {
  const [{ id }] = await harness.sql<[{ id: string }]>`select molva.uuidv7() as id`;
  expect((await harness.call("POST", `/channels/${id}/test`)).status).toBe(404);
});
