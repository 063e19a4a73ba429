import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { until } from "../../../tests/support/until.ts";
import { type Ran, runCommand } from "../../cli/testing/run-command.ts";
import type { AddCommand } from "../../terminal/index.ts";
import {
  aDelivery,
  allowAnyBirth,
  aMessage,
  type DeliveryBuilder,
} from "../deliveries/testing/a-delivery.ts";
import { aChannel, aWorkspace } from "../testing/builders.ts";
import { addDelivery } from "./delivery.ts";
import { addEvent } from "./event.ts";
import { addMessage } from "./message.ts";
import { addQueue } from "./queue.ts";
import { addTail } from "./tail.ts";
import { addWhy } from "./why.ts";

let database: TestDatabase;
let workspace: string;
let channel: string;
const home = tempFolder("cli-delivery");
const soon = (seconds: number) => new Date(Date.now() + seconds * 1000);

beforeAll(async () => {
  database = await testDatabase();
  await allowAnyBirth(database.sql);
});
afterAll(() => database.drop());
beforeEach(async () => {
  workspace = await aWorkspace(database.sql);
  channel = await aChannel(database.sql, workspace, { title: "Новости" });
});

const deliver = (given: DeliveryBuilder = {}) => aDelivery(database.sql, workspace, channel, given);

const commands: Record<string, AddCommand> = {
  why: addWhy,
  delivery: addDelivery,
  message: addMessage,
  event: addEvent,
  queue: addQueue,
  tail: addTail,
};

function molva(...args: string[]): Promise<Ran> {
  const add = commands[args[0] ?? ""];
  if (!add) throw new Error("which command?");
  return runCommand(add, [...args, "--workspace", workspace], {
    MOLVA_HOME: home,
    DATABASE_URL: database.url,
  });
}

const json = async (...args: string[]) => JSON.parse((await molva(...args, "--json")).out);

describe("molva why", () => {
  it("says the one reason in a sentence with its facts, and when it goes on", async () => {
    const id = await deliver({
      status: "retry",
      attempt: 2,
      next_retry_at: soon(60),
      last_error: { code: "rate_limited", message: "слишком часто" },
    });
    const { code, out } = await molva("why", id);
    expect(code).toBe(0);
    expect(out).toMatch(/why +retry_wait: The last attempt failed; the next one comes at \d{4}-\d\d-\d\d /);
    expect(out).toMatch(/expected .+ \(in (59|60) s\)/);
    expect(out).toContain("2 of 5");
    expect(out).toContain("rate_limited: слишком часто");
    expect(await json("why", id)).toMatchObject({ delivery_id: id, status: "retry", reason: "retry_wait" });
  });

  it("takes the beginning of an id, and lists the candidates when it fits several", async () => {
    const id = await deliver();
    await database.sql`
      update delivery.deliveries set delivery_id = 'aaaaaaaa-1111-7000-8000-000000000001' where delivery_id = ${id}`;
    expect((await molva("why", "aaaa")).out).toContain("aaaaaaaa-1111-7000-8000-000000000001");
    const other = await deliver();
    await database.sql`
      update delivery.deliveries set delivery_id = 'aaaaaaaa-2222-7000-8000-000000000001' where delivery_id = ${other}`;
    const { code, err } = await molva("why", "aaaa");
    expect(code).toBe(2);
    expect(err).toContain("aaaaaaaa-1111-7000-8000-000000000001");
    expect(err).toContain("aaaaaaaa-2222-7000-8000-000000000001");
    expect((await molva("why", "AAAAAAAA2")).code).toBe(0);
  });

  it("says that there is no such delivery", async () => {
    expect(await molva("why", "ffffffff")).toMatchObject({
      code: 1,
      err: "There is no delivery or post ffffffff in this workspace.",
    });
  });

  it("of a post says the reason for each of its channels, or which filters let it pass by", async () => {
    const { sql } = database;
    const message_id = await aMessage(sql, workspace, new Date());
    const other = await aChannel(sql, workspace, { title: "Спорт", enabled: false });
    const first = await deliver({ message_id, status: "sent" });
    await aDelivery(sql, workspace, other, { message_id });
    const { code, out } = await molva("why", message_id);
    expect(code).toBe(0);
    expect(out).toMatch(/^Новости \(telegram\): sent: The provider took it\./m);
    expect(out).toMatch(/^Спорт \(telegram\): queued, channel_disabled: /m);
    expect(out).toContain(first);
    expect(await json("why", message_id)).toMatchObject({
      message_id,
      items: [{ why: { reason: "channel_disabled" } }, { why: { reason: "sent" } }],
      unrouted: null,
    });

    const nowhere = await aMessage(sql, workspace, new Date());
    await sql`update delivery.channels set enabled = false where workspace_id = ${workspace}`;
    expect((await molva("why", nowhere)).out).toMatch(
      /No channel takes a post .+: 2 channels are switched off\./,
    );
  });
});

describe("molva delivery", () => {
  it("lists by status and channel and shows one with its events", async () => {
    const dead = await deliver({
      status: "dead",
      attempt: 5,
      last_error: { code: "upstream", message: "нет ответа" },
    });
    await deliver({ status: "sent" });
    const { out } = await molva("delivery", "list", "--status", "dead", "--channel", "Новости");
    expect(out.split("\n")).toHaveLength(2);
    expect(out).toContain("upstream: нет ответа");
    expect((await molva("delivery", "show", dead)).out).toContain("dead: Its attempts are used up");
    expect(await json("delivery", "list", "--since", "1h", "--limit", "1")).toMatchObject({
      items: [{ status: "sent" }],
      next: expect.any(String),
    });
  });

  // covers autoposting: 3) Safe requeue for dead
  it("requeues by id after saying in a dry run what it would do", async () => {
    const dead = await deliver({ status: "dead", attempt: 5 });
    const asked = ["delivery", "requeue", dead, "--reason", "починили"];
    expect((await molva(...asked, "--dry-run")).out).toContain("Would change 1 of 1; nothing was changed.");
    expect(await json("why", dead)).toMatchObject({ reason: "dead" });
    expect((await molva(...asked)).out).toBe(`${dead}  dead → retry\nChanged 1 of 1.`);
    const [event] = await database.sql`select meta from workspaces.events where delivery_id = ${dead}`;
    expect(event?.meta).toMatchObject({
      operator: expect.stringMatching(/^command:uid:\d+@./),
      reason: "починили",
    });
    expect(await molva(...asked)).toMatchObject({
      code: 1,
      out: expect.stringContaining("stays retry: it is on its way"),
    });
  });

  // covers autoposting: 4) Requeue failed_permanent
  it("requeues by filter", async () => {
    await deliver({ status: "dead" });
    await deliver({ status: "failed_permanent" });
    const filter = ["--status", "failed_permanent", "dead", "--channel", channel.slice(0, 30)];
    expect(await json("delivery", "requeue", ...filter, "--reason", "разом")).toMatchObject({ changed: 2 });
  });

  // covers autoposting: 4) Requeue failed_permanent
  it("says what would help one that its channel refused, and recovers it", async () => {
    const refused = {
      category: "PERMANENT",
      scope: "channel",
      code: "unauthorized",
      message: "токен отозван",
    };
    const id = await deliver({ status: "failed_permanent", attempt: 1, last_error: refused });
    await database.sql`
      insert into workspaces.events (workspace_id, delivery_id, channel_id, action, result)
      values (${workspace}, ${id}, ${channel}, 'failed_permanent', 'error')`;
    expect((await molva("why", id)).out).toContain("molva delivery recover");
    expect((await molva("delivery", "requeue", id, "--reason", "снова")).out).toContain(
      "recover what failed",
    );
    const asked = [
      "delivery",
      "recover",
      "--since",
      "1h",
      "--credential",
      "telegram/bot",
      "--reason",
      "починили",
    ];
    expect((await molva(...asked, "--dry-run")).out).toMatch(
      /Новости \(telegram\) +1\nWould send 1 delivery again; would resume 0 channels\.$/,
    );
    expect(await json(...asked)).toMatchObject({ recovered: 1, still_stopped: 0 });
    expect((await molva(...asked)).out).toBe("Nothing failed since then that could be sent again.");
  });

  it("cancels by what deliveries are", async () => {
    await deliver({ now: soon(-7200) });
    await deliver();
    const asked = ["delivery", "cancel", "--channel", "Новости", "--before", "1h", "--reason", "устарело"];
    expect((await molva(...asked, "--dry-run")).out).toContain(
      "Would call off 1 delivery; nothing was changed.",
    );
    expect((await molva(...asked)).out).toContain("Called off 1 delivery.");
    expect((await molva(...asked)).out).toBe("No waiting delivery fits; nothing was changed.");
    expect(await json("queue")).toMatchObject({ by_status: { queued: 1 } });
  });

  it.each([
    [["recover", "--reason", "зачем"]],
    [["recover", "--since", "1h", "--credential", "bot", "--reason", "зачем"]],
    [["recover", "--since", "1h", "--credential", "max/bot", "--channel", "00", "--reason", "зачем"]],
    [["cancel", "--reason", "зачем"]],
    [["cancel", "00", "--tag", "а", "--reason", "зачем"]],
    [["cancel", "--state", "sent", "--reason", "зачем"]],
    [["requeue", "--status", "dead"]],
    [["requeue", "--reason", "зачем"]],
    [["requeue", "--status", "sent", "--reason", "зачем"]],
    [["requeue", "00", "--status", "dead", "--reason", "зачем"]],
    [["cancel", "00"]],
    [["release-stuck", "--older-than", "soon", "--reason", "зачем"]],
    [["list", "--since", "tomorrow"]],
  ])("refuses %j as a wrong command line", async (args) => {
    expect(await molva("delivery", ...args)).toMatchObject({ code: 2 });
  });

  it("holds, releases, hurries and cancels", async () => {
    const id = await deliver({ not_before: soon(3600), scheduled_for: soon(3600) });
    for (const [name, status] of [
      ["hold", "queued, held"],
      ["release", "queued, no longer held"],
      ["send-now", "queued, due now"],
      ["cancel", "queued → failed_permanent"],
    ] as const)
      expect(await molva("delivery", name, id, "--reason", "решили")).toMatchObject({
        code: 0,
        out: expect.stringContaining(status),
      });
    expect(await molva("delivery", "cancel", id, "--reason", "ещё раз")).toMatchObject({ code: 1 });
  });

  // covers autoposting: 10) Emergency release of stale claimed/sending
  it("takes back what hangs", async () => {
    const id = await deliver({
      status: "sending",
      attempt: 1,
      claimed_at: soon(-900),
      sending_started_at: soon(-900),
    });
    const asked = ["delivery", "release-stuck", "--reason", "зависло"];
    expect((await molva(...asked, "--dry-run")).out).toContain(`${id}  sending → retry`);
    expect(await json(...asked)).toMatchObject({ dry_run: false, changed: 1 });
    expect((await molva(...asked)).out).toBe("No delivery fits; nothing was changed.");
  });
});

describe("molva message, event, queue", () => {
  it("keeps the words of neighbouring paragraphs apart, and shows neither marks nor code", async () => {
    const id = await aMessage(database.sql, workspace);
    const text =
      "<style>p { color: red }</style><h2>Мёд</h2><p>Цена&nbsp;&lt;&#39;100&#39;</p>\n <p>Вес <b>1</b> кг<br>нетто</p><script>a < b</script>!";
    await database.sql`
      update delivery.messages set payload = ${database.sql.json({ text, parse_mode: "HTML" })} where message_id = ${id}`;
    expect((await molva("message", "list")).out).toContain("Мёд Цена <'100' Вес 1 кг нетто !");
    expect((await json("message", "show", id)).snippet).toBe("Мёд\nЦена <'100'\nВес 1 кг\nнетто\n!");
  });

  it("calls a channel without a title by its target", async () => {
    const untitled = await aChannel(database.sql, workspace, { title: null, target_id: "@untitled" });
    const id = await aDelivery(database.sql, workspace, untitled, { status: "retry" });
    for (const command of [["why", id], ["delivery", "list"], ["queue"]])
      expect((await molva(...command)).out).toContain("@untitled (telegram)");
    expect((await json("delivery", "show", id)).channel).toMatchObject({ title: null, target: "@untitled" });
  });

  // covers autoposting: 1) Queue snapshot by status; 2) Recent error stream
  it("show posts, what happened, and what waits", async () => {
    const messageId = await aMessage(database.sql, workspace);
    const id = await deliver({ message_id: messageId });
    await deliver({ message_id: messageId, status: "sent" });
    await database.sql`
      insert into workspaces.events (workspace_id, delivery_id, channel_id, action, attempt, result, error) values
        (${workspace}, ${id}, ${channel}, 'enqueue', 0, 'ok', null),
        (${workspace}, ${id}, ${channel}, 'retry_scheduled', 1, 'error', '{"code": "timeout", "message": "долго"}')`;
    expect((await molva("message", "list")).out).toContain("1 queued, 1 sent");
    expect((await molva("message", "show", messageId)).out).toContain(id);
    expect((await molva("event", "list")).out.split("\n")).toHaveLength(2);
    const errors = (await molva("event", "list", "--errors")).out;
    expect(errors).toMatch(/retry_scheduled #1 {2}Новости \(telegram\) .+ timeout: долго$/);
    expect((await molva("event", "list", "--action", "sent")).out).toBe("No events.");
    expect((await molva("queue")).out).toMatch(
      /^queued 1, .*; due 1, held 0\n\n(.|\n)*Новости \(telegram\) +1 +1 +0/,
    );
    expect(await json("queue")).toMatchObject({ by_status: { queued: 1 } });
  });
});

describe("molva tail", () => {
  it("tells events as they come and ends cleanly when asked to stop", async () => {
    const heard: string[] = [];
    const running = runCommand(
      addTail,
      ["tail", "--channel", "Новости", "--json", "--workspace", workspace],
      { MOLVA_HOME: home, DATABASE_URL: database.url },
      (line) => heard.push(JSON.parse(line).action),
    );
    await until("something is heard", async () => {
      await database.sql`
        insert into workspaces.events (workspace_id, channel_id, ts, action, result)
        values (${workspace}, ${channel}, ${new Date()}, 'sent', 'ok')`;
      return heard.length > 0;
    });
    process.emit("SIGTERM");
    expect(await running).toMatchObject({ code: 0 });
  });
});
