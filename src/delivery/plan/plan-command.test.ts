import { expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { cliHarness } from "../../cli/testing/cli-harness.ts";
import { addDelivery } from "../commands/delivery.ts";
import { aDelivery } from "../deliveries/testing/a-delivery.ts";
import { aChannel } from "../testing/builders.ts";
import { planCommand } from "./plan-command.ts";

const harness = cliHarness({
  home: tempFolder("cli-plan"),
  openDatabase: testDatabase,
  commands: { plan: planCommand([]), delivery: addDelivery },
  environment: { MOLVA_ENV: "development" },
});
const { molva, json } = harness;
const soon = (seconds: number) => new Date(Date.now() + seconds * 1000);

it("molva plan shows the days with what decides each time, and what stands still", async () => {
  const { sql, workspace } = harness;
  expect((await molva("plan")).out).toBe("Nothing goes out in this time.");
  const channel = await aChannel(sql, workspace, { title: "Новости" });
  const id = await aDelivery(sql, workspace, channel, { not_before: soon(3600), scheduled_for: soon(3600) });
  const off = await aChannel(sql, workspace, { title: "Выключен", enabled: false });
  const stopped = await aDelivery(sql, workspace, off);
  const held = await aDelivery(sql, workspace, channel, { held_at: soon(-9), hold_reason: "stale" });
  const { out } = await molva("plan");
  expect(out).toMatch(/^\d{4}-\d\d-\d\d\nTIME +ZONE/);
  expect(out).toMatch(/Europe\/Moscow +Новости \(telegram\) +post +scheduled +Пост/);
  expect(out).toContain(`${stopped}  Выключен (telegram): does not go out by itself: channel_disabled`);
  expect(out).toContain(`${held}  Новости (telegram): held: stale`);
  expect(await json("plan", "--channel", "Новости")).toMatchObject({ items: [{ id }], stopped: [] });
  expect((await json("plan", "--from", "2h")).items).toEqual([]);
  expect(await molva("plan", "--to", "40d")).toMatchObject({
    code: 1,
    err: expect.stringContaining("35 days at most"),
  });
});

it("molva plan --if shows the difference, and molva delivery reschedule is in the plan then", async () => {
  const { sql, workspace } = harness;
  const channel = await aChannel(sql, workspace, { title: "Новости", rate_rps: 0.1 });
  for (let index = 0; index < 3; index++) await aDelivery(sql, workspace, channel, { now: soon(index - 9) });
  const changed = await molva("plan", "--if", "channel", "Новости", "rate_rps=1");
  expect(changed.out).toContain("2 earlier, 0 later, 0 never, 0 again, 1 as before");
  expect(changed.out).toMatch(/earlier +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +\d{4}/);
  expect((await molva("plan", "--if", "channel", "Новости", "enabled=false")).out).toContain("3 never");
  for (const wrong of [
    ["channel", "Новости"],
    ["limit", "x", "rate_rps=1"],
    ["channel", "Новости", "title=А"],
  ])
    expect(await molva("plan", "--if", ...wrong)).toMatchObject({ code: 2 });

  const [first] = (await json("plan")).items;
  const moved = await molva("delivery", "reschedule", first.id, "2h", "--reason", "позже");
  expect(moved).toMatchObject({ code: 0, out: expect.stringMatching(/queued, at \d{4}/) });
  expect((await json("plan", "--from", "1h")).items).toMatchObject([
    { id: first.id, delivery: { reason: "scheduled" } },
  ]);
  expect(
    await molva("delivery", "reschedule", first.id, "2020-01-01T00:00Z", "--reason", "раньше"),
  ).toMatchObject({
    code: 1,
    out: expect.stringContaining("the time is in the past"),
  });
});
