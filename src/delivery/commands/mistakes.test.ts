import { describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { addWorkspaceCommand } from "../../cli/commands/workspace.ts";
import { cliHarness } from "../../cli/testing/cli-harness.ts";
import { platformNames } from "../../platforms/index.ts";
import { explain } from "../../terminal/index.ts";
import { addAlert } from "./alert.ts";
import { addChannelCommand } from "./channel.ts";
import { addDelivery } from "./delivery.ts";
import { addEvent } from "./event.ts";
import { addLimitCommand } from "./limit.ts";
import { addMessage } from "./message.ts";
import { addSourceCommand } from "./source.ts";
import { addWhy } from "./why.ts";

const harness = cliHarness({
  home: tempFolder("cli-mistakes"),
  openDatabase: testDatabase,
  commands: {
    workspace: addWorkspaceCommand,
    channel: addChannelCommand,
    limit: addLimitCommand,
    source: addSourceCommand,
    alert: addAlert,
    delivery: addDelivery,
    event: addEvent,
    message: addMessage,
    why: addWhy,
  },
});
const { molva } = harness;

describe("a mistake at the command line", () => {
  it.each([
    [["limit", "set", "telegram", "bot", "1", "--reason", "x"], "--reason: At least 3 characters are needed"],
    [
      ["limit", "set", "telegram", "bot", "1", "--reason", "я".repeat(501)],
      "--reason: At most 500 characters are allowed",
    ],
    [["limit", "set", "pigeon", "bot", "1"], `platform: One of ${platformNames.join(", ")} is needed`],
    [["limit", "set", "telegram", "bot", "5000"], "rate_rps: At most 1000 is allowed"],
    [["channel", "add", "telegram", "-1", "rate_rps=fast", "--auth", "bot"], "rate_rps: A number is needed"],
    [
      ["channel", "add", "telegram", "-1", "send_mode=song", "--auth", "bot"],
      "send_mode: One of text, media, mixed is needed",
    ],
    [["channel", "add", "telegram", "-1", "settings=[]", "--auth", "bot"], "settings: An object is needed"],
    [["channel", "add", "telegram", "-1", "wings=2", "--auth", "bot"], "wings: Unknown field"],
    [["channel", "add", "telegram", "-1", "title=", "--auth", "bot"], "title: It must not be empty"],
    [["source", "add", "feed", "rss", "every_seconds=1"], "every_seconds: At least 10 is needed"],
    [["source", "add", "feed", "rss", "every_seconds=60"], "config: It is missing"],
    [
      ["workspace", "set", "{workspace}", 'settings={"policy":{"max_attempts":"many"}}'],
      "settings/policy/max_attempts: A number is needed",
    ],
  ])("%j is told in words of ours", async (line, words) => {
    const { code, err } = await molva(
      ...line.map((word) => (word === "{workspace}" ? harness.workspace : word)),
    );
    expect(err.split("\n")).toContain(words);
    expect(code).toBe(2);
    expect(err).not.toMatch(/Invalid (input|option)|Too (small|big)|expected/);
  });

  it.each([
    ["why", "not-an-id"],
    ["delivery", "show", "01a1e5ca'"],
    ["delivery", "cancel", "{}", "--reason", "проверка"],
    ["delivery", "list", "--message", "me"],
    ["message", "show", "я"],
    ["event", "list", "--delivery", "1=1"],
  ])("%j: what cannot be an id is told so, and no database is heard", async (...line) => {
    const { code, err } = await molva(...line);
    expect(err).toMatch(
      /is not an id: give the id of the .+ as lists print it, or enough of its beginning\./,
    );
    expect(code).toBe(2);
  });

  it.each([
    ["delivery", "show", "ffffffff"],
    ["message", "show", "ffffffff-ffff-7fff-8fff-ffffffffffff"],
    ["channel", "show", "Нет такого"],
    ["alert", "target", "show", "ffff"],
  ])("%j: what is not there is told so", async (...line) => {
    const { code, err } = await molva(...line);
    expect(err).toMatch(/^There is no .+ in this workspace\.$/);
    expect(code).toBe(1);
  });
});

describe("an error of PostgreSQL", () => {
  const faults = {
    "a malformed value": "select 'me'::uuid",
    "a missing table": "select from delivery.no_such_table",
    "a broken rule": "insert into workspaces.workspaces (name) values (null)",
    "an ended connection": "select pg_terminate_backend(pg_backend_pid())",
  };

  it.each(Object.entries(faults))("is a sentence of ours: %s", async (_, query) => {
    const error = await harness.sql.unsafe(query).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const { message, exitCode } = explain(error);
    expect(message).toMatch(/^[A-Z][^:]+(: [^:]+)?\.( \(PostgreSQL \w{5}\))?$/);
    expect(message).not.toMatch(/uuid|relation|column|null value|syntax|administrator/);
    expect(exitCode).toBe(query.includes("terminate") ? 3 : 1);
  });
});
