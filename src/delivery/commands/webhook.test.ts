import { expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { cliHarness } from "../../cli/testing/cli-harness.ts";
import { addWebhookCommand } from "./webhook.ts";

const harness = cliHarness({
  home: tempFolder("cli-webhook"),
  openDatabase: testDatabase,
  commands: { webhook: addWebhookCommand },
});
const { molva, json } = harness;

it("adds a webhook, shows its secret once and the path of its address never, changes, rotates and removes it", async () => {
  const made = await json(
    "webhook",
    "add",
    "https://example.com/hooks/key-in-path",
    "types=delivery.sent,delivery.dead",
  );
  expect(made).toMatchObject({ types: ["delivery.sent", "delivery.dead"], url: "https://example.com/…" });
  expect(made.secret).toMatch(/^whsec_/);
  const { out: list } = await molva("webhook", "list");
  const { out: one } = await molva("webhook", "show", made.webhook_id.slice(0, 13));
  for (const text of [list, one]) {
    expect(text).toContain(made.webhook_id);
    expect(text).not.toMatch(/key-in-path|whsec_/);
  }
  expect(await json("webhook", "change", made.webhook_id, "types=null", "enabled=false")).toMatchObject({
    types: null,
    enabled: false,
  });
  const { out: rotated } = await molva(
    "webhook",
    "rotate",
    made.webhook_id,
    "--overlap",
    "2h",
    "--reason",
    "смена",
  );
  expect(rotated).toMatch(/not shown again:\nwhsec_.+\nUntil .+ they are signed with the old one, too\./);
  expect((await molva("webhook", "rotate", made.webhook_id)).code).toBe(2);
  await molva("webhook", "remove", made.webhook_id, "--reason", "не нужен");
  expect((await molva("webhook", "list")).out).toBe("No webhooks: molva webhook add.");
});

it("tests, logs and replays", async () => {
  const { webhook_id: id } = await json("webhook", "add", "http://127.0.0.1:8443/");
  const tested = await molva("webhook", "test", id);
  expect(tested).toMatchObject({ code: 1, err: expect.stringContaining("not a public address") });
  const { items } = await json("webhook", "log", id);
  expect(items).toMatchObject([{ type: "webhook.test", status: "failed", attempts: 1 }]);
  expect((await molva("webhook", "log", id, "--status", "sent")).out).toBe("Nothing yet.");
  expect((await molva("webhook", "log", id, items[0].event_id)).out).toContain("webhook.test");
  expect((await molva("webhook", "replay", id, "--failed-since", "1h")).out).toBe(
    "1 message will be sent again.",
  );
  expect((await molva("webhook", "replay", id, items[0].event_id)).out).toBe("1 message will be sent again.");
  expect((await molva("webhook", "replay", id)).code).toBe(2);
  expect((await molva("webhook", "replay", id, "01a1")).code).toBe(2);
});
