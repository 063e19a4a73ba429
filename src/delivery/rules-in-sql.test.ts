import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import type { Sql } from "../kernel/db/index.ts";
import { aChannel, aWorkspace, enqueue } from "./testing/builders.ts";

/** What a person writes with psql is checked as strictly as what comes through commands. */
let database: TestDatabase;
let sql: Sql;
let workspaceId: string;
beforeAll(async () => {
  database = await testDatabase();
  sql = database.sql;
  await sql`select workspaces.ensure_event_partitions()`;
});
afterAll(() => database.drop());

let targets = 1;
const inserted = (columns: Record<string, unknown>) => sql`
  insert into delivery.channels (
    workspace_id, platform, target_id, auth_ref, rate_group, tags, settings, route_filter, posting_window)
  select ${workspaceId}, 'telegram', ${`-100777${targets++}`}, 'bot', 'bot', coalesce(tags, '{}'), coalesce(settings, '{}'),
    route_filter, posting_window
  from jsonb_populate_record(null::delivery.channels, ${JSON.stringify(columns)}::text::jsonb)
  returning channel_id, tags, route_filter`;

describe("a channel written by psql", () => {
  beforeAll(async () => {
    workspaceId = await aWorkspace(sql);
  });

  it.each([
    ["a misspelt key", { route_filter: { includeany: ["news"] } }, /no key "includeany"/],
    ["a tag instead of a list", { route_filter: { include_any: "news" } }, /include_any must be a list/],
    ["a number among the tags", { route_filter: { exclude: ["a", 1] } }, /exclude must hold texts/],
    ["nothing but a sign", { route_filter: { include_all: [" # "] } }, /include_all holds an empty tag/],
    ["a list for a filter", { route_filter: ["news"] }, /route_filter|must be an object/],
    ["a window without hours", { posting_window: {} }, /never opens/],
    [
      "a window of closed days",
      { posting_window: { mon: [], holidays: { "2027-01-01": [] } } },
      /never opens/,
    ],
    ["a text for a switch", { settings: { silent: "yes" } }, /settings.silent must be a boolean/],
    ["an unknown word", { settings: { too_long: "cut" } }, /too_long must be one of refuse, split/],
    ["an unknown markup", { settings: { parse_mode: "html" } }, /parse_mode must be one of/],
    ["a secret among its settings", { settings: { bot_token: "1:a" } }, /bind it as a credential/],
  ])("is refused with %s", async (_, columns, words) => {
    await expect(inserted(columns)).rejects.toThrow(words);
    const channelId = await aChannel(sql, workspaceId);
    const change = sql`
      update delivery.channels c
      set route_filter = coalesce(r.route_filter, c.route_filter), settings = coalesce(r.settings, c.settings),
        posting_window = coalesce(r.posting_window, c.posting_window)
      from jsonb_populate_record(null::delivery.channels, ${JSON.stringify(columns)}::text::jsonb) r
      where c.channel_id = ${channelId}`;
    await expect(change).rejects.toThrow(words);
  });

  it("keeps settings that only templates and products know", async () => {
    const columns = { settings: { footer: { any: 1 }, silent: null, thread_id: 7, parse_mode: "HTML" } };
    expect(await inserted(columns)).toHaveLength(1);
  });

  it("spells its tags as posts' tags are spelt", async () => {
    const given = {
      tags: ["#Новости", " новости", "#", "IT"],
      route_filter: { include_any: ["#Новости", "##Спорт "] },
    };
    expect(await inserted(given)).toMatchObject([
      { tags: ["новости", "it"], route_filter: { include_any: ["новости", "спорт"] } },
    ]);
  });
});

it("a workspace's settings that every post reads are checked too", async () => {
  const change = sql`
    update workspaces.workspaces set settings = '{"deduped_rows": "perhaps"}' where workspace_id = ${await aWorkspace(sql)}`;
  await expect(change).rejects.toThrow(/deduped_rows must be true or false/);
});

describe("`#` before a tag", () => {
  it.each([
    ["#новости", ["новости"], "Пост"],
    ["Новости", ["#новости"], "Пост"],
    [" #НОВОСТИ", ["# новости"], "Пост"],
    ["#новости", [], "Пост #Новости"],
  ])("means nothing: a filter for %j takes tags %j of %j", async (filter, tags, text) => {
    const workspace = await aWorkspace(sql);
    await aChannel(sql, workspace, { route_filter: { include_any: [filter] } });
    await aChannel(sql, workspace, { route_filter: { exclude: [filter] } });
    await aChannel(sql, workspace, { route_filter: { include_all: [filter, "спорт"] } });
    expect(await enqueue(sql, workspace, text, { tags })).toMatchObject({ queued: 1 });
  });

  it("stays inside a tag", async () => {
    const workspace = await aWorkspace(sql);
    await aChannel(sql, workspace, { route_filter: { include_any: ["c#"] } });
    expect(await enqueue(sql, workspace, "Пост", { tags: ["C#"] })).toMatchObject({ queued: 1 });
    expect(await enqueue(sql, workspace, "Другой пост", { tags: ["c"] })).toMatchObject({ queued: 0 });
  });
});

describe("a post given to enqueue_messages_and_deliveries", () => {
  it.each([
    ["a text that is an object", { payload: { text: { a: 1 } } }, "/payload/text must be a text"],
    ["a text that is a number", { payload: { text: 7 } }, "/payload/text must be a text"],
    ["no payload", { text: "Пост" }, "/payload must be an object"],
    ["a payload that is a text", { payload: "Пост" }, "/payload must be an object"],
    ["an unknown markup", { payload: { text: "a", parse_mode: "BBCode" } }, "parse_mode must be HTML"],
    [
      "an unknown dialect",
      { payload: { text: "a", dialect: "wiki" } },
      "/payload/dialect must be commonmark",
    ],
    [
      "a word for a switch",
      { payload: { text: "a", silent: "yes" } },
      "/payload/silent must be true or false",
    ],
    ["tags in one text", { payload: { text: "a" }, tags: "news,it" }, "/tags must be a list"],
    ["a tag that is a number", { payload: { text: "a", tags: [1] } }, "tags must be texts"],
    [
      "tagged_only as a text",
      { payload: { text: "a" }, tagged_only: "true" },
      "/tagged_only must be true or false",
    ],
    [
      "media that are no list",
      { payload: { text: "a", media: { url: "https://a.ru" } } },
      "/payload/media must be a list",
    ],
    [
      "media that are addresses",
      { payload: { text: "a", media: ["https://a.ru"] } },
      "/payload/media must hold objects",
    ],
    [
      "buttons without rows",
      { payload: { text: "a", buttons: [{ text: "a", url: "b" }] } },
      "/payload/buttons must be rows",
    ],
    [
      "a button without a url",
      { payload: { text: "a", buttons: [[{ text: "a" }]] } },
      "/payload/buttons must be rows",
    ],
  ])("is refused with %s", async (_, raw, words) => {
    const workspace = await aWorkspace(sql);
    await aChannel(sql, workspace);
    const given = sql`
      select delivery.enqueue_messages_and_deliveries(${workspace}, null, 'push', ${JSON.stringify(raw)}::text::jsonb)`;
    await expect(given).rejects.toThrow(words);
    expect(await sql`select from delivery.messages where workspace_id = ${workspace}`).toHaveLength(0);
  });

  it("is taken with every field of its right type, or null", async () => {
    const workspace = await aWorkspace(sql);
    await aChannel(sql, workspace);
    const payload = {
      ...{
        text: "a",
        parse_mode: "MarkdownV2",
        dialect: null,
        silent: false,
        link_preview: null,
        tags: ["a"],
      },
      media: [{ type: "photo", url: "https://a.ru/1.jpg", caption: null }],
      buttons: [[{ text: "a", url: "https://a.ru" }]],
    };
    const raw = { payload, tags: null, tagged_only: false, source: {}, hash_version: 1, trace_id: null };
    const [{ counts }] = await sql<[{ counts: unknown }]>`
      select delivery.enqueue_messages_and_deliveries(${workspace}, null, 'push', ${JSON.stringify(raw)}::text::jsonb) as counts`;
    expect(counts).toMatchObject({ queued: 1 });
  });
});
