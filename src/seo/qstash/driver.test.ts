import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type QStashHarness, qstashHarness } from "../../../tests/support/qstash-harness.ts";
import { RemoteScheduleError } from "./driver.ts";
import { cronOf } from "./remote-slots.ts";

let harness: QStashHarness;
beforeAll(async () => {
  harness = await qstashHarness();
});
beforeEach(() => harness.reset());
afterAll(() => harness?.close());

const fault = (method: string, fault: object, times?: number) =>
  harness.twins.control("POST", "/faults", { provider: "qstash", method, fault, ...(times && { times }) });

describe("A schedule at QStash", () => {
  // covers seo: F10
  it("is one remote schedule per slot, in the project's zone, with a body that says what to publish", async () => {
    const schedule = await harness.schedule();
    await harness.driver.arrange(schedule);
    const remote = await harness.remote();
    expect(remote.map(({ cron }) => cron)).toEqual([
      "CRON_TZ=Europe/Moscow 0 10 * * 1,5",
      "CRON_TZ=Europe/Moscow 0 18 * * 1,5",
    ]);
    expect(remote[0]).toMatchObject({
      destination: `${harness.server.url()}/api/publish`,
      retries: 3,
      method: "POST",
    });
    const { workspaceId, scheduleId, categoryId, connectionId, userId, projectId } = schedule;
    expect(JSON.parse(remote[0].body)).toEqual({
      ...{ schedule_id: scheduleId, category_id: categoryId, connection_id: connectionId },
      ...{ platform_type: "telegram", user_id: userId, project_id: projectId },
      ...{ idempotency_key: `pub_${scheduleId}_10:00`, workspace_id: workspaceId, slot: "10:00" },
    });
    expect(await harness.idsOf(schedule)).toEqual(remote.map(({ scheduleId: id }) => id));
  });

  it("follows every change, may be arranged again, and is gone when it is switched off", async () => {
    const schedule = await harness.schedule();
    await harness.driver.arrange(schedule);
    const remoteIds = await harness.idsOf(schedule);
    await harness.driver.arrange({ ...schedule, remoteIds });
    expect(await harness.remote()).toHaveLength(2);
    const moved = { ...schedule, remoteIds, times: ["10:00", "12:30", "20:00"], zone: "Asia/Almaty" };
    await harness.driver.arrange(moved);
    expect((await harness.remote()).map(({ cron }) => cron)).toEqual([
      "CRON_TZ=Asia/Almaty 0 10 * * 1,5",
      "CRON_TZ=Asia/Almaty 30 12 * * 1,5",
      "CRON_TZ=Asia/Almaty 0 20 * * 1,5",
    ]);
    await harness.driver.arrange({ ...moved, remoteIds: await harness.idsOf(schedule), enabled: false });
    expect([await harness.remote(), await harness.idsOf(schedule)]).toEqual([[], []]);
  });

  it("is made whole or not at all, and the person hears why", async () => {
    const schedule = await harness.schedule({ times: ["09:00", "12:00", "18:00"] });
    await harness.control("PATCH", "/options", { schedule_quota: 2 });
    const error = await harness.driver.arrange(schedule).catch((caught) => caught);
    expect(error).toBeInstanceOf(RemoteScheduleError);
    expect(error).toMatchObject({ isRefused: true, message: expect.stringContaining("412") });
    expect(harness.told.at(-1)).toBe(error.said);
    expect([await harness.remote(), await harness.idsOf(schedule)]).toEqual([[], []]);
    await harness.control("PATCH", "/options", { schedule_quota: 3 });
    await harness.driver.arrange(schedule);
    expect(await harness.remote()).toHaveLength(3);
  });

  it("is tried again while QStash is in trouble, and known even if its answers get lost", async () => {
    const schedule = await harness.schedule();
    await fault("POST /schedules", { kind: "status", status: 500 }, 2);
    await harness.driver.arrange(schedule);
    expect(await harness.remote()).toHaveLength(2);
    const other = await harness.schedule();
    await fault("POST /schedules", { kind: "drop_after" });
    await fault("DELETE /schedules/{id}", { kind: "status", status: 500 });
    await expect(harness.driver.arrange(other)).rejects.toMatchObject({ isRefused: false });
    const remoteIds = await harness.idsOf(other);
    // Only the first was asked for.
    expect(remoteIds).toHaveLength(1);
    await harness.twins.control("DELETE", "/faults");
    await harness.driver.cancel([{ ...other, remoteIds }]);
    expect(await harness.remote()).toHaveLength(2);
  });

  // covers seo: E11; E24
  it("is removed at QStash before its row may go; while that fails, nothing is cancelled", async () => {
    const schedule = await harness.schedule();
    await harness.driver.arrange(schedule);
    const remoteIds = await harness.idsOf(schedule);
    await fault("DELETE /schedules/{id}", { kind: "status", status: 503 }, 3);
    await expect(harness.driver.cancel([{ ...schedule, remoteIds }])).rejects.toBeInstanceOf(
      RemoteScheduleError,
    );
    expect(await harness.idsOf(schedule)).toEqual(remoteIds);
    await harness.driver.cancel([{ ...schedule, remoteIds }]);
    await harness.driver.cancel([{ ...schedule, remoteIds }]);
    expect([await harness.remote(), await harness.idsOf(schedule)]).toEqual([[], []]);
  });

  it("that no row knows is removed, those of other installations stay", async () => {
    const schedule = await harness.schedule();
    await harness.driver.arrange(schedule);
    await harness.qstash.put({
      ...{ id: "molva-00000000-theirs", cron: "0 9 * * *", destination: "https://other.example/api/publish" },
      ...{ body: {}, retries: 3 },
    });
    await harness.sql`delete from seo.platform_schedules where id = ${schedule.scheduleId}`;
    expect(await harness.driver.forgetOrphans()).toBe(2);
    expect((await harness.remote()).map(({ scheduleId }) => scheduleId)).toEqual(["molva-00000000-theirs"]);
  });
});

it.each([
  [["sun"], "07:05", "CRON_TZ=Europe/Berlin 5 7 * * 0"],
  [
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
    "23:00",
    "CRON_TZ=Europe/Berlin 0 23 * * 0,1,2,3,4,5,6",
  ],
] as const)("a slot on %s at %s is the cron %s", (days, time, cron) => {
  expect(cronOf({ days, zone: "Europe/Berlin" }, time)).toBe(cron);
});
