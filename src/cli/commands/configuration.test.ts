import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { aChannel, aWorkspace } from "../../delivery/testing/builders.ts";
import type { AddCommand } from "../command.ts";
import { type Ran, runCommand } from "../testing/run-command.ts";
import { addChannelCommand } from "./channel.ts";
import { addCredentialCommand } from "./credential.ts";
import { addEndpointCommand } from "./endpoint.ts";
import { addLimitCommand } from "./limit.ts";
import { addSourceCommand } from "./source.ts";
import { addTemplateCommand } from "./template.ts";
import { addWorkspaceCommand } from "./workspace.ts";

const commands: Record<string, AddCommand> = {
  workspace: addWorkspaceCommand,
  endpoint: addEndpointCommand,
  channel: addChannelCommand,
  limit: addLimitCommand,
  credential: addCredentialCommand,
  template: addTemplateCommand,
  source: addSourceCommand,
};

let database: TestDatabase;
let workspace: string;
const home = tempFolder("cli-configuration");

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  workspace = await aWorkspace(database.sql, { name: `Рабочее место ${Math.random()}` });
});

function molva(...args: string[]): Promise<Ran> {
  const [name = ""] = args;
  const add = commands[name];
  if (!add) throw new Error("which command?");
  const where = name === "workspace" ? [] : ["--workspace", workspace];
  return runCommand(add, [...args, ...where], { MOLVA_HOME: home, DATABASE_URL: database.url });
}

const json = async (...args: string[]) => JSON.parse((await molva(...args, "--json")).out);

async function lastEvent() {
  const [event] = await database.sql`
    select action, meta from delivery.events where workspace_id = ${workspace} order by ts desc, id desc limit 1`;
  return event;
}

describe("molva channel", () => {
  it("adds, shows, changes and lists channels, with every field by its name", async () => {
    const added = await json(
      ...["channel", "add", "telegram", "-100777", "title=Новости дня", "rate_rps=0.5", "tags=ru,News"],
      ...['route_filter={"include_any":["News"]}', "--auth", "news-bot", "--reason", "новый канал"],
    );
    expect(added).toMatchObject({
      title: "Новости дня",
      rate_rps: 0.5,
      tags: ["ru", "news"],
      route_filter: { include_any: ["news"] },
    });
    expect(await lastEvent()).toMatchObject({
      action: "channel_changed",
      meta: { operator: expect.stringMatching(/^cli: /), reason: "новый канал" },
    });
    await molva("channel", "set", "Новости дня", "title=123", "rate_rps=null", "dedup_ttl_hours=24");
    expect(await json("channel", "show", "-100777")).toMatchObject({
      title: "123",
      rate_rps: null,
      dedup_ttl_hours: 24,
    });
    const { out } = await molva("channel", "list", "--state", "active", "--tag", "news");
    expect(out).toMatch(/^ID +PLATFORM +TARGET/);
    expect(out).toContain("-100777");
    expect((await molva("channel", "list", "--state", "paused")).out).toBe("No channels.");
  });

  it("says that a channel has no token yet", async () => {
    const { out } = await molva("channel", "add", "max", "42", "--auth", "shop");
    expect(out).toContain("No token is bound to shop yet: molva credential set max shop");
  });

  it("finds a channel by its id, the beginning of it, its target or its title", async () => {
    const id = await aChannel(database.sql, workspace, { title: "Спорт", target_id: "-100500" });
    for (const name of [id, id.slice(0, 30), id.slice(0, 30).toUpperCase(), "-100500", "Спорт"])
      expect((await json("channel", "show", name)).channel_id).toBe(id);
    expect(await molva("channel", "show", "Спор")).toMatchObject({
      code: 1,
      err: expect.stringContaining("no channel"),
    });
  });

  it("lists the candidates when a name fits more than one", async () => {
    const ids = [
      await aChannel(database.sql, workspace, { title: "Двойник" }),
      await aChannel(database.sql, workspace, { title: "Двойник" }),
    ];
    const { code, err } = await molva("channel", "disable", "Двойник", "--reason", "которого из двух");
    expect(code).toBe(2);
    for (const id of ids) expect(err).toContain(`${id}  Двойник (telegram`);
  });

  it.each([
    ["pause", ["--for", "60"]],
    ["disable", []],
    ["resume", []],
    ["rotate", ["next"]],
  ])("%s says in a rehearsal what would change, and then changes it", async (verb, args) => {
    const id = await aChannel(database.sql, workspace, { title: "Проба", enabled: verb !== "resume" });
    await molva("credential", "set", "telegram", "next", "--env", "NEXT_BOT");
    const read = async () =>
      (await database.sql`select * from delivery.channels where channel_id = ${id}`)[0];
    const before = await read();
    const line = ["channel", verb, "Проба", ...args, "--reason", "по плану"];
    const rehearsal = await molva(...line, "--dry-run");
    expect(rehearsal).toMatchObject({
      code: 0,
      out: expect.stringContaining("Would change 1 channel; nothing was changed."),
    });
    expect(rehearsal.out).toMatch(/ → /);
    expect(await read()).toEqual(before);
    expect((await molva(...line)).out).toContain("Changed 1 channel.");
    expect(await read()).not.toEqual(before);
    expect((await lastEvent())?.meta).toMatchObject({ reason: "по плану" });
  });

  it("switches a whole rate group", async () => {
    for (const title of ["Один", "Два"])
      await aChannel(database.sql, workspace, { title, rate_group: "общая" });
    const report = await json("channel", "disable", "--group", "общая", "--reason", "бот заблокирован");
    expect(report.channels).toMatchObject([{ state: "disabled" }, { state: "disabled" }]);
    expect((await lastEvent())?.meta).toMatchObject({ rate_group: "общая" });
    expect((await molva("channel", "enable", "--group", "общая", "--reason", "вернули")).code).toBe(0);
  });

  it("deletes, with a rehearsal first", async () => {
    await aChannel(database.sql, workspace, { title: "Лишний" });
    const line = ["channel", "delete", "Лишний", "--reason", "закрыт"];
    expect((await molva(...line, "--dry-run")).out).toContain("Would delete");
    expect((await molva(...line)).out).toContain("Deleted");
    expect((await molva("channel", "show", "Лишний")).code).toBe(1);
  });

  it.each([
    ["a pause without a reason", ["pause", "Х", "--for", "5"], "--reason"],
    ["a pause without an end", ["pause", "Х", "--reason", "просто"], "one of --for and --until"],
    ["switching off without a reason", ["disable", "Х"], "--reason"],
    ["a group without a reason", ["enable", "--group", "bot"], "--reason"],
    ["both a channel and a group", ["disable", "Х", "--group", "bot", "--reason", "оба"], "one of the two"],
    ["a field that is none", ["set", "Х", "wings=2"], "wings: Unknown field"],
    ["a value of the wrong kind", ["set", "Х", "max_parallel=many"], "max_parallel"],
    ["something that is no assignment", ["set", "Х", "title"], "field=value"],
    ["an unknown platform", ["add", "pigeon", "1", "--auth", "a"], "platform"],
  ])("refuses %s with exit code 2", async (_, args, said) => {
    await aChannel(database.sql, workspace, { title: "Х" });
    const { code, err } = await molva("channel", ...args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(said) });
  });

  it("repeats what the database says of a window that nobody can keep", async () => {
    await aChannel(database.sql, workspace, { title: "Окно" });
    const { code, err } = await molva("channel", "set", "Окно", 'posting_window={"mon":[["9","10:00"]]}');
    expect(code).toBe(1);
    expect(err).toContain("mon, interval 1");
    expect(err).not.toContain("    at ");
  });
});

describe("molva endpoint", () => {
  it("opens a door, rotates it by name, closes it, and shows each secret once", async () => {
    const made = await json("endpoint", "add", "Сайт", "ingress_rps=3");
    const line = ["endpoint", "rotate", "Сайт", "--reason", "смена"];
    const renewed = (await molva(...line)).out;
    expect(renewed).toContain("not shown again");
    expect(renewed).not.toContain(made.secret);
    const again = await json(...line);
    const { out } = await molva("endpoint", "list");
    expect(out).toContain(again.endpoint_id);
    expect(out).not.toContain(again.secret);
    expect((await molva("endpoint", "list", "--all")).out.match(/closed/g)).toHaveLength(2);
    expect((await molva("endpoint", "disable", "Сайт", "--reason", "закрываем")).out).toBe(
      "Сайт is disabled.",
    );
    expect((await molva("endpoint", "disable", "Нет", "--reason", "закрываем")).code).toBe(1);
  });
});

describe("molva workspace", () => {
  it("makes, changes, pauses and resumes workspaces", async () => {
    const { workspace_id: id } = await json("workspace", "add", "Второе", "timezone=Asia/Tokyo");
    expect(await json("workspace", "set", id, "name=Третье")).toMatchObject({
      name: "Третье",
      timezone: "Asia/Tokyo",
    });
    expect((await molva("workspace", "pause", "Третье", "--reason", "переезд")).out).toBe(
      "Третье is paused.",
    );
    expect((await molva("workspace", "resume", id, "--reason", "переехали")).out).toBe("Третье is active.");
    expect((await molva("workspace", "list")).out).toContain(id);
    expect(await molva("workspace", "set", id, "timezone=MSK")).toMatchObject({
      code: 1,
      err: expect.stringContaining("IANA"),
    });
    expect((await molva("workspace", "pause", id)).code).toBe(2);
  });
});

describe("molva limit and credential", () => {
  it("sets and lists limits", async () => {
    expect((await molva("limit", "set", "telegram", "news", "25")).out).toBe("telegram/news: 25 a second.");
    expect((await molva("limit", "set", "telegram", "news", "none")).out).toBe("telegram/news: no limit.");
    expect((await molva("limit", "list")).out).toMatch(/telegram +news +no limit/);
    expect((await molva("limit", "set", "telegram", "news", "fast")).code).toBe(2);
  });

  it("stores a token from a file and never shows it", async () => {
    const path = join(home, "token");
    writeFileSync(path, "123456:very-secret\n");
    expect((await molva("credential", "set", "telegram", "bot", "--token-file", path)).out).toBe(
      "Stored telegram/bot.",
    );
    const { out } = await molva("credential", "list");
    expect(out).toMatch(/telegram +bot +vault/);
    expect(JSON.stringify([out, await database.sql`select * from delivery.secrets`])).not.toContain(
      "very-secret",
    );
    expect((await molva("credential", "set", "telegram", "bot")).code).toBe(2);
    expect((await molva("credential", "set", "telegram", "bot", "--token-file", "/none")).code).toBe(2);
  });
});

describe("molva template", () => {
  it("saves versions from a file, shows them and activates one", async () => {
    const path = join(home, "news.liquid");
    writeFileSync(path, "<b>{{ text }}</b>");
    const save = ["template", "save", "news", "--file", path];
    expect((await molva(...save, "--activate")).out).toBe("news version 1 is saved and active.");
    expect((await molva(...save)).out).toContain("molva template activate news 2");
    expect((await molva("template", "activate", "news", "2")).out).toBe("news version 2 is active.");
    expect((await molva("template", "show", "news")).out).toContain("<b>{{ text }}</b>");
    expect((await molva("template", "list")).out).toMatch(/news +2 +active/);
    expect(await json("template", "show", "news", "1")).toMatchObject({ version: 1, versions: [{}, {}] });
    writeFileSync(path, "{% if %}");
    expect(await molva(...save)).toMatchObject({ code: 1, err: expect.stringContaining("line 1") });
    expect((await molva("template", "show", "none")).code).toBe(1);
  });
});

describe("molva source", () => {
  it("adds, changes, switches and shows sources", async () => {
    const config = 'config={"url":"https://example.com/feed.xml"}';
    expect(await json("source", "add", "habr", "rss", config, "every_seconds=600")).toMatchObject({
      every_seconds: 600,
    });
    expect(await json("source", "set", "habr", "every_seconds=900")).toMatchObject({ every_seconds: 900 });
    expect((await molva("source", "disable", "habr", "--reason", "шумит")).out).toBe("habr is disabled.");
    expect((await molva("source", "list")).out).toMatch(/habr +rss +off/);
    expect((await molva("source", "run", "habr")).err).toContain("disabled");
    expect((await molva("source", "enable", "habr")).out).toBe("habr is enabled.");
    expect((await molva("source", "show", "habr")).out).toContain("example.com");
    expect(await molva("source", "set", "habr", 'config={"url":"ftp://x"}')).toMatchObject({
      code: 1,
      err: expect.stringContaining("config/url"),
    });
  });

  it("says why a source could not be read", async () => {
    const config = 'config={"url":"http://127.0.0.1:1/feed.xml"}';
    await molva("source", "add", "inside", "rss", config);
    for (const line of [
      ["source", "run", "inside", "--dry-run"],
      ["source", "run", "inside"],
    ])
      expect(await molva(...line)).toMatchObject({
        code: 1,
        out: expect.stringContaining("source_refused"),
        err: "inside could not be read.",
      });
  });
});
