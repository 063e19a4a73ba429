import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { cliHarness } from "../../cli/testing/cli-harness.ts";
import { aChannel } from "../testing/builders.ts";
import { addAlert } from "./alert.ts";
import { addMonitor } from "./monitor.ts";

const harness = cliHarness({
  home: tempFolder("cli-watching"),
  openDatabase: testDatabase,
  commands: {
    monitor: addMonitor,
    alert: addAlert,
  },
});
const { home, molva, json } = harness;

describe("molva monitor", () => {
  it("shows and changes when people are told", async () => {
    expect((await molva("monitor", "settings")).out).toMatch(/alert_cooldown_seconds +300/);
    const changed = await json("monitor", "settings", "alert_cooldown_seconds=900", "--reason", "реже");
    expect(changed).toMatchObject({ alert_cooldown_seconds: 900, failed_permanent_threshold: 5 });
    expect(await json("monitor", "settings", "alert_cooldown_seconds=null")).toMatchObject({
      alert_cooldown_seconds: 300,
    });
    expect(await molva("monitor", "settings", "alert_cooldown_seconds=0")).toMatchObject({
      code: 2,
      err: "alert_cooldown_seconds: At least 1 is needed",
    });
  });

  it("tells how things are, and makes a round", async () => {
    expect((await molva("monitor", "health")).out).toMatch(
      /now +queued 0, claimed 0(.|\n)*No errors in the last hour/,
    );
    expect(await json("monitor", "health", "--all")).toMatchObject({ top_errors: expect.any(Array) });
    expect((await molva("monitor", "run")).out).toBe("Nothing to tell.");
    await molva("monitor", "settings", "paused_channels_threshold=0");
    await aChannel(harness.sql, harness.workspace, { paused_until: new Date(Date.now() + 60_000) });
    expect(await molva("monitor", "run", "--skip-notifications")).toMatchObject({
      code: 0,
      out: "paused_channels_threshold: 1\nNobody was told, as asked.",
    });
    expect((await molva("monitor", "run")).out).toContain("There is nobody to tell: molva alert target add.");
    expect((await molva("alert", "list")).out).toMatch(/nobody +paused_channels_threshold \(1\)/);
  });

  it("ends with exit code 1 when somebody could not be told", async () => {
    await molva("monitor", "settings", "paused_channels_threshold=0");
    await aChannel(harness.sql, harness.workspace, { paused_until: new Date(Date.now() + 60_000) });
    await molva("alert", "target", "add", "email", "to=ops@example.com");
    expect(await molva("monitor", "run")).toMatchObject({
      code: 1,
      out: expect.stringMatching(/Not everybody could be told:\n {2}email [-0-9a-f]+: no mail server is set/),
      err: expect.stringContaining("tried again"),
    });
  });
});

describe("molva alert target", () => {
  it("adds, shows, changes, lists and removes targets, and never shows a secret", async () => {
    const path = join(home, "bot-token");
    writeFileSync(path, `7007:${"D".repeat(35)}\n`);
    const { target_id } = await json(
      ...[
        "alert",
        "target",
        "add",
        "telegram",
        "chat_id=-1001234567890",
        "--secret-file",
        path,
        "--language",
        "en",
      ],
    );
    await molva("alert", "target", "add", "email", "to=a@example.com,b@example.com", "--reason", "дежурные");
    const { out } = await molva("alert", "target", "list");
    expect(out).toMatch(/telegram +on +en +0 +0 +-1001234567890/);
    expect(out).toMatch(/email +on +ru +0 +0 +a@example.com, b@example.com/);
    const changed = await molva("alert", "target", "set", target_id, "thread_id=5", "--enabled", "no");
    expect(changed.out).toMatch(/enabled +false/);
    expect((await molva("alert", "target", "show", target_id)).out).toContain('"thread_id":5');
    expect(JSON.stringify([out, changed, await harness.sql`select * from workspaces.secrets`])).not.toContain(
      "DDD",
    );
    const remove = ["alert", "target", "remove", target_id, "--reason", "ушёл"];
    expect((await molva(...remove, "--dry-run")).out).toMatch(/^Would delete .*telegram -1001234567890/);
    expect((await molva(...remove)).out).toMatch(/^Deleted /);
    expect((await molva(...remove)).err).toContain("There is no alert target");
  });

  it("says whether a test arrived", async () => {
    const { target_id } = await json("alert", "target", "add", "webhook", "url=http://127.0.0.1:8080/hook");
    expect(await molva("alert", "target", "test", target_id)).toMatchObject({
      code: 1,
      err: expect.stringContaining("127.0.0.1 is not a public address"),
    });
  });

  it.each([
    [["alert", "target", "add", "pigeon", "to=x"], "There is no kind pigeon: give telegram, webhook, email."],
    [["alert", "target", "add", "telegram", "chat_id=1"], "Telegram needs the bot's token"],
    [["alert", "target", "add", "email", "to=nobody"], "e-mail address"],
    [["alert", "target", "add", "webhook", "uri=https://example.com"], "config/uri: Unknown field"],
    [
      ["alert", "target", "add", "webhook", "url=https://e.com", "--secret-file", "a", "--secret-env", "B"],
      "Give one of",
    ],
    [["alert", "target", "add", "email", "to=a@example.com", "--language", "de"], "One of ru, en is needed"],
  ])("%j is a mistake in words", async (line, words) => {
    expect(await molva(...line)).toMatchObject({ code: 2, err: expect.stringContaining(words) });
  });
});
