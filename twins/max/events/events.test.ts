import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { channel, dialog, group, pngOf, reader, startTestMax, type TestMax } from "../testing.ts";

let max: TestMax;
let marker: number;
beforeEach(async () => {
  max = await startTestMax();
  marker = (await max.api("GET", "/updates?timeout=0")).body.marker;
});
afterEach(() => max.close());

/** Updates that the bot received since the last call. */
async function heard() {
  const { body } = await max.api("GET", `/updates?timeout=0&marker=${marker}`);
  marker = body.marker;
  return body.updates;
}

const inDialog = `user_id=${reader}`;
const buttons = [[{ type: "callback", text: "Да", payload: "y:1" }]];
const keyboard = { type: "inline_keyboard", payload: { buttons } };

test("what a person writes is told with its message", async () => {
  await max.control("POST", `/max/chats/${dialog}/say`, { text: "Привет" });
  const updates = await heard();
  expect(updates).toMatchObject([
    {
      update_type: "message_created",
      timestamp: expect.any(Number),
      user_locale: "ru",
      message: {
        sender: { user_id: reader, first_name: "Ира", is_bot: false },
        recipient: { chat_id: dialog, chat_type: "dialog" },
        body: { text: "Привет", attachments: [] },
      },
    },
  ]);
});

test("a photo comes with a token that can be sent back", async () => {
  const photo = `data:image/png;base64,${pngOf(5, 5).toString("base64")}`;
  await max.control("POST", `/max/chats/${dialog}/say`, { photo });
  const [update] = await heard();
  const [attachment] = update.message.body.attachments;
  expect(attachment).toMatchObject({ type: "image", payload: { url: expect.stringContaining(max.url) } });
  await max.send({ attachments: [{ type: "image", payload: { token: attachment.payload.token } }] });
});

test("bots do not hear their own messages", async () => {
  await max.send({ text: "a" }, inDialog);
  expect(await heard()).toEqual([]);
});

test("in groups and channels only administrators hear", async () => {
  await max.control("POST", `/max/chats/${group}/say`, { from: { first_name: "Анна" }, text: "а" });
  await max.control("POST", `/max/chats/${group}/say`, { from: { first_name: "Анна" }, text: "а" });
  const [first, second] = await heard();
  expect(second.message.sender.user_id).toBe(first.message.sender.user_id);
  await max.control("PATCH", `/max/chats/${group}`, { members: [{ bot: "shop_bot", is_admin: false }] });
  await max.control("POST", `/max/chats/${group}/say`, { text: "б" });
  expect(await heard()).toEqual([]);
});

test("edits and removals by people are told", async () => {
  const said = await max.control<{ message: { id: string } }>("POST", `/max/chats/${dialog}/say`, {
    text: "a",
  });
  await max.control("PATCH", `/max/chats/${dialog}/messages/${said.message.id}`, { text: "b" });
  await max.control("DELETE", `/max/chats/${dialog}/messages/${said.message.id}`);
  expect((await heard()).slice(1)).toMatchObject([
    { update_type: "message_edited", message: { body: { text: "b" } } },
    { update_type: "message_removed", message_id: said.message.id, chat_id: dialog, user_id: reader },
  ]);
});

describe("the life of a bot in chats", () => {
  test("starting, stopping and starting again are told", async () => {
    await max.control("POST", "/max/bots/shop_bot/start", {
      user: { user_id: 77, first_name: "Олег" },
      payload: "promo",
    });
    const [started] = await heard();
    expect(started).toMatchObject({ update_type: "bot_started", user: { user_id: 77 }, payload: "promo" });
    await max.send({ text: "добро пожаловать" }, "user_id=77");
    await max.control("PATCH", `/max/chats/${started.chat_id}`, { suspended: true });
    await max.control("POST", `/max/chats/${started.chat_id}/start`, {});
    expect(await heard()).toMatchObject([{ update_type: "bot_stopped" }, { update_type: "bot_started" }]);
  });

  test("being added and removed is told with the chat's id", async () => {
    const members = [{ bot: "shop_bot" }];
    const { chat_id } = await max.control<{ chat_id: number }>("POST", "/max/chats", {
      type: "channel",
      title: "Ещё",
      members,
    });
    await max.control("POST", "/max/chats", { type: "channel", title: "Ещё", members });
    await max.control("PATCH", `/max/chats/${chat_id}`, { remove_bots: ["shop_bot"] });
    expect(await heard()).toMatchObject([
      { update_type: "bot_added", chat_id, is_channel: true, user: { is_bot: false } },
      { update_type: "bot_removed", chat_id, is_channel: true },
    ]);
  });

  test("titles, members and moods of dialogs are told", async () => {
    await max.control("PATCH", `/max/chats/${channel}`, { title: "Вести" });
    await max.control("POST", `/max/chats/${group}/events`, {
      update_type: "user_added",
      user: { first_name: "Анна" },
      inviter_id: 1,
    });
    await max.control("POST", `/max/chats/${dialog}/events`, { update_type: "dialog_muted", muted_until: 5 });
    expect(await heard()).toMatchObject([
      { update_type: "chat_title_changed", chat_id: channel, title: "Вести" },
      { update_type: "user_added", user: { first_name: "Анна" }, inviter_id: 1, is_channel: false },
      { update_type: "dialog_muted", chat_id: dialog, user: { user_id: reader }, muted_until: 5 },
    ]);
  });
});

describe("buttons", () => {
  const press = (message_id: string, row = 0, column = 0) =>
    max.control<Record<string, string>>("POST", `/max/chats/${dialog}/press`, { message_id, row, column });

  test("a tap is told with its payload, its message and who tapped", async () => {
    const { body } = await max.send({ text: "Да?", attachments: [keyboard] }, inDialog);
    const { callback_id } = await press(body.mid);
    expect(await heard()).toMatchObject([
      {
        update_type: "message_callback",
        callback: { callback_id, payload: "y:1", timestamp: expect.any(Number), user: { user_id: reader } },
        message: { body: { mid: body.mid, text: "Да?" } },
      },
    ]);
  });

  test("the message is null when it has been deleted", async () => {
    const { body } = await max.send({ text: "Да?", attachments: [keyboard] }, inDialog);
    await max.api("DELETE", `/messages?message_id=${body.mid}`);
    await press(body.mid);
    expect((await heard())[0].message).toBeNull();
  });

  test("an answer edits the message, shows a notification, or both", async () => {
    const { body } = await max.send({ text: "Да?", attachments: [keyboard] }, inDialog);
    const { callback_id } = await press(body.mid);
    const answer = { notification: "Принято", message: { text: "Да!", attachments: [] } };
    const path = `/answers?callback_id=${callback_id}`;
    expect(await max.api("POST", path, answer)).toEqual({ status: 200, body: { success: true } });
    const edited = await max.api("GET", `/messages/${body.mid}`);
    expect(edited.body.body).toMatchObject({ text: "Да!", attachments: [] });
    expect(await max.control("GET", `/max/callbacks/${callback_id}`)).toMatchObject({
      answers: [{ notification: "Принято", edited: true }],
    });
    expect((await max.api("POST", path, {})).body.code).toBe("proto.payload");
    await max.api("DELETE", `/messages?message_id=${body.mid}`);
    expect((await max.api("POST", path, answer)).body.success).toBe(false);
    expect((await max.api("POST", "/answers?callback_id=none", answer)).body.code).toBe("not.found");
  });

  test("other buttons do their own thing", async () => {
    const kinds = [
      { type: "message", text: "Каталог" },
      { type: "request_contact", text: "Телефон" },
      { type: "request_geo_location", text: "Где я" },
      { type: "link", text: "Сайт", url: "https://ex.ru" },
      { type: "clipboard", text: "Код", payload: "SALE" },
    ];
    const attachments = [{ type: "inline_keyboard", payload: { buttons: kinds.map((kind) => [kind]) } }];
    const { body } = await max.send({ text: "Меню", attachments }, inDialog);
    const answers = [];
    for (const row of kinds.keys()) answers.push(await press(body.mid, row));
    expect(await heard()).toMatchObject([
      { message: { body: { text: "Каталог" } } },
      {
        message: { body: { attachments: [{ type: "contact", payload: { max_info: { user_id: reader } } }] } },
      },
      { message: { body: { attachments: [{ type: "location" }] } } },
    ]);
    expect(answers.slice(3)).toEqual([{ open: "https://ex.ru" }, { copy: "SALE" }]);
  });
});

describe("polling", () => {
  const say = (text: string) => max.control("POST", `/max/chats/${dialog}/say`, { text });
  const textsOf = (updates: { message: { body: { text: string } } }[]) =>
    updates.map(({ message }) => message.body.text);

  test("a marker commits what came before it; without one only the latest is given", async () => {
    for (const text of ["1", "2", "3"]) await say(text);
    expect(textsOf((await max.api("GET", "/updates?timeout=0")).body.updates)).toEqual(["3"]);
    const page = await max.api("GET", `/updates?timeout=0&limit=2&marker=${marker}`);
    expect(textsOf(page.body.updates)).toEqual(["1", "2"]);
    const repeated = await max.api("GET", `/updates?timeout=0&limit=2&marker=${marker}`);
    expect(textsOf(repeated.body.updates)).toEqual(["1", "2"]);
    const next = await max.api("GET", `/updates?timeout=0&marker=${page.body.marker}`);
    expect(textsOf(next.body.updates)).toEqual(["3"]);
    const committed = await max.api("GET", `/updates?timeout=0&marker=${marker}`);
    expect(textsOf(committed.body.updates)).toEqual(["3"]);
  });

  test("a poll waits for the next update", async () => {
    const poll = max.api("GET", `/updates?timeout=30&marker=${marker}`);
    await say("наконец");
    expect(textsOf((await poll).body.updates)).toEqual(["наконец"]);
  });

  test("a poll ends empty when its time is up", async () => {
    expect((await max.api("GET", `/updates?timeout=1&marker=${marker}`)).body).toEqual({
      updates: [],
      marker,
    });
  });

  test("only the wanted types are given", async () => {
    await say("a");
    const { body } = await max.api(
      "GET",
      `/updates?timeout=0&marker=${marker}&types=bot_started,bot_stopped`,
    );
    expect(body.updates).toEqual([]);
  });

  test.each(["limit=0", "limit=1001", "timeout=91", "types=nonsense"])("%s is refused", async (query) => {
    expect((await max.api("GET", `/updates?${query}`)).body.code).toBe("proto.payload");
  });

  test("polling is off while the bot has a subscription, also for a poll under way", async () => {
    const poll = max.api("GET", `/updates?timeout=30&marker=${marker}`);
    await max.api("POST", "/subscriptions", { url: "http://127.0.0.1:9/hook" });
    expect((await poll).status).toBe(405);
    expect((await max.api("GET", "/updates?timeout=0")).status).toBe(405);
    await max.api("DELETE", `/subscriptions?url=${encodeURIComponent("http://127.0.0.1:9/hook")}`);
    expect((await max.api("GET", "/updates?timeout=0")).status).toBe(200);
  });

  test("an update can be told twice, as the provider sometimes does", async () => {
    await max.control("PATCH", "/max/options", { duplicate_updates: 1 });
    await say("a");
    await say("b");
    expect(textsOf(await heard())).toEqual(["a", "a", "b"]);
  });
});
