import { expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { cliHarness } from "../../cli/testing/cli-harness.ts";
import { runCommand } from "../../cli/testing/run-command.ts";
import { addAdvisor } from "./advisor.ts";

const { molva, json, lastEvent } = cliHarness({
  home: tempFolder("cli-advisor"),
  openDatabase: async () => {
    const database = await testDatabase();
    await database.sql`select workspaces.ensure_event_partitions()`;
    return database;
  },
  commands: { advisor: addAdvisor },
  environment: { MOLVA_ENV: "development", FREE_DAILY_LIMIT: "5" },
});

// covers advisor: Operators
it("gives a person Pro, writes the reason to the audit trail, and takes Pro back", async () => {
  expect((await molva("advisor", "plan", "set", "77", "pro", "--reason", "оплатил")).out).toContain(
    "77 is on the plan pro",
  );
  const { items } = await json("advisor", "users", "--plan", "pro");
  expect(items).toMatchObject([{ telegram_user_id: 77, plan: "pro" }]);
  // Both the change and the reading are on record.
  expect(await lastEvent()).toMatchObject({
    action: "people_read",
    meta: { object: "advisor_users", count: 1 },
  });
  expect(await lastEvent("config_changed")).toMatchObject({
    meta: { object: "advisor_plan", user_id: items[0].user_id, reason: "оплатил" },
  });
  await molva("advisor", "plan", "set", "77", "free");
  expect((await molva("advisor", "users")).out).toMatch(/77 +free/);
});

it("says what is wrong with an id or a plan", async () => {
  expect((await molva("advisor", "plan", "set", "ivan", "pro")).err).toContain(
    "the number that Telegram knows",
  );
  expect((await molva("advisor", "plan", "set", "77", "gold")).err).toContain("free or pro");
});

it("tells what each plan allows", async () => {
  const environment = { MOLVA_ENV: "development", FREE_DAILY_LIMIT: "5" };
  const { out } = await runCommand(addAdvisor, ["advisor", "plan", "list"], environment);
  expect(out).toMatch(/free +5 +25 s[\s\S]*pro +no limit/);
});

it("tells usage by plan", async () => {
  expect((await molva("advisor", "usage")).out).toMatch(/PLAN[\s\S]*free +0[\s\S]*pro +0/);
});
