import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TwinEvent } from "../../shared/index.ts";
import { channel, dialog, group, pngOf, reader, startTestMax, type TestMax } from "../testing.ts";

let max: TestMax;
beforeEach(async () => {
  max = await startTestMax();
});
afterEach(() => max.close());

const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code];

test("the bot's chats are listed page by page, as the official client asks, until the list is switched off", async () => {
  const list = async (query = "") => (await max.api("GET", `/chats${query}`)).body;
  const ids = ({ chats }: { chats: { chat_id: number }[] }) => chats.map(({ chat_id }) => chat_id);
  const all = await list();
  expect([ids(all).sort(), all.marker]).toEqual([[channel, dialog, group].sort(), null]);
  const first = await list("?count=2");
  expect([...ids(first), ...ids(await list(`?count=2&marker=${first.marker}`))]).toEqual(ids(all));
  await max.control("PATCH", `/max/chats/${group}`, { remove_bots: ["shop_bot"] });
  expect(ids(await list())).not.toContain(group);
  await max.control("PATCH", "/max/options", { chat_list: false });
  expect(codeOf(await max.api("GET", "/chats"))).toEqual([404, "not.found"]);
});

test("a chat tells its kind, title, link and size", async () => {
  expect((await max.api("GET", `/chats/${channel}`)).body).toMatchObject({
    chat_id: channel,
    type: "channel",
    status: "active",
    title: "Новости",
    link: "https://max.ru/shop",
    is_public: true,
    participants_count: 1,
    messages_count: 0,
    pinned_message: null,
  });
  expect((await max.api("GET", `/chats/${dialog}`)).body).toMatchObject({
    type: "dialog",
    title: null,
    participants_count: 2,
    dialog_with_user: { user_id: reader, first_name: "Ира" },
  });
  expect(codeOf(await max.api("GET", "/chats/-1"))).toEqual([404, "chat.not.found"]);
});

test("a chat's title, description and icon change for who may change them", async () => {
  const { body: icon } = await max.upload("image", pngOf(10, 10));
  const patch = { title: "Акции", description: "О скидках", icon };
  expect((await max.api("PATCH", `/chats/${channel}`, patch)).body).toMatchObject({
    title: "Акции",
    description: "О скидках",
    icon: { url: expect.stringContaining(max.url) },
  });
  expect(codeOf(await max.api("PATCH", `/chats/${channel}`, { title: "я".repeat(201) }))[0]).toBe(400);
  expect(codeOf(await max.api("PATCH", `/chats/${dialog}`, { title: "a" }))).toEqual([403, "chat.denied"]);
  await max.control("PATCH", `/max/chats/${channel}`, {
    members: [{ bot: "shop_bot", permissions: ["write"] }],
  });
  expect(codeOf(await max.api("PATCH", `/chats/${channel}`, patch))).toEqual([403, "chat.denied"]);
});

test("an action shows the bot typing", async () => {
  const seen: TwinEvent[] = [];
  const stop = max.context.bus.subscribe((event) => seen.push(event));
  expect((await max.api("POST", `/chats/${dialog}/actions`, { action: "typing_on" })).body).toEqual({
    success: true,
  });
  expect(seen).toEqual([{ type: "typing", provider: "max", chatId: String(dialog) }]);
  expect(codeOf(await max.api("POST", `/chats/${dialog}/actions`, { action: "dancing" }))[0]).toBe(400);
  stop();
});

describe("pins", () => {
  test("a message is pinned, read and unpinned", async () => {
    const { body } = await max.send({ text: "важно" });
    expect((await max.api("GET", `/chats/${channel}/pin`)).body).toEqual({ message: null });
    await max.api("PUT", `/chats/${channel}/pin`, { message_id: body.mid });
    expect((await max.api("GET", `/chats/${channel}/pin`)).body.message.body.text).toBe("важно");
    expect((await max.api("GET", `/chats/${channel}`)).body.pinned_message.body.mid).toBe(body.mid);
    await max.api("DELETE", `/chats/${channel}/pin`);
    expect((await max.api("GET", `/chats/${channel}/pin`)).body).toEqual({ message: null });
  });

  test("what is not in the chat cannot be pinned, and pinning is a right", async () => {
    const { body } = await max.send({ text: "там" });
    const put = () => max.api("PUT", `/chats/${group}/pin`, { message_id: body.mid });
    expect(codeOf(await put())).toEqual([404, "not.found"]);
    await max.control("PATCH", `/max/chats/${group}`, { members: [{ bot: "shop_bot", permissions: [] }] });
    expect(codeOf(await put())).toEqual([403, "chat.denied"]);
  });
});

describe("members", () => {
  test("the bot sees its own rights", async () => {
    const { body } = await max.api("GET", `/chats/${channel}/members/me`);
    expect(body).toMatchObject({ username: "shop_bot", is_admin: true, is_owner: false });
    expect(body.permissions).toContain("write");
  });

  test("members come in pages, administrators by themselves", async () => {
    for (const first_name of ["Анна", "Борис"]) {
      await max.control("POST", `/max/chats/${group}/events`, {
        update_type: "user_added",
        user: { first_name },
      });
    }
    const first = await max.api("GET", `/chats/${group}/members?count=2`);
    expect(first.body.members).toHaveLength(2);
    const rest = await max.api("GET", `/chats/${group}/members?count=2&marker=${first.body.marker}`);
    expect(rest.body).toMatchObject({ members: [{ first_name: "Борис" }], marker: null });
    const admins = await max.api("GET", `/chats/${group}/members/admins`);
    expect(admins.body.members).toMatchObject([{ username: "shop_bot" }]);
    const [, person] = first.body.members;
    const named = await max.api("GET", `/chats/${group}/members?user_ids=${person.user_id}`);
    expect(named.body.members).toMatchObject([{ first_name: "Анна", permissions: null }]);
  });

  test("a bot that has left is denied", async () => {
    expect((await max.api("DELETE", `/chats/${group}/members/me`)).body).toEqual({ success: true });
    expect(codeOf(await max.api("GET", `/chats/${group}`))).toEqual([403, "chat.denied"]);
  });
});
