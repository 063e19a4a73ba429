import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { addWorkspaceCommand } from "../../cli/commands/workspace.ts";
import { cliHarness } from "../../cli/testing/cli-harness.ts";
import { aChannel } from "../testing/builders.ts";
import { addChannelCommand } from "./channel.ts";
import { addCredentialCommand } from "./credential.ts";
import { addEndpointCommand } from "./endpoint.ts";
import { addLimitCommand } from "./limit.ts";
import { addSourceCommand } from "./source.ts";
import { addTemplateCommand } from "./template.ts";

const harness = cliHarness({
  home: tempFolder("cli-configuration"),
  openDatabase: testDatabase,
  commands: {
    workspace: addWorkspaceCommand,
    endpoint: addEndpointCommand,
    channel: addChannelCommand,
    limit: addLimitCommand,
    credential: addCredentialCommand,
    template: addTemplateCommand,
    source: addSourceCommand,
  },
});
const { home, molva, json, lastEvent } = harness;

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
    // The rate that its group gets with it is the last event.
    expect(await lastEvent("channel_changed")).toMatchObject({
      meta: { operator: expect.stringMatching(/^command:uid:\d+@./), reason: "новый канал" },
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
    const id = await aChannel(harness.sql, harness.workspace, { title: "Спорт", target_id: "-100500" });
    for (const name of [id, id.slice(0, 30), id.slice(0, 30).toUpperCase(), "-100500", "Спорт"])
      expect((await json("channel", "show", name)).channel_id).toBe(id);
    expect(await molva("channel", "show", "Спор")).toMatchObject({
      code: 1,
      err: expect.stringContaining("no channel"),
    });
  });

  it("tells channels of one title apart by their platforms", async () => {
    const ids = [
      await aChannel(harness.sql, harness.workspace, { title: "Кино" }),
      await aChannel(harness.sql, harness.workspace, { title: "Кино", platform: "max" }),
    ];
    expect((await json("channel", "show", "telegram/Кино")).channel_id).toBe(ids[0]);
    expect((await json("channel", "show", "max/Кино")).channel_id).toBe(ids[1]);
  });

  it("pauses for seconds, minutes, hours or days", async () => {
    await aChannel(harness.sql, harness.workspace, { title: "Пауза" });
    const pause = (span: string) => molva("channel", "pause", "Пауза", "--for", span, "--reason", "обед");
    for (const [span, seconds] of [
      ["90", 90],
      ["10m", 600],
      ["2h", 7200],
    ] as const) {
      const from = Date.now();
      expect((await pause(span)).code).toBe(0);
      const { paused_until } = await json("channel", "show", "Пауза");
      expect(Math.abs(Date.parse(paused_until) - from - seconds * 1000)).toBeLessThan(30_000);
    }
    expect(await pause("soon")).toMatchObject({ code: 2, err: expect.stringContaining("10m, 2h, 1d") });
  });

  it("lists the candidates when a name fits more than one", async () => {
    const ids = [
      await aChannel(harness.sql, harness.workspace, { title: "Двойник" }),
      await aChannel(harness.sql, harness.workspace, { title: "Двойник" }),
    ];
    const { code, err } = await molva("channel", "disable", "Двойник", "--reason", "которого из двух");
    expect(code).toBe(2);
    for (const id of ids) expect(err).toContain(`${id}  Двойник (telegram`);
  });

  it("stores a credential from a file of its fields, and never repeats what is wrong in it", async () => {
    const file = join(tempFolder("fields"), "fields.json");
    const given = (text: string) => {
      writeFileSync(file, text);
      return molva("credential", "set", "max", "by-fields", "--fields-file", file);
    };
    expect(await given('{"token":"a-token-of-max"}')).toMatchObject({ code: 0 });
    expect(await given("hunter2")).toMatchObject({ code: 2, err: expect.stringContaining("no JSON object") });
    const wrong = await given('{"token":"a b","pasword":"hunter2"}');
    expect(wrong.code).toBe(2);
    expect(wrong.err).toMatch(/^pasword is not known/);
    expect(wrong.err).toContain("pasword is not known; there are token");
    expect(wrong.err).not.toContain("hunter2");
    expect(
      await molva("credential", "set", "max", "by-fields", "--fields-file", file, "--token-file", file),
    ).toMatchObject({ code: 2, err: expect.stringContaining("Give one of") });
  });

  it("refuses a bare token that the platform could not use, as it does a field", async () => {
    const file = join(tempFolder("token"), "key.txt");
    writeFileSync(file, "vk2.a-key-of-vk-id");
    const refused = await molva("credential", "set", "vk", "vk-id", "--token-file", file);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("is a VK ID key") });
    expect(refused.err).not.toContain("vk2.");
    expect((await molva("credential", "list")).out).not.toContain("vk-id");
  });

  it("refuses a variable that is not bound to the workspace", async () => {
    expect(await molva("credential", "set", "telegram", "sly", "--env", "DATABASE_URL")).toMatchObject({
      code: 1,
      err: expect.stringContaining(`DATABASE_URL=${harness.workspace}`),
    });
  });

  it.each([
    ["pause", ["--for", "60"]],
    ["disable", []],
    ["resume", []],
    ["rotate", ["next"]],
  ])("%s says in a rehearsal what would change, and then changes it", async (verb, args) => {
    const id = await aChannel(harness.sql, harness.workspace, { title: "Проба", enabled: verb !== "resume" });
    await molva("credential", "set", "telegram", "next", "--env", "NEXT_BOT");
    const read = async () => (await harness.sql`select * from delivery.channels where channel_id = ${id}`)[0];
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

  // covers autoposting: 7) Disable channel group; 8) Enable channel group
  it("switches a whole rate group", async () => {
    for (const title of ["Один", "Два"])
      await aChannel(harness.sql, harness.workspace, { title, rate_group: "общая" });
    const report = await json("channel", "disable", "--group", "общая", "--reason", "бот заблокирован");
    expect(report.channels).toMatchObject([{ state: "disabled" }, { state: "disabled" }]);
    expect((await lastEvent())?.meta).toMatchObject({ rate_group: "общая" });
    expect((await molva("channel", "enable", "--group", "общая", "--reason", "вернули")).code).toBe(0);
  });

  it("deletes, with a rehearsal first", async () => {
    await aChannel(harness.sql, harness.workspace, { title: "Лишний" });
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
    await aChannel(harness.sql, harness.workspace, { title: "Х" });
    const { code, err } = await molva("channel", ...args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(said) });
  });

  it("repeats what the database says of a window that nobody can keep", async () => {
    await aChannel(harness.sql, harness.workspace, { title: "Окно" });
    const { code, err } = await molva("channel", "set", "Окно", 'posting_window={"mon":[["9","10:00"]]}');
    expect(code).toBe(1);
    expect(err).toContain("mon, interval 1");
    expect(err).not.toContain("    at ");
  });
});

describe("molva endpoint", () => {
  it("opens a door, rotates it by name, closes it, and shows each secret once", async () => {
    const made = await json("endpoint", "add", "Сайт", "ingress_rps=3");
    const line = ["endpoint", "rotate", "Сайт", "--overlap", "0", "--reason", "смена"];
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

  it("gives a door a signing secret, and says how long an old secret works and how to end it", async () => {
    const made = await json("endpoint", "add", "Магазин");
    const { out: signing } = await molva("endpoint", "sign", "Магазин", "--reason", "подписи");
    expect(signing).toContain(`/api/v1/ingest/${made.address} are signed with this secret:\nwhsec_`);
    const { out } = await molva("endpoint", "rotate", "Магазин", "--overlap", "2h", "--reason", "смена");
    expect(out).toContain(`molva endpoint disable ${made.endpoint_id}`);
    expect((await molva("endpoint", "list")).out).toMatch(/old secret until .+Z, not used since/);
    await molva("endpoint", "disable", made.endpoint_id, "--reason", "все перешли");
    expect((await molva("endpoint", "list")).out).not.toContain(made.endpoint_id);
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

  it.each([
    [["source", "add", "feed", "rss", "secret=Bearer x"], "--secret-file"],
    [["endpoint", "add", "site", "secret=0123456789abcdef0123"], "--secret-file"],
    [["endpoint", "rotate", "site", "--secret", "x", "--reason", "пробуем"], "unknown option"],
    [["credential", "set", "telegram", "bot", "--token", "123456:x"], "unknown option"],
  ])("takes no secret from the command line: %j", async (line, words) => {
    expect(await molva(...line)).toMatchObject({ code: 2, err: expect.stringContaining(words) });
  });

  it("takes an endpoint's own secret from a file", async () => {
    const path = join(home, "endpoint-secret");
    writeFileSync(path, "a-secret-of-our-own-0123456789\n");
    expect(await json("endpoint", "add", "site", "--secret-file", path)).toMatchObject({
      secret: "a-secret-of-our-own-0123456789",
    });
  });

  it("stores a token from a file and never shows it", async () => {
    const path = join(home, "token");
    writeFileSync(path, "123456:very-secret\n");
    expect((await molva("credential", "set", "telegram", "bot", "--token-file", path)).out).toBe(
      "Stored telegram/bot.",
    );
    const { out } = await molva("credential", "list");
    expect(out).toMatch(/telegram +bot +vault/);
    expect(JSON.stringify([out, await harness.sql`select * from workspaces.secrets`])).not.toContain(
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

describe("molva endpoint and workspace", () => {
  it("show and change one", async () => {
    const { secret } = await json("endpoint", "add", "Сайт");
    expect(await json("endpoint", "set", "Сайт", "keep_bodies=true", "ingress_rps=2")).toMatchObject({
      keep_bodies: true,
      ingress_rps: 2,
    });
    const { out } = await molva("endpoint", "show", "Сайт");
    expect(out).toMatch(/keep_bodies +true/);
    expect(out).toMatch(/mode +secret/);
    expect(out).not.toContain(secret);
    expect((await molva("workspace", "show", harness.workspace)).out).toContain(harness.workspace);
    const policy = 'settings={"policy":{"max_attempts":7}}';
    expect((await molva("workspace", "set", harness.workspace, policy)).out).toContain(
      '{"policy":{"max_attempts":7}}',
    );
    expect(
      (await molva("workspace", "set", harness.workspace, 'settings={"policy":{"max_attempts":500}}')).err,
    ).toBe("policy.max_attempts must be from 1 to 100");
  });
});

describe("molva source ingest", () => {
  it("takes items of a file as if the source had listed them", async () => {
    await molva("source", "add", "cms", "rss", 'config={"url":"https://example.com/rss"}');
    await aChannel(harness.sql, harness.workspace);
    const path = join(home, "items.json");
    const items = [
      { source_ref: "1", payload: { text: "Раз" } },
      { source_ref: "2", payload: {} },
    ];
    writeFileSync(path, JSON.stringify(items));
    expect(await molva("source", "ingest", "cms", "--file", path)).toMatchObject({
      code: 1,
      out: "Took 2: 1 posted, 0 known already, 1 refused.",
      err: expect.stringContaining("molva event list --errors"),
    });
    expect(await json("source", "ingest", "cms", "--file", path)).toMatchObject({ dedup_dropped: 2 });
    expect((await molva("source", "ingest", "none", "--file", path)).err).toBe("There is no source none.");
    writeFileSync(path, "[");
    expect(await molva("source", "ingest", "cms", "--file", path)).toMatchObject({
      code: 2,
      err: expect.stringContaining("is not JSON"),
    });
    await molva("source", "disable", "cms", "--reason", "чинят");
    writeFileSync(path, JSON.stringify(items));
    expect((await molva("source", "ingest", "cms", "--file", path)).err).toContain("enable it first");
  });
});
