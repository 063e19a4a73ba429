import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";

/** The two demo channels that take every post, and one that takes sport. */
const everything = { telegram: "-1002000000001", max: "-70000001" };
const untagged = 4;

let running: RunningSystem;
beforeEach(async () => {
  running = await startSystem({
    prepare: ({ sql }) => sql`update delivery.channels set rate_rps = null`,
  });
});
afterEach(() => running.stop());

async function actionsOf(messageId: string, channelTarget: string): Promise<string[]> {
  const rows = await running.database.sql`
    select e.action from workspaces.events e join delivery.channels c using (workspace_id, channel_id)
    where e.message_id = ${messageId} and c.target_id = ${channelTarget} order by e.ts, e.id`;
  return rows.map(({ action }) => action);
}

describe("a post", () => {
  // covers autoposting: Architecture overview; Push mode
  it("goes through the webhook to every matching channel of both messengers, once", async () => {
    const { message_id, queued } = await running.post({
      payload: { text: "<b>Матч</b> сегодня #спорт", parse_mode: "HTML" },
    });
    expect(queued).toBe(6);
    const deliveries = await running.settled(message_id);
    expect(deliveries.map(({ title, platform }) => `${platform} ${title}`).sort()).toEqual([
      "max Главное за день",
      "max Молва: всё подряд",
      "max Спорт каждый день",
      "telegram Главное за день",
      "telegram Молва: всё подряд",
      "telegram Спорт каждый день",
    ]);
    for (const delivery of deliveries) expect(delivery).toMatchObject({ status: "sent", attempt: 1 });
    for (const [provider, chat] of Object.entries(everything)) {
      const [message, ...more] = await running.messages(provider, chat);
      expect(more).toEqual([]);
      expect(message).toMatchObject({ text: "Матч сегодня #спорт" });
      expect(message?.marks).toContainEqual(expect.objectContaining({ type: "bold", offset: 0, length: 4 }));
    }
    expect(await actionsOf(message_id, everything.telegram)).toEqual(["enqueue", "send_attempt", "sent"]);
  });

  it("with an album arrives as an album in both", async () => {
    const photo = (name: string) => ({ type: "photo", url: `${running.twinsUrl}/demo/${name}.jpg` });
    const media = [photo("city"), photo("lake"), photo("road")];
    const { message_id } = await running.post({ payload: { text: "Три вида", media } });
    const deliveries = await running.settled(message_id);
    expect(deliveries.map(({ status, last_error }) => ({ status, last_error }))).toEqual(
      deliveries.map(() => ({ status: "sent", last_error: null })),
    );
    const inTelegram = await running.messages("telegram", everything.telegram);
    expect(new Set(inTelegram.map(({ albumId }) => albumId)).size).toBe(1);
    expect(inTelegram.flatMap(({ media: shown }) => shown)).toHaveLength(3);
    const inMax = await running.messages("max", everything.max);
    expect(inMax).toHaveLength(1);
    expect(inMax[0]?.media).toHaveLength(3);
  });
});

describe("a channel that knows its chat by a name", () => {
  const chat = {
    id: -1002000000077,
    type: "channel",
    title: "По имени",
    username: "by_name_only",
    members: [{ bot: "molva_demo_bot", status: "administrator", can_post_messages: true }],
  };
  const addChannel = (target: string) => running.database.sql`
    insert into delivery.channels (workspace_id, platform, target_id, auth_ref, rate_group, route_filter)
    select workspace_id, 'telegram', ${target}, auth_ref, rate_group, '{"include_any": ["по-имени"]}'
    from delivery.channels where target_id = ${everything.telegram}`;

  it("learns the number with its first post, and does not post where another channel does", async () => {
    await fetch(`${running.twinsUrl}/_control/telegram/chats`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(chat),
    });
    await addChannel("@by_name_only");
    const first = await running.post({ payload: { text: "Первый" }, tags: ["по-имени"] });
    await running.settled(first.message_id);
    const { sql } = running.database;
    expect(
      await sql`select target_id, title from delivery.channels where target_name = '@by_name_only'`,
    ).toEqual([{ target_id: String(chat.id), title: chat.title }]);

    await sql`update delivery.channels set target_name = null where target_name is not null`;
    await addChannel("@by_name_only");
    const second = await running.post({ payload: { text: "Второй" }, tags: ["по-имени"] });
    const deliveries = await running.settled(second.message_id);
    expect(deliveries.find(({ target_id }) => target_id === "@by_name_only")).toMatchObject({
      status: "failed_permanent",
      last_error: { code: "same_chat", scope: "channel" },
    });
    const texts = (await running.messages("telegram", String(chat.id))).map(({ text }) => text);
    expect(texts.toSorted()).toEqual(["Второй", "Первый"]);
  });
});

describe("when the provider misbehaves", () => {
  // covers autoposting: Key guarantees; Retry policy; Point 23
  it("429 is waited out and the post arrives once", async () => {
    await running.fault({ chat: everything.telegram }, { kind: "status", status: 429, retryAfter: 1 });
    const { message_id } = await running.post({ payload: { text: "Подождём" } });
    const deliveries = await running.settled(message_id);
    expect(deliveries).toHaveLength(untagged);
    expect(deliveries.map(({ status }) => status)).toEqual(deliveries.map(() => "sent"));
    expect(deliveries.find(({ target_id }) => target_id === everything.telegram)).toMatchObject({
      attempt: 2,
    });
    expect(await running.messages("telegram", everything.telegram)).toHaveLength(1);
    expect(await actionsOf(message_id, everything.telegram)).toEqual([
      "enqueue",
      "send_attempt",
      "retry_scheduled",
      "send_attempt",
      "sent",
    ]);
  });

  // covers autoposting: Key guarantees; Permanent failures; Point 25
  it("403 fails that delivery, pauses that channel, and the others go on", async () => {
    await running.fault({ chat: everything.max }, { kind: "status", status: 403 });
    const { message_id } = await running.post({ payload: { text: "Не всем" } });
    const deliveries = await running.settled(message_id);
    const [refused] = deliveries.filter(({ status }) => status === "failed_permanent");
    expect(refused).toMatchObject({ target_id: everything.max, last_error: { scope: "channel" } });
    expect(deliveries.filter(({ status }) => status === "sent")).toHaveLength(untagged - 1);
    expect(await actionsOf(message_id, everything.max)).toContain("channel_paused");
    const [channel] = await running.database.sql`
      select paused_until > now() as paused, error_streak from delivery.channels where target_id = ${everything.max}`;
    expect(channel).toEqual({ paused: true, error_streak: 1 });
  });

  // covers autoposting: Outgoing idempotency
  it("an answer lost on MAX is looked up and never sent twice", async () => {
    await running.fault({ chat: everything.max, method: "POST /messages" }, { kind: "drop_after" });
    const { message_id } = await running.post({ payload: { text: "Дошло ли?" } });
    await running.settled(message_id);
    expect(await running.messages("max", everything.max)).toHaveLength(1);
    expect(await actionsOf(message_id, everything.max)).toEqual([
      "enqueue",
      "send_attempt",
      "outcome_unknown",
      "retry_scheduled",
      "send_attempt",
      "reconciled_found",
      "sent",
    ]);
  });

  // covers autoposting: Non-goals; Outgoing idempotency
  it("an answer lost on Telegram is sent again or held, as the channel's policy says", async () => {
    await running.database.sql`
      update delivery.channels set unknown_policy = 'at_most_once' where target_id = '-1002000000002'`;
    await running.fault({ provider: "telegram", method: "sendMessage" }, { kind: "drop_after" }, 2);
    const { message_id } = await running.post({ payload: { text: "Дважды или ни разу" } });
    const deliveries = await running.settled(message_id);
    expect(deliveries.find(({ target_id }) => target_id === "-1002000000002")).toMatchObject({
      status: "failed_permanent",
      last_error: { code: "outcome_unknown" },
    });
    expect(await running.messages("telegram", "-1002000000002")).toHaveLength(1);
    expect(await running.messages("telegram", everything.telegram)).toHaveLength(2);
  });

  it("a hang ends at the time limit and is not taken for a failure", async () => {
    await running.fault({ chat: everything.max, method: "POST /messages" }, { kind: "hang" });
    const { message_id } = await running.post({ payload: { text: "Тишина" } });
    await running.settled(message_id);
    expect(await actionsOf(message_id, everything.max)).toEqual(
      expect.arrayContaining(["outcome_unknown", "reconciled_absent", "sent"]),
    );
    expect(await running.messages("max", everything.max)).toHaveLength(1);
  });
});

describe("an outcome", () => {
  it("is stored even when the provider's words are cut in the middle of an emoji", async () => {
    const description = `Bad Request: ${"a".repeat(486)}😀😀`;
    await running.fault({ chat: everything.telegram }, { kind: "status", status: 400, description });
    const { message_id } = await running.post({ payload: { text: "Слова провайдера" } });
    const deliveries = await running.settled(message_id);
    expect(deliveries.filter(({ status }) => status === "sent")).toHaveLength(untagged - 1);
    expect(deliveries.find(({ status }) => status === "failed_permanent")).toMatchObject({
      target_id: everything.telegram,
      attempt: 1,
    });
  });

  it.each([
    ["at_least_once", { status: "sent", attempt: 2 }, 2],
    ["at_most_once", { status: "failed_permanent", last_error: { code: "outcome_unknown" } }, 1],
  ])("of MAX that cannot be looked up any more ends as %s says", async (policy, end, arrived) => {
    const { sql } = running.database;
    await sql`update delivery.channels set unknown_policy = ${policy} where target_id = ${everything.max}`;
    await running.fault({ chat: everything.max, method: "POST /messages" }, { kind: "drop_after" });
    const { message_id } = await running.post({ payload: { text: "Не найти" } });
    const ofChannel = sql`message_id = ${message_id} and channel_id = (
      select channel_id from delivery.channels where target_id = ${everything.max})`;
    await until("nobody knows whether it arrived, and the look waits", async () => {
      const waiting = await sql`
        update delivery.deliveries set next_retry_at = now() + interval '1 hour'
        where ${ofChannel} and status = 'retry' returning delivery_id`;
      return waiting.length > 0;
    });
    // More comes meanwhile than can be read back: twenty pages of a hundred.
    const say = (text: string) =>
      fetch(`${running.twinsUrl}/_control/max/chats/${everything.max}/say`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ from: { first_name: "Читатель" }, text }),
      });
    for (let page = 0; page <= 20; page++)
      await Promise.all(Array.from({ length: 100 }, (_, each) => say(`реплика ${page}.${each}`)));
    await sql`update delivery.deliveries set next_retry_at = now() where ${ofChannel}`;
    const deliveries = await running.settled(message_id);
    expect(deliveries.find(({ target_id }) => target_id === everything.max)).toMatchObject(end);
    const posts = (await running.journal()).filter(
      ({ method, chat }) => method === "POST /messages" && chat === everything.max,
    );
    expect(posts).toHaveLength(arrived);
  });
});

describe("a stop", () => {
  it("does not wait for a slot between two requests, and the rest goes with the next attempt", async () => {
    await running.database
      .sql`update delivery.channels set rate_rps = 0.01 where target_id = ${everything.telegram}`;
    const photo = { type: "photo", url: `${running.twinsUrl}/demo/city.jpg` };
    const { message_id } = await running.post({ payload: { text: "я".repeat(1100), media: [photo, photo] } });
    await until(
      "the text arrived",
      async () => (await running.messages("telegram", everything.telegram)).length > 0,
    );
    await running.system.stop();
    const [delivery] = await running.database.sql`
      select d.status, d.last_error->>'code' as code, d.render_meta->'series_progress'->'provider_message_ids' as sent
      from delivery.deliveries d join delivery.channels c using (workspace_id, channel_id)
      where d.message_id = ${message_id} and c.target_id = ${everything.telegram}`;
    expect(delivery).toMatchObject({ status: "retry", code: "interrupted" });
    expect(delivery?.sent).toHaveLength(1);
  });
});

describe("a channel", () => {
  // covers autoposting: Non-goals; Key guarantees; Point 12
  it("added as a row gets the next post without anything else", async () => {
    const { sql } = running.database;
    await sql`
      insert into delivery.channels (workspace_id, platform, target_id, title, auth_ref, rate_group)
      select workspace_id, 'telegram', '-1002000000099', 'Новый канал', auth_ref, rate_group
      from delivery.channels where target_id = ${everything.telegram}`;
    const chat = {
      id: -1002000000099,
      type: "channel",
      title: "Новый канал",
      members: [{ bot: "molva_demo_bot", status: "administrator", can_post_messages: true }],
    };
    await fetch(`${running.twinsUrl}/_control/telegram/chats`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(chat),
    });
    const { message_id, queued } = await running.post({ payload: { text: "И новому" } });
    expect(queued).toBe(untagged + 1);
    await running.settled(message_id);
    expect(await running.messages("telegram", "-1002000000099")).toHaveLength(1);
  });
});

describe("the SQL door", () => {
  // covers autoposting: Templates / rendering; Core loop; Point 29
  it("sends what plain SQL enqueued, by the channel's template, and keeps that rendering for retries", async () => {
    const { sql } = running.database;
    const [channel] = await sql`
      update delivery.channels set template_ref = 'news' where target_id = ${everything.max} returning workspace_id`;
    await sql`
      insert into delivery.templates (workspace_id, template_id, version, body, active)
      values (${channel?.workspace_id}, 'news', 1, 'Версия 1: {{ text }}', true)`;
    await running.fault({ chat: everything.max, method: "POST /messages" }, { kind: "status", status: 500 });
    const [row] = await sql`
      select delivery.enqueue_messages_and_deliveries(
        ${channel?.workspace_id}, null, 'webhook_push', '{"payload": {"text": "Из psql"}}') as counts`;
    await until("the first attempt failed", async () => {
      const failed = await sql`select from workspaces.events where action = 'retry_scheduled'`;
      return failed.length > 0;
    });
    await sql`update delivery.templates set body = 'Версия 2: {{ text }}'`;
    await running.settled(row?.counts.message_id);
    expect((await running.messages("max", everything.max)).map(({ text }) => text)).toEqual([
      "Версия 1: Из psql",
    ]);
    expect((await running.messages("telegram", everything.telegram)).map(({ text }) => text)).toEqual([
      "Из psql",
    ]);
  });
});
