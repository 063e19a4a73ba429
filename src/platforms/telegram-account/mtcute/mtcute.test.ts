import { randomBytes, randomUUID } from "node:crypto";
import { Long } from "@mtcute/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aPost, device } from "../../../../tests/support/account-twin.ts";
import { type TestDatabase, testDatabase } from "../../../../tests/support/database.ts";
import { telethonString } from "../../../../tests/support/session-strings.ts";
import { createSessionStore } from "../../../accounts/index.ts";
import { aWorkspace } from "../../../delivery/testing/builders.ts";
import { createVault, generateKey } from "../../../kernel/crypto/index.ts";
import { createGuardedSockets } from "../../../kernel/outbound/index.ts";
import type { MediaFile } from "../../contract.ts";
import type { AccountRef } from "../contract.ts";
import { createMtcuteDriver } from "../mtcute-driver.ts";
import { type TelegramAnswers, telegramAnswers } from "../testing/telegram-answers.ts";
import { aChannel, aMessage, aUser, authorization, dialogsOf, sentAs } from "../testing/tl-builders.ts";

let database: TestDatabase;
let workspaceId: string;
const vault = createVault([generateKey()]);
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  database = await testDatabase();
  workspaceId = await aWorkspace(database.sql);
});
afterAll(async () => {
  for (const close of closing) await close();
  await database.drop();
});

const fresh = (): AccountRef => ({ workspaceId, accountId: randomUUID(), device });

function aDriver(telegram: TelegramAnswers, settings: { timeoutMs?: number } = {}) {
  const driver = createMtcuteDriver({
    ...{
      sessions: createSessionStore({ sql: database.sql, vault }),
      apiId: 12_345,
      apiHash: "0123456789abcdef",
      ...settings,
    },
    sockets: createGuardedSockets(),
    network: telegram.network,
  });
  closing.push(() => driver.close());
  return driver;
}

const chatId = "-1000001234567";

/** An account with a session whose list of chats holds one supergroup. */
async function anAccount(settings: { timeoutMs?: number } = {}) {
  const telegram = telegramAnswers();
  telegram.on("users.getUsers", () => [aUser()]);
  telegram.on("messages.getDialogs", () => dialogsOf([aChannel({ username: "arenda" })]));
  const account = fresh();
  const key = randomBytes(256);
  const driver = aDriver(telegram, settings);
  const imported = await driver.logins.importSession(account, telethonString(key));
  if (!imported.ok) throw new Error(imported.error.message);
  const client = await driver.open(account);
  const requests = (method: string) => telegram.asked.filter(({ _ }) => _ === method);
  return { telegram, account, driver, client, key, requests };
}

const photo = (): MediaFile => {
  const bytes = randomBytes(2_000);
  const open = async function* () {
    yield bytes;
  };
  return { size: bytes.length, contentType: "image/jpeg", fileName: "1.jpg", open: async () => open() };
};

const photoAt = (id: number) => ({
  _: "messageMediaPhoto",
  photo: {
    ...{ _: "photo", id: Long.fromNumber(id), accessHash: Long.fromNumber(id), date: 1, dcId: 2, sizes: [] },
    fileReference: new Uint8Array([id]),
  },
});

describe("sending", () => {
  test("a text is sent with the random id it was given, its marks and the chat's access hash", async () => {
    const { telegram, client, requests } = await anAccount();
    telegram.on("messages.sendMessage", ({ randomId }) => sentAs([{ randomId, id: 41 }]));
    const marks = [
      { kind: { type: "bold" as const }, offset: 0, length: 4 },
      { kind: { type: "link" as const, url: "https://example.org/" }, offset: 7, length: 6 },
    ];
    const post = aPost(chatId, {
      text: { text: "Тихо и светло", marks },
      randomIds: ["-9223372036854775807"],
    });
    expect(await client.send(post)).toMatchObject({
      kind: "sent",
      providerMessageId: "41",
      url: "https://t.me/arenda/41",
    });
    const [request] = requests("messages.sendMessage");
    expect(request).toMatchObject({
      peer: { _: "inputPeerChannel", channelId: 1_234_567 },
      message: "Тихо и светло",
      entities: [
        { _: "messageEntityBold", offset: 0, length: 4 },
        { _: "messageEntityTextUrl", offset: 7, length: 6, url: "https://example.org/" },
      ],
    });
    if (request?._ !== "messages.sendMessage" || request.peer._ !== "inputPeerChannel") throw new Error();
    expect(request.randomId.toString()).toBe("-9223372036854775807");
    expect(request.peer.accessHash.toString()).toBe("77");
  });

  test("a photo is uploaded and is sent as one message with its caption", async () => {
    const { telegram, client, requests } = await anAccount();
    telegram.on("upload.saveFilePart", () => true);
    telegram.on("messages.sendMedia", ({ randomId }) => sentAs([{ randomId, id: 42 }]));
    const post = aPost(chatId, { words: "Фото", photos: [photo()] });
    expect(await client.send(post)).toMatchObject({ kind: "sent", providerMessageId: "42" });
    expect(requests("messages.sendMedia")).toMatchObject([
      { media: { _: "inputMediaUploadedPhoto", file: { _: "inputFile", name: "1.jpg" } }, message: "Фото" },
    ]);
  });

  test("an album is sent with every random id fixed and the words on its first photo", async () => {
    const { telegram, client, requests } = await anAccount();
    let photos = 0;
    telegram.on("upload.saveFilePart", () => true);
    telegram.on("messages.uploadMedia", () => {
      photos += 1;
      return photoAt(photos);
    });
    telegram.on("messages.sendMultiMedia", ({ multiMedia }) =>
      sentAs(multiMedia.map(({ randomId }, index) => ({ randomId, id: 50 + index }))),
    );
    const post = aPost(chatId, { words: "Альбом", photos: [photo(), photo(), photo()] });
    expect(await client.send(post)).toMatchObject({ kind: "sent", providerMessageId: "50" });
    const [request] = requests("messages.sendMultiMedia");
    if (request?._ !== "messages.sendMultiMedia") throw new Error("no album was sent");
    expect(request.multiMedia.map(({ randomId }) => randomId.toString())).toEqual(post.randomIds);
    expect(request.multiMedia.map(({ message }) => message)).toEqual(["Альбом", "", ""]);
    expect(request.multiMedia.map(({ media }) => media._)).toEqual(Array(3).fill("inputMediaPhoto"));
  });

  test("an id that Telegram has seen means that the message is there, and it is looked for", async () => {
    const { telegram, client } = await anAccount();
    telegram.on("messages.sendMessage", () => "500 RANDOM_ID_DUPLICATE");
    telegram.on("messages.getHistory", () => ({
      ...{ _: "messages.messages", chats: [], users: [], topics: [] },
      messages: [aMessage(61, "Другое"), aMessage(60, "Сдаётся квартира")],
    }));
    expect(await client.send(aPost(chatId))).toMatchObject({
      kind: "sent",
      providerMessageId: "60",
      raw: { duplicate: true },
    });
    telegram.on("messages.getHistory", () => "500 RPC_CALL_FAIL");
    expect(await client.send(aPost(chatId))).toMatchObject({ kind: "sent", providerMessageId: "" });
  });

  test("what Telegram refuses comes at once as a code, with its seconds; nothing waits or tries again here", async () => {
    const { telegram, client, requests } = await anAccount();
    const cases = [
      ["420 FLOOD_WAIT_37", { code: "flood_wait", scope: "platform", retryAfterMs: 37_000 }],
      ["420 FLOOD_WAIT_3", { code: "flood_wait", retryAfterMs: 3_000 }],
      ["420 FLOOD_PREMIUM_WAIT_5", { code: "flood_wait", retryAfterMs: 5_000 }],
      ["420 SLOWMODE_WAIT_60", { code: "slow_mode", scope: "channel", retryAfterMs: 60_000 }],
      ["400 PEER_FLOOD", { code: "peer_flood", scope: "platform", category: "PERMANENT" }],
      ["400 USER_BANNED_IN_CHANNEL", { code: "banned_in_chat", scope: "channel" }],
      ["403 CHAT_WRITE_FORBIDDEN", { code: "no_rights", scope: "channel" }],
      ["403 CHAT_SEND_PHOTOS_FORBIDDEN", { code: "content_refused", scope: "delivery" }],
      ["403 CHAT_GUEST_SEND_FORBIDDEN", { code: "join_required", scope: "channel" }],
      ["406 ALLOW_PAYMENT_REQUIRED_10", { code: "payment_required", scope: "channel" }],
      ["400 CHANNEL_PRIVATE", { code: "chat_unavailable", scope: "channel" }],
      ["400 PEER_ID_INVALID", { code: "chat_unknown", scope: "channel" }],
      ["400 MESSAGE_TOO_LONG", { code: "content_refused", scope: "delivery" }],
      ["401 SESSION_REVOKED", { code: "session_revoked", scope: "platform" }],
      ["406 AUTH_KEY_DUPLICATED", { code: "session_revoked", scope: "platform" }],
      ["401 USER_DEACTIVATED_BAN", { code: "account_banned", scope: "platform" }],
      ["420 FROZEN_METHOD_INVALID", { code: "account_frozen", scope: "platform" }],
      ["500 RPC_CALL_FAIL", { code: "telegram_error", category: "TRANSIENT", scope: "platform" }],
      ["-503 Timeout", { code: "telegram_error", category: "TRANSIENT", scope: "platform" }],
      ["400 SOMETHING_NEW", { code: "telegram_error", category: "PERMANENT", scope: "delivery" }],
    ] as const;
    for (const [index, [said, error]] of cases.entries()) {
      telegram.on("messages.sendMessage", () => said);
      expect(await client.send(aPost(chatId)), said).toMatchObject({ kind: "failed", error });
      expect(requests("messages.sendMessage")).toHaveLength(index + 1);
    }
  });

  test("without an answer nobody knows, and without a connection nothing was sent", async () => {
    const { telegram, client, account } = await anAccount({ timeoutMs: 200 });
    telegram.on("messages.sendMessage", () => "silence");
    expect(await client.send(aPost(chatId))).toMatchObject({ kind: "unknown", error: { code: "network" } });
    await client.close();
    const away = telegramAnswers({ reachable: false });
    away.on("messages.sendMessage", () => "silence");
    const elsewhere = await aDriver(away, { timeoutMs: 200 }).open(account);
    expect(await elsewhere.send(aPost(chatId))).toMatchObject({
      kind: "failed",
      error: { code: "network", category: "TRANSIENT" },
    });
  });

  test("a send that is given up ends at once", async () => {
    const { telegram, client } = await anAccount();
    const abort = new AbortController();
    telegram.on("messages.sendMessage", () => {
      setTimeout(() => abort.abort(), 10);
      return "silence";
    });
    expect(await client.send(aPost(chatId), abort.signal)).toMatchObject({ kind: "unknown" });
    expect(await client.send(aPost(chatId), abort.signal)).toMatchObject({ kind: "failed" });
  });

  test("a chat that is neither stored nor among the account's own is unknown", async () => {
    const { client } = await anAccount();
    expect(await client.send(aPost("-1000009999999"))).toMatchObject({
      kind: "failed",
      error: { code: "chat_unknown" },
    });
  });
});

describe("chats", () => {
  test("groups, supergroups and channels the account may write to are listed, with how slow they are", async () => {
    const { telegram, client } = await anAccount();
    const banned = { _: "chatBannedRights", untilDate: 0, sendMessages: true } as const;
    const post = { _: "chatAdminRights", postMessages: true } as const;
    telegram.on("messages.getDialogs", () =>
      dialogsOf([
        aChannel({ id: 1, title: "Чат", slowmodeEnabled: true }),
        aChannel({ id: 2, title: "Закрытый", defaultBannedRights: banned }),
        aChannel({ id: 3, title: "Чужой канал", megagroup: false, broadcast: true }),
        aChannel({ id: 4, title: "Свой канал", megagroup: false, broadcast: true, adminRights: post }),
        aChannel({ id: 5, title: "Покинутый", left: true }),
        {
          ...{ _: "chat", id: 6, title: "Группа", photo: { _: "chatPhotoEmpty" }, participantsCount: 7 },
          ...{ date: 1, version: 1 },
        },
      ]),
    );
    telegram.on("channels.getFullChannel", () => "420 FLOOD_WAIT_9");
    const chats = await client.chats();
    expect(chats.ok && chats.value.map(({ chatId, title, type }) => [chatId, title, type])).toEqual([
      ["-1000000000001", "Чат", "supergroup"],
      ["-1000000000004", "Свой канал", "channel"],
      ["-6", "Группа", "group"],
    ]);
  });

  test("an account that is in the chat already spends no join", async () => {
    const { telegram, client, requests } = await anAccount();
    telegram.on("messages.checkChatInvite", () => ({ _: "chatInviteAlready", chat: aChannel() }));
    expect(await client.join("https://t.me/+AbCdEf123456")).toMatchObject({
      ok: true,
      value: { chatId, alreadyMember: true },
    });
    telegram.on("contacts.resolveUsername", () => ({
      ...{ _: "contacts.resolvedPeer", peer: { _: "peerChannel", channelId: 9 }, users: [] },
      chats: [aChannel({ id: 9, left: true, username: "rent_spb" })],
    }));
    telegram.on("channels.joinChannel", () => "420 FLOOD_WAIT_300");
    expect(await client.join("@rent_spb")).toMatchObject({
      ok: false,
      error: { code: "flood_wait", retryAfterMs: 300_000 },
    });
    expect(requests("messages.importChatInvite")).toHaveLength(0);
    telegram.on("contacts.resolveUsername", () => "400 USERNAME_NOT_OCCUPIED");
    expect(await client.join("t.me/nobody_here")).toMatchObject({ error: { code: "chat_unknown" } });
  });
});

describe("signing in", () => {
  const sentCode = {
    ...{ _: "auth.sentCode", phoneCodeHash: "hash", timeout: 60 },
    type: { _: "auth.sentCodeTypeApp", length: 5 },
  };
  const password = {
    ...{ _: "account.password", hasPassword: true, hint: "пещера", srpId: Long.fromNumber(3) },
    currentAlgo: {
      _: "passwordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow",
      ...{ salt1: randomBytes(8), salt2: randomBytes(16), g: 3, p: primeOfTelegram() },
    },
    srpB: randomBytes(256),
    newAlgo: { _: "passwordKdfAlgoUnknown" },
    newSecureAlgo: { _: "securePasswordKdfAlgoUnknown" },
    secureRandom: randomBytes(8),
  };

  test("by code and password, each step by another process", async () => {
    const account = fresh();
    const telegram = telegramAnswers();
    telegram.on("auth.sendCode", () => sentCode);
    expect(await aDriver(telegram).logins.sendCode(account, "+7 901 200-00-01")).toEqual({
      ok: true,
      value: { step: "code", codeHash: "hash", sentTo: "app", length: 5 },
    });
    expect(telegram.asked).toMatchObject([
      { _: "auth.sendCode", phoneNumber: "79012000001", apiId: 12_345, apiHash: "0123456789abcdef" },
    ]);
    const step = { phone: "+79012000001", codeHash: "hash", code: "12345" };
    telegram.on("auth.signIn", () => "400 PHONE_CODE_INVALID");
    const second = aDriver(telegram);
    expect(await second.logins.signIn(account, step)).toMatchObject({ error: { code: "code_invalid" } });
    telegram.on("auth.signIn", () => "401 SESSION_PASSWORD_NEEDED");
    telegram.on("account.getPassword", () => password);
    expect(await second.logins.signIn(account, step)).toEqual({
      ok: true,
      value: { step: "password", hint: "пещера" },
    });
    const third = aDriver(telegram);
    telegram.on("auth.checkPassword", () => "400 PASSWORD_HASH_INVALID");
    expect(await third.logins.checkPassword(account, "мимо")).toMatchObject({
      error: { code: "password_invalid" },
    });
    telegram.on("auth.checkPassword", () => authorization(aUser()));
    expect(await third.logins.checkPassword(account, "сим-сим")).toEqual({
      ok: true,
      value: { step: "signed_in", person: { userId: "700100", name: "Анна", phone: "+79012000001" } },
    });
    expect(telegram.asked.at(-1)).toMatchObject({ password: { _: "inputCheckPasswordSRP" } });
  });

  test("every refusal of a step has its code", async () => {
    const telegram = telegramAnswers();
    const driver = aDriver(telegram);
    const cases = [
      ["400 PHONE_NUMBER_INVALID", "phone_invalid"],
      ["400 PHONE_NUMBER_BANNED", "phone_banned"],
      ["400 PHONE_NUMBER_FLOOD", "phone_flood"],
      ["406 PHONE_PASSWORD_FLOOD", "phone_flood"],
      ["420 FLOOD_WAIT_100", "flood_wait"],
      ["500 AUTH_RESTART", "login_restarted"],
    ] as const;
    for (const [said, code] of cases) {
      telegram.on("auth.sendCode", () => said);
      expect(await driver.logins.sendCode(fresh(), "+79012000001")).toMatchObject({ error: { code } });
    }
    telegram.on("auth.resendCode", () => "406 SEND_CODE_UNAVAILABLE");
    expect(await driver.logins.resendCode(fresh(), "+79012000001", "hash")).toMatchObject({
      error: { code: "phone_flood" },
    });
    telegram.on("auth.signIn", () => "400 PHONE_CODE_EXPIRED");
    const step = { phone: "+79012000001", codeHash: "hash", code: "1" };
    expect(await driver.logins.signIn(fresh(), step)).toMatchObject({ error: { code: "code_expired" } });
  });

  test("by a code that is scanned", async () => {
    const telegram = telegramAnswers();
    const token = new Uint8Array([250, 251, 252]);
    telegram.on("auth.exportLoginToken", () => ({ _: "auth.loginToken", expires: 1_800_000_000, token }));
    const account = fresh();
    expect(await aDriver(telegram).logins.qr(account)).toEqual({
      ok: true,
      value: { step: "qr", url: "tg://login?token=-vv8", expiresAt: new Date(1_800_000_000_000) },
    });
    telegram.on("auth.exportLoginToken", () => ({
      ...{ _: "auth.loginTokenSuccess", authorization: authorization(aUser()) },
    }));
    telegram.on("users.getUsers", () => [aUser()]);
    expect(await aDriver(telegram).logins.qr(account)).toMatchObject({
      ok: true,
      value: { step: "signed_in", person: { userId: "700100" } },
    });
  });

  test("signing out ends the session at Telegram and forgets it here", async () => {
    const { telegram, client, account } = await anAccount();
    telegram.on("auth.logOut", () => ({ _: "auth.loggedOut" }));
    expect(await client.logOut()).toEqual({ ok: true, value: undefined });
    expect(
      await database.sql`select from accounts.session_values where account_id = ${account.accountId}`,
    ).toHaveLength(0);
  });
});

describe("what is kept", () => {
  test("another process knows the session and the chats without asking for them", async () => {
    const { client, account } = await anAccount();
    await client.chats();
    await client.close();
    const telegram = telegramAnswers();
    telegram.on("messages.sendMessage", ({ randomId }) => sentAs([{ randomId, id: 7 }]));
    const again = await aDriver(telegram).open(account);
    expect(await again.send(aPost(chatId))).toMatchObject({
      kind: "sent",
      url: "https://t.me/arenda/7",
    });
    expect(telegram.asked.map(({ _ }) => _)).toEqual(["messages.sendMessage"]);
  });

  test("no byte of the key and no name can be read in the table", async () => {
    const { client, account, key } = await anAccount();
    await client.chats();
    await client.close();
    const rows = await database.sql<{ kind: string; row: string }[]>`
      select kind, v::text as row from accounts.session_values v where account_id = ${account.accountId}`;
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(["auth_key", "kv", "peer"]));
    const text = rows.map(({ row }) => row).join("\n");
    const part = key.subarray(3, 33);
    for (const form of ["hex", "base64", "base64url"] as const)
      expect(text).not.toContain(part.toString(form));
    expect(text).not.toContain("arenda");
    expect(text).not.toContain("Аренда");
  });

  test("a key of the vault that is gone is told, and nothing is overwritten", async () => {
    const { account, client } = await anAccount();
    await client.close();
    const telegram = telegramAnswers();
    const other = createMtcuteDriver({
      ...{
        sessions: createSessionStore({ sql: database.sql, vault: createVault([generateKey()]) }),
        apiId: 1,
        apiHash: "x",
      },
      sockets: createGuardedSockets(),
      network: telegram.network,
    });
    closing.push(() => other.close());
    await expect((await other.open(account)).me()).rejects.toThrow(/encryption key/);
  });
});

/** The prime that Telegram uses; mtcute refuses others. */
function primeOfTelegram(): Uint8Array {
  return Buffer.from(
    "c71caeb9c6b1c9048e6c522f70f13f73980d40238e3e21c14934d037563d930f48198a0aa7c14058229493d22530f4db" +
      "fa336f6e0ac925139543aed44cce7c3720fd51f69458705ac68cd4fe6b6b13abdc9746512969328454f18faf8c595f64" +
      "2477fe96bb2a941d5bcd1d4ac8cc49880708fa9b378e3c4f3a9060bee67cf9a4a4a695811051907e162753b56b0f6b41" +
      "0dba74d8a84b2a14b3144e0ef1284754fd17ed950d5965b4b9dd46582db1178d169c6bc465b0d6ff9ca3928fef5b9ae4" +
      "e418fc15e83ebea0f87fa9ff5eed70050ded2849f47bf959d956850ce929851f0d8115f635b105ee2e4e15d04b2454bf" +
      "6f4fadf034b10403119cd8e3b92fcc5b",
    "hex",
  );
}
