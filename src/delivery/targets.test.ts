import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { aChannel, aWorkspace } from "./testing/builders.ts";

let database: TestDatabase;
let workspace: string;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  workspace = await aWorkspace(database.sql);
});

const read = async (platform: string, typed: string) => {
  const [row] = await database.sql<[{ target: string | null; fault: string | null }]>`
    select * from delivery.read_target(${platform}, ${typed})`;
  return row;
};

describe("a target in its one form", () => {
  it.each([
    ["telegram", "-1001234567890", "-1001234567890"],
    ["telegram", " -5550002 ", "-5550002"],
    ["telegram", "@Shop_News", "@shop_news"],
    ["telegram", "https://t.me/Shop_News", "@shop_news"],
    ["telegram", "http://www.telegram.me/shop_news/", "@shop_news"],
    ["telegram", "t.me/s/shop_news?before=7", "@shop_news"],
    ["telegram", "https://t.me/shop_news/12", "@shop_news"],
    ["telegram", "tg://resolve?domain=Shop_News", "@shop_news"],
    ["telegram", "https://t.me/c/1234567890/55", "-1001234567890"],
    ["telegram", "user:42", "user:42"],
    ["telegram", "@shop_news#2", "@shop_news#2"],
    ["max", "-70001234567890", "-70001234567890"],
    ["max", "555", "555"],
    ["max", "user:77", "user:77"],
    ["vk", "123456", "123456"],
    ["vk", "-123456", "123456"],
    ["vk", "club123456", "123456"],
    ["vk", "https://vk.com/public123456?w=wall-123456_7", "123456"],
    ["vk", "m.vk.com/event5", "5"],
    ["vk", "https://vk.ru/wall-123456_731", "123456"],
    ["vk", "https://vk.com/Tea.Shop", "@tea.shop"],
    ["wordpress", "example.com", "example.com"],
    ["wordpress", "HTTPS://Example.COM/Blog/", "example.com/Blog"],
    ["wordpress", "https://example.com/blog/wp-admin/profile.php?x=1", "example.com/blog"],
    ["wordpress", "http://example.com/?p=5", "example.com"],
    ["wordpress", "пример.рф#2", "пример.рф#2"],
    ["wordpress", "localhost:8080", "localhost:8080"],
    ["vk", "@Tea_Shop#2", "@tea_shop#2"],
    ["pinterest", "549755885175", "549755885175"],
    ["pinterest", "https://www.pinterest.com/Tea_Shop/summer-tea/", "@tea_shop/summer-tea"],
    ["pinterest", "ru.pinterest.com/tea_shop/осень?utm=1", "@tea_shop/осень"],
    ["pinterest", "@tea_shop/summer-tea#2", "@tea_shop/summer-tea#2"],
    ["pigeon", "anything at all", "anything at all"],
  ])("%s %s is %s", async (platform, typed, target) => {
    expect(await read(platform, typed)).toEqual({ target, fault: null });
  });

  it.each([
    ["telegram", "https://t.me/x", "https://t.me/name"],
    ["telegram", "https://t.me/+AbCdEf", "invitation"],
    ["telegram", "https://t.me/joinchat/AbCdEf", "invitation"],
    ["telegram", "https://t.me/share/url?url=a", "https://t.me/name"],
    ["telegram", "1001234567890", "begins with a minus: -1001234567890"],
    ["telegram", "77", "A person is user:77"],
    ["telegram", "chat-abc", "-1001234567890"],
    ["telegram", "shop_news", "@name"],
    ["telegram", "@магазин", "@name"],
    ["telegram", "-0", "-1001234567890"],
    ["telegram", "", "-1001234567890"],
    ["max", "chat-abc", "user:42"],
    ["max", "@shop", "user:42"],
    ["max", "user:x", "user:42"],
    ["max", "https://max.ru/shop", "by its link"],
    ["vk", "https://vk.com/id5", "not a person's"],
    ["vk", "https://vk.com/feed", "copy the link of its page"],
    ["wordpress", "Мой сайт", "https://example.com"],
    ["wordpress", "ftp://example.com", "https://example.com"],
    ["vk", "Лавка чая", "https://vk.com/shop"],
    ["vk", "-0", "123456"],
    ["pinterest", "https://www.pinterest.com/pin/813744226420795884/", "link of a Pin"],
    ["pinterest", "https://pin.it/abc", "short link"],
    ["pinterest", "https://www.pinterest.com/tea_shop/_saved/", "link of a profile"],
    ["pinterest", "https://www.pinterest.com/tea_shop/", "549755885175"],
    ["pinterest", "Осенний чай", "549755885175"],
  ])("%s %s is refused with the right form", async (platform, typed, words) => {
    const { target, fault } = await read(platform, typed);
    expect(target).toBeNull();
    expect(fault).toContain(words);
  });
});

describe("a channel written by plain SQL", () => {
  const targets = async () =>
    (
      await database.sql<{ target_id: string }[]>`
        select target_id from delivery.channels where workspace_id = ${workspace} order by channel_id`
    ).map(({ target_id }) => target_id);

  it("has its target in that form, and a form that is none is refused in words", async () => {
    await aChannel(database.sql, workspace, { target_id: "https://t.me/Shop_News" });
    expect(await targets()).toEqual(["@shop_news"]);
    await expect(aChannel(database.sql, workspace, { target_id: "chat-abc" })).rejects.toMatchObject({
      code: "23514",
      column_name: "target_id",
      message: expect.stringContaining("Give the chat's number"),
    });
    await expect(
      database.sql`update delivery.channels set target_id = '77' where workspace_id = ${workspace}`,
    ).rejects.toMatchObject({ code: "23514" });
  });

  it("is the only one of its chat, however the chat is spelled", async () => {
    await aChannel(database.sql, workspace, { target_id: "@shop_news" });
    for (const target_id of ["@SHOP_NEWS", "t.me/shop_news", "@shop_news#2"])
      await expect(aChannel(database.sql, workspace, { target_id })).rejects.toMatchObject({ code: "23505" });
    await database.sql`
      update delivery.channels set target_id = '-1001', target_name = '@shop_news' where workspace_id = ${workspace}`;
    await expect(aChannel(database.sql, workspace, { target_id: "@shop_news" })).rejects.toMatchObject({
      code: "23505",
    });
  });

  it("gets a number of its own where another one on the chat is asked for, and posts into the chat itself", async () => {
    for (let count = 0; count < 3; count++)
      await database.sql`
        insert into delivery.channels (workspace_id, platform, target_id, auth_ref, rate_group, allow_duplicate)
        values (${workspace}, 'telegram', '-1001', 'bot', 'bot', true)`;
    expect(await targets()).toEqual(["-1001", "-1001#2", "-1001#3"]);
    await database.sql`
      select delivery.enqueue_messages_and_deliveries(${workspace}, null, 'webhook_push', '{"payload":{"text":"Пост"}}')`;
    await database.sql`select delivery.claim_deliveries(${workspace}, 'run', 10)`;
    const started = await database.sql<{ target_id: string }[]>`
      select target_id from delivery.start_sending(${workspace}, 'run', 10)`;
    expect(started.map(({ target_id }) => target_id)).toEqual(["-1001", "-1001", "-1001"]);
  });

  it("lets what is there alone when the same rows are written again", async () => {
    const id = await aChannel(database.sql, workspace, { target_id: "-1001" });
    await database.sql`
      insert into delivery.channels (workspace_id, channel_id, platform, target_id, auth_ref, rate_group)
      values (${workspace}, ${id}, 'telegram', '-1001', 'bot', 'bot') on conflict do nothing`;
    await database.sql`
      update delivery.channels set target_id = target_id, title = 'Новое имя' where workspace_id = ${workspace}`;
    expect(await targets()).toEqual(["-1001"]);
  });
});
