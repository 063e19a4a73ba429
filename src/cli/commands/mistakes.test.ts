import { describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { cliStand } from "../testing/cli-stand.ts";
import { addChannelCommand } from "./channel.ts";
import { addLimitCommand } from "./limit.ts";
import { addSourceCommand } from "./source.ts";
import { addWorkspaceCommand } from "./workspace.ts";

const stand = cliStand({
  home: tempFolder("cli-mistakes"),
  openDatabase: testDatabase,
  commands: {
    workspace: addWorkspaceCommand,
    channel: addChannelCommand,
    limit: addLimitCommand,
    source: addSourceCommand,
  },
});
const { molva } = stand;

describe("a mistake at the command line", () => {
  it.each([
    [["limit", "set", "telegram", "bot", "1", "--reason", "x"], "--reason: At least 3 characters are needed"],
    [
      ["limit", "set", "telegram", "bot", "1", "--reason", "я".repeat(501)],
      "--reason: At most 500 characters are allowed",
    ],
    [["limit", "set", "pigeon", "bot", "1"], "platform: One of telegram, max is needed"],
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
      ...line.map((word) => (word === "{workspace}" ? stand.workspace : word)),
    );
    expect(err.split("\n")).toContain(words);
    expect(code).toBe(2);
    expect(err).not.toMatch(/Invalid (input|option)|Too (small|big)|expected/);
  });
});
