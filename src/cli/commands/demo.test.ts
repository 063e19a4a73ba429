import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningSystem, startSystem } from "../../../tests/support/running-system.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { openVault } from "../../configured/index.ts";
import { addChannelCommand } from "../../delivery/commands/channel.ts";
import { cast } from "../../delivery/demo/play/cast.ts";
import { playDemo } from "../../delivery/demo/play/play.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import { configFrom } from "../../modules.ts";
import { runCommand } from "../testing/run-command.ts";
import { addDemo } from "./demo.ts";
import { addSeed } from "./seed.ts";

const MOLVA_ENCRYPTION_KEYS = `${"A".repeat(43)}=`;

describe("on a running system", () => {
  let running: RunningSystem;
  let environment: Record<string, string>;
  let channels: number;
  const countChannels = async () =>
    (await running.database.sql`select count(*)::int as count from delivery.channels`)[0]?.count;
  beforeAll(async () => {
    running = await startSystem({ environment: { MOLVA_ENCRYPTION_KEYS } });
    environment = {
      MOLVA_ENCRYPTION_KEYS,
      MOLVA_HOME: tempFolder("home"),
      MOLVA_PORT: new URL(running.system.url() ?? "").port,
      MOLVA_TWIN_PORT: new URL(running.twinsUrl).port,
      DATABASE_URL: running.database.url,
    };
    channels = await countChannels();
  });
  afterAll(() => running.stop());

  it("starts again whatever channels people added, and tells whose chats the twins cannot play", async () => {
    const targets = [
      ["telegram", "-1005550001"],
      ["telegram", "-5550002"],
      ["telegram", "@my_own_channel"],
      ["max", "-5550003"],
      ["max", "user:77"],
      ["max", "-5550000000000000004"],
    ] as const;
    const added = [];
    for (const [platform, target] of targets)
      added.push(
        await runCommand(
          addChannelCommand,
          ["channel", "add", platform, "--auth", "demo-bot", "--", target],
          {
            ...environment,
          },
        ),
      );
    expect(added.map(({ code, err }) => ({ code, err }))).toEqual(targets.map(() => ({ code: 0, err: "" })));

    expect((await running.system.seed("nothing")).slice(1)).toEqual([
      expect.stringMatching(/^ +max -5550000000000000004: /),
    ]);
    const { code, out } = await runCommand(addSeed, ["seed"], environment);
    expect(code).toBe(0);
    expect(out).toContain(`has ${channels + targets.length} channels.\n`);
    expect(out).toMatch(/\n.+двойников.+\n +max -5550000000000000004: /);
    await running.database.sql`delete from delivery.channels where auth_ref = 'demo-bot'`;
  });

  const left = async () => {
    const [row] = await running.database.sql`
      select (select count(*)::int from workspaces.workspaces where name = ${cast.workspace}) as workspaces,
             (select count(*)::int from workspaces.events e
              where not exists (select from workspaces.workspaces w where w.workspace_id = e.workspace_id)) as events,
             (select count(*)::int from delivery.channels) as channels`;
    const chats = await Promise.all(
      Object.entries(cast.firstChat).map(([provider, chat]) => running.messages(provider, String(chat))),
    );
    return { ...row, messages: chats.flat().length };
  };

  // covers autoposting: Key guarantees; Demo criteria; Point 13
  it("plays the four criteria, shows each step, and takes away what it made", async () => {
    const { code, out, err } = await runCommand(addDemo, ["demo"], environment);
    expect(err).toBe("");
    expect(out).toMatch(/^Playing on the system at http:\/\/127\.0\.0\.1:\d+\.\n\n1\. A channel is a row/);
    for (const number of [2, 3, 4]) expect(out).toContain(`\n${number}. `);
    expect(out).not.toContain("✗");
    expect(out).toContain("✓ 4 of 4 criteria hold");
    expect(code).toBe(0);
    expect(await left()).toEqual({ workspaces: 0, events: 0, channels, messages: 0 });
  });

  it("answers with one line of JSON when asked, and can be repeated", async () => {
    const { code, out } = await runCommand(addDemo, ["demo", "--json"], environment);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      criteria: [
        { name: "config_driven_channel", ok: true },
        { name: "too_many_requests", ok: true },
        { name: "per_channel_dedup", ok: true },
        { name: "bad_channel_isolation", ok: true },
      ],
    });
  });

  // covers autoposting: Demo criteria
  it("says which criterion fails when the provider is really broken, and still cleans up", async () => {
    await running.fault(
      { provider: "telegram", chat: String(cast.firstChat.telegram) },
      { kind: "status", status: 500 },
      99,
    );
    const config = configFrom(environment);
    const report = await playDemo(
      {
        sql: running.database.sql,
        clock: systemClock,
        vault: await openVault(config),
        serverUrl: running.system.url() ?? "",
        twinsUrl: running.twinsUrl,
      },
      { begins: () => {}, step: () => {}, checked: () => {} },
      { withinMs: 12_000 },
    );
    expect(report.ok).toBe(false);
    expect(report.criteria.map(({ ok }) => ok)).toEqual([false, true, true, true]);
    expect(report.criteria[0]?.checks).toEqual([{ text: "it arrives in that channel", ok: false }]);
    expect(await left()).toMatchObject({ workspaces: 0, events: 0 });
  });
});

describe("where nothing runs", () => {
  // covers autoposting: Demo criteria
  it("starts a system of its own in a temporary home and removes it afterwards", async () => {
    const homes = () => readdirSync(tmpdir()).filter((name) => name.startsWith("molva-demo-"));
    const before = homes();
    const home = tempFolder("own-home");
    const { code, out, err } = await runCommand(addDemo, ["demo"], {
      MOLVA_HOME: home,
      MOLVA_PORT: "1",
      MOLVA_TWIN_PORT: "2",
    });
    expect(err).toBe("");
    expect(out).toContain("starting one for the demo");
    expect(out).toContain("✓ 4 of 4 criteria hold");
    expect(code).toBe(0);
    expect(homes()).toEqual(before);
    expect(existsSync(`${home}/pg`)).toBe(false);
  });
});
