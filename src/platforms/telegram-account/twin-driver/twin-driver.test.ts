import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AccountTwin, accountTwin, aPost, device } from "../../../../tests/support/account-twin.ts";
import { type TestDatabase, testDatabase } from "../../../../tests/support/database.ts";
import { until } from "../../../../tests/support/until.ts";
import { png } from "../../../../twins/telegram/testing.ts";
import { aWorkspace } from "../../../delivery/testing/builders.ts";
import type { MediaFile } from "../../contract.ts";
import type { AccountClient, AccountRef } from "../contract.ts";

let database: TestDatabase;
let harness: AccountTwin;
let workspaceId: string;
beforeAll(async () => {
  database = await testDatabase();
  workspaceId = await aWorkspace(database.sql);
  harness = await accountTwin(database.sql);
});
afterAll(async () => {
  await harness.close();
  await database.drop();
});

async function anAccount(person: Record<string, unknown> = {}) {
  const ref = await harness.signedIn({ workspaceId }, person);
  const client = await harness.driver.open(ref);
  return { ...ref, ref, client };
}

async function memberOf(chat: Record<string, unknown> = {}, person: Record<string, unknown> = {}) {
  const account = await anAccount(person);
  const chatId = await harness.aChat([account.phone], chat);
  return { ...account, chatId };
}

const photo = (): MediaFile => {
  const bytes = png(640, 480);
  const open = async function* () {
    yield bytes;
  };
  return { size: bytes.length, contentType: "image/png", fileName: "photo.png", open: async () => open() };
};

const failure = async (client: AccountClient, chatId: string, post = aPost(chatId)) => {
  const outcome = await client.send(post);
  if (outcome.kind !== "failed") throw new Error(`it was ${outcome.kind}`);
  return outcome.error;
};

describe("sending", () => {
  test("a text, a photo and an album appear under the account's name, the words on the first photo", async () => {
    const { client, chatId } = await memberOf({}, { name: "Анна" });
    const text = {
      text: "Тихо и светло",
      marks: [{ kind: { type: "bold" as const }, offset: 0, length: 4 }],
    };
    expect(await client.send({ ...aPost(chatId), text })).toMatchObject({
      kind: "sent",
      providerMessageId: "1",
    });
    await client.send(aPost(chatId, { words: "Фото", photos: [photo()] }));
    const album = await client.send(aPost(chatId, { words: "Альбом", photos: [photo(), photo()] }));
    expect(album).toMatchObject({ kind: "sent", providerMessageId: "3" });
    expect(await harness.said(chatId)).toEqual([
      { author: "Анна", text: "Тихо и светло", media: 0 },
      { author: "Анна", text: "Фото", media: 1 },
      { author: "Анна", text: "Альбом", media: 1 },
      { author: "Анна", text: "", media: 1 },
    ]);
  });

  test("a repeat with the same random ids makes no second message and finds the first", async () => {
    const { client, chatId } = await memberOf();
    for (const photos of [[], [photo()], [photo(), photo(), photo()]]) {
      const post = aPost(chatId, { words: `${photos.length} фото`, photos });
      const first = await client.send(post);
      const before = await harness.said(chatId);
      const again = await client.send(post);
      expect(again).toMatchObject({
        kind: "sent",
        providerMessageId: first.kind === "sent" ? first.providerMessageId : "",
        raw: { duplicate: true },
      });
      expect(await harness.said(chatId)).toEqual(before);
    }
  });

  test("when the connection dies after the message was accepted nobody knows, and a retry does not double it", async () => {
    const { client, chatId, phone } = await memberOf();
    await harness.twins.control("POST", "/faults", {
      ...{ provider: "telegram-account", bot: phone, method: "sendText", times: 1 },
      fault: { kind: "drop_after" },
    });
    const post = aPost(chatId);
    expect(await client.send(post)).toMatchObject({ kind: "unknown", error: { code: "network" } });
    expect(await client.send(post)).toMatchObject({ kind: "sent", providerMessageId: "1" });
    expect(await harness.said(chatId)).toHaveLength(1);
  });

  test("what Telegram says against it comes as a code, with the wait and whom it concerns", async () => {
    const cases: [Record<string, unknown>, Record<string, unknown>][] = [
      [
        { kind: "flood", seconds: 30 },
        { code: "flood_wait", scope: "platform", retryAfterMs: 30_000 },
      ],
      [{ kind: "peer_flood" }, { code: "peer_flood", scope: "platform", category: "PERMANENT" }],
      [{ kind: "freeze" }, { code: "account_frozen", scope: "platform" }],
      [{ kind: "revoke" }, { code: "session_revoked", scope: "platform" }],
      [{ kind: "duplicate" }, { code: "session_revoked", scope: "platform" }],
      [{ kind: "ban" }, { code: "account_banned", scope: "platform" }],
    ];
    for (const [what, expected] of cases) {
      const { client, chatId, phone } = await memberOf();
      await harness.trouble(phone, what);
      expect(await failure(client, chatId), String(what.kind)).toMatchObject(expected);
      expect(await harness.said(chatId)).toEqual([]);
    }
  });

  test("what a chat does not allow comes as a code of the chat", async () => {
    const cases: [Record<string, unknown>, string, string][] = [
      [{ restricted: true }, "no_rights", "channel"],
      [{ topic_closed: true }, "no_rights", "channel"],
      [{ forbidden: ["plain"] }, "content_refused", "delivery"],
      [{ paid_stars: 10 }, "payment_required", "channel"],
      [{ gone: true }, "chat_unavailable", "channel"],
    ];
    for (const [chat, code, scope] of cases) {
      const { client, chatId } = await memberOf({});
      await client.chats();
      await harness.twins.control("PATCH", `/telegram-account/chats/${chatId}`, chat);
      expect(await failure(client, chatId), JSON.stringify(chat)).toMatchObject({ code, scope });
    }
    const channel = await memberOf({ type: "channel" });
    expect(await failure(channel.client, channel.chatId)).toMatchObject({ code: "no_rights" });
  });

  test("slow mode holds one chat and no other", async () => {
    const { client, chatId, phone } = await memberOf({ slow_mode_seconds: 60 });
    const other = await harness.aChat([phone]);
    await client.send(aPost(chatId));
    harness.clock.advance(20_000);
    expect(await failure(client, chatId)).toMatchObject({
      code: "slow_mode",
      scope: "channel",
      retryAfterMs: 40_000,
    });
    expect(await client.send(aPost(other))).toMatchObject({ kind: "sent" });
    harness.clock.advance(40_000);
    expect(await client.send(aPost(chatId))).toMatchObject({ kind: "sent" });
  });

  test("a chat that the account has not met is unknown to it", async () => {
    const { client } = await anAccount();
    const elsewhere = await harness.aChat([]);
    expect(await failure(client, elsewhere)).toMatchObject({ code: "chat_unknown", scope: "channel" });
  });

  test("text and captions that are too long are refused, Premium may write longer captions", async () => {
    const { client, chatId, phone } = await memberOf();
    expect(await failure(client, chatId, aPost(chatId, { words: "я".repeat(4097) }))).toMatchObject({
      code: "content_refused",
      scope: "delivery",
    });
    const long = { words: "я".repeat(1500), photos: [photo()] };
    expect(await failure(client, chatId, aPost(chatId, long))).toMatchObject({ code: "content_refused" });
    await harness.twins.control("PATCH", `/telegram-account/accounts/${phone}`, { premium: true });
    expect(await client.send(aPost(chatId, long))).toMatchObject({ kind: "sent" });
  });
});

describe("chats", () => {
  test("only those the account can write to are listed", async () => {
    const { client, phone } = await anAccount();
    const open = await harness.aChat([phone], { title: "Аренда", username: "arenda_msk", extra_members: 99 });
    await harness.aChat([phone], { title: "Новости", type: "channel" });
    const own = await harness.aChat([], {
      ...{ title: "Свой канал", type: "channel", members: [{ phone, role: "admin" }] },
    });
    const chats = await client.chats();
    expect(chats).toEqual({
      ok: true,
      value: [
        { chatId: open, title: "Аренда", type: "supergroup", members: 100, username: "arenda_msk" },
        { chatId: own, title: "Свой канал", type: "channel", members: 1 },
      ],
    });
  });

  test("a public name and an invitation lead into a chat, which can then be written to", async () => {
    const { client } = await anAccount();
    const open = await harness.aChat([], { username: "rent_spb" });
    const closed = await harness.aChat([], { invite: "AbCdEf123456" });
    expect(await client.join("https://t.me/rent_spb")).toMatchObject({
      ok: true,
      value: { chatId: open, alreadyMember: false },
    });
    expect(await client.join("t.me/+AbCdEf123456")).toMatchObject({ ok: true, value: { chatId: closed } });
    for (const link of ["@rent_spb", "https://t.me/joinchat/AbCdEf123456"]) {
      expect(await client.join(link)).toMatchObject({ ok: true, value: { alreadyMember: true } });
    }
    expect(await client.send(aPost(closed))).toMatchObject({ kind: "sent" });
  });

  test("a link that leads nowhere, an expired invitation and a request are told apart from success", async () => {
    const { client } = await anAccount();
    await harness.aChat([], { invite: "Expired00001", invite_expired: true });
    await harness.aChat([], { username: "by_request", join_by_request: true });
    const cases = [
      ["https://example.org/chat", "chat_unknown"],
      ["t.me/nobody_is_here", "chat_unknown"],
      ["t.me/+Expired00001", "chat_unknown"],
      ["t.me/by_request", "join_required"],
    ] as const;
    for (const [link, code] of cases)
      expect(await client.join(link)).toMatchObject({ ok: false, error: { code } });
  });
});

describe("signing in", () => {
  const fresh = (): AccountRef => ({ workspaceId, accountId: crypto.randomUUID(), device });
  const codeOf = async (phone: string) =>
    (await harness.twins.control<{ codes: string[] }>("GET", `/telegram-account/accounts/${phone}`))
      .codes[0] ?? "";

  test("by code and password, each step by another process", async () => {
    const phone = await harness.aPerson({ password: "сим-сим", hint: "пещера" });
    const account = fresh();
    const sent = await harness.driver.logins.sendCode(account, phone);
    if (!sent.ok || sent.value.step !== "code") throw new Error("no code was sent");
    const { codeHash } = sent.value;
    const step = { phone, codeHash, code: await codeOf(phone) };
    const second = harness.anotherDriver();
    expect(await second.logins.signIn(account, { ...step, code: "0" })).toMatchObject({
      ok: false,
      error: { code: "code_invalid" },
    });
    expect(await second.logins.signIn(account, step)).toEqual({
      ok: true,
      value: { step: "password", hint: "пещера" },
    });
    const third = harness.anotherDriver();
    expect(await third.logins.checkPassword(account, "мимо")).toMatchObject({
      error: { code: "password_invalid" },
    });
    expect(await third.logins.checkPassword(account, "сим-сим")).toMatchObject({
      ok: true,
      value: { step: "signed_in", person: { phone } },
    });
    expect(await harness.driver.logins.sendCode(account, phone)).toMatchObject({
      ok: true,
      value: { step: "signed_in" },
    });
  });

  test("by a code that is scanned", async () => {
    const phone = await harness.aPerson();
    const account = fresh();
    const shown = await harness.driver.logins.qr(account);
    if (!shown.ok || shown.value.step !== "qr") throw new Error("no link was shown");
    await harness.twins.control("POST", "/telegram-account/scan", { url: shown.value.url, phone });
    expect(await harness.anotherDriver().logins.qr(account)).toMatchObject({
      ok: true,
      value: { step: "signed_in", person: { phone } },
    });
  });

  test("signing out ends the session at Telegram and forgets it here", async () => {
    const { client, accountId } = await anAccount();
    expect(await client.logOut()).toEqual({ ok: true, value: undefined });
    const left = await database.sql`
      select from accounts.session_values where account_id = ${accountId}`;
    expect(left).toHaveLength(0);
    expect(await client.me()).toMatchObject({ ok: false, error: { code: "session_revoked" } });
  });
});

describe("one session, one process", () => {
  test("two processes take turns and the key lives", async () => {
    const { client, chatId, ref } = await memberOf();
    const other = await harness.anotherDriver().open(ref);
    for (let turn = 0; turn < 2; turn += 1) {
      for (const each of [client, other])
        expect(await each.send(aPost(chatId, { words: `Ход ${turn}` }))).toMatchObject({ kind: "sent" });
    }
    await Promise.all([client.close(), other.close()]);
  });

  test("a process that never lets go keeps the account to itself, and the other is told so", async () => {
    const { client, chatId, ref } = await memberOf();
    await harness.twins.control("POST", "/faults", {
      ...{ provider: "telegram-account", chat: chatId, method: "sendText", times: 1 },
      fault: { kind: "delay", ms: 1_500 },
    });
    const slow = client.send(aPost(chatId));
    await until("the first process has the lease", async () => {
      const [lease] = await database.sql`
        select from accounts.session_leases where account_id = ${ref.accountId}`;
      return lease !== undefined;
    });
    const other = await harness.anotherDriver({ waitMs: 100 }).open(ref);
    expect(await other.send(aPost(chatId))).toMatchObject({ kind: "failed", error: { code: "network" } });
    expect(await slow).toMatchObject({ kind: "sent" });
  });

  test("a process that died leaves the account when its lease is over", async () => {
    const { client, chatId, ref } = await memberOf();
    await client.close();
    await database.sql`
      insert into accounts.session_leases (workspace_id, account_id, holder, held_until)
      values (${workspaceId}, ${ref.accountId}, 'dead', now() + interval '300 milliseconds')`;
    expect(await (await harness.driver.open(ref)).send(aPost(chatId))).toMatchObject({ kind: "sent" });
  });

  test("without the lease the twin burns a key that two use at once", async () => {
    const { client, chatId, ref } = await memberOf();
    await client.send(aPost(chatId));
    // Deletes the lease, as if the process had been paused for too long.
    await database.sql`delete from accounts.session_leases where account_id = ${ref.accountId}`;
    const other = await harness.anotherDriver().open(ref);
    await other.send(aPost(chatId));
    const first = await client.send(aPost(chatId));
    const second = await other.send(aPost(chatId));
    expect([first, second]).toContainEqual(
      expect.objectContaining({ error: expect.objectContaining({ code: "session_revoked" }) }),
    );
  });
});

test("nothing of a session can be read in the database", async () => {
  const { accountId, phone, client } = await memberOf({ username: "secret_name" });
  await client.chats();
  const rows = await database.sql<{ row: string }[]>`
    select v::text as row from accounts.session_values v where account_id = ${accountId}`;
  const { key } = await harness.twins.control<{ key: string }>(
    "POST",
    `/telegram-account/accounts/${phone}/sessions`,
  );
  expect(key).toHaveLength(342);
  const state = JSON.stringify(rows);
  expect(rows.length).toBeGreaterThan(1);
  expect(state).not.toContain("secret_name");
  expect(state).not.toContain("accessHash");
  for (const { row } of rows) expect(row).toContain("gAAAA");
});
