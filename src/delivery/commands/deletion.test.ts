import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { cliHarness } from "../../cli/testing/cli-harness.ts";
import { aChannel } from "../testing/builders.ts";
import { addCredentialCommand } from "./credential.ts";
import { addEndpointCommand } from "./endpoint.ts";
import { addLimitCommand } from "./limit.ts";
import { addSourceCommand } from "./source.ts";
import { addTemplateCommand } from "./template.ts";

const harness = cliHarness({
  home: tempFolder("cli-deletion"),
  openDatabase: testDatabase,
  commands: {
    limit: addLimitCommand,
    credential: addCredentialCommand,
    template: addTemplateCommand,
    source: addSourceCommand,
    endpoint: addEndpointCommand,
  },
});
const { home, molva, json, lastEvent } = harness;

describe("molva … delete", () => {
  const because = ["--reason", "больше не нужно"];

  it.each([
    ["limit", "the limit of telegram/bot", ["telegram", "bot"], ["limit", "set", "telegram", "bot", "5"]],
    [
      "credential",
      "telegram/spare",
      ["telegram", "spare"],
      ["credential", "set", "telegram", "spare", "--env", "B"],
    ],
    [
      "source",
      "feed",
      ["feed"],
      ["source", "add", "feed", "rss", 'config={"url":"https://example.com/rss"}'],
    ],
  ])("%s: says what would go, and then lets it go with a reason", async (kind, name, key, make) => {
    await molva(...make);
    const rehearsal = await molva(kind, "delete", ...key, ...because, "--dry-run");
    expect(rehearsal).toMatchObject({ code: 0, out: `Would delete ${name}; nothing was changed.` });
    expect(await molva(kind, "delete", ...key, ...because)).toMatchObject({ out: `Deleted ${name}.` });
    expect((await lastEvent())?.meta).toMatchObject({
      object: kind,
      deleted: true,
      reason: "больше не нужно",
    });
    expect(await molva(kind, "delete", ...key, ...because)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^There is no /),
    });
    expect((await molva(kind, "delete", ...key)).code).toBe(2);
  });

  it("credential and template name the channels that are in the way", async () => {
    const path = join(home, "kept.liquid");
    writeFileSync(path, "{{ text }}");
    await molva("template", "save", "kept", "--file", path, "--activate");
    await molva("credential", "set", "telegram", "bot", "--env", "BOT");
    for (const title of ["Первый", "Второй", "Третий", "Четвёртый"])
      await aChannel(harness.sql, harness.workspace, { title, template_ref: "kept" });
    expect(await molva("credential", "delete", "telegram", "bot", ...because)).toMatchObject({
      code: 1,
      err: "The credential is still used by 4 channels (Первый, Второй, Третий, …): rotate to another first.",
    });
    expect(await molva("template", "delete", "kept", ...because, "--dry-run")).toMatchObject({
      code: 1,
      err: "The template still writes the posts of 4 channels (Первый, Второй, Третий, …): give them another first.",
    });
    await harness.sql`update delivery.channels set template_ref = null where workspace_id = ${harness.workspace}`;
    expect((await molva("template", "delete", "kept", ...because)).out).toBe("Deleted kept.");
  });

  it("endpoint: a closed one only, and not the one of a source", async () => {
    await molva("endpoint", "add", "CMS");
    expect((await molva("endpoint", "delete", "CMS", ...because)).err).toContain("disable it first");
    await molva("endpoint", "disable", "CMS", ...because);
    expect((await molva("endpoint", "delete", "CMS", ...because, "--dry-run")).out).toMatch(
      /^Would delete .* CMS/,
    );
    expect((await molva("endpoint", "delete", "CMS", ...because)).out).toMatch(/^Deleted .* CMS/);
    expect((await molva("endpoint", "list", "--all")).out).toBe("No endpoints.");
    await molva("source", "add", "feed", "rss", 'config={"url":"https://example.com/rss"}');
    const { endpoint_id } = await json("source", "show", "feed");
    expect((await molva("endpoint", "delete", endpoint_id, ...because)).err).toContain(
      "belongs to the source feed",
    );
  });
});
