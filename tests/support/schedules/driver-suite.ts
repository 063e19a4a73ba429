import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ManualClock } from "../../../src/kernel/clock/index.ts";
import type { Sql } from "../../../src/kernel/db/index.ts";
import { silentLog } from "../../../src/kernel/log/index.ts";
import { removeConnection } from "../../../src/seo/connections/connect.ts";
import type { Whose } from "../../../src/seo/people/whose.ts";
import { deleteDoomed } from "../../../src/seo/projects/delete.ts";
import { changeProject } from "../../../src/seo/projects/projects.ts";
import { createArranger } from "../../../src/seo/schedules/arranger.ts";
import { cancelSchedules } from "../../../src/seo/schedules/cancel-schedules.ts";
import type { ScheduleDriver } from "../../../src/seo/schedules/driver.ts";
import { saveSchedule, switchSchedule } from "../../../src/seo/schedules/schedules.ts";
import { type Days, type Times, weekdays } from "../../../src/seo/schedules/times.ts";
import { aCategory, aProject, aSeoUser } from "../../../src/seo/testing/builders.ts";

/** A driver with whatever stands behind it, in a world whose time only passes when it is told to. */
export interface DriverWorld {
  readonly sql: Sql;
  readonly clock: ManualClock;
  readonly driver: ScheduleDriver;
  /** The other one, for the same database. */
  readonly other: ScheduleDriver;
  /** Lets the time pass until then, with everything running: whatever is due on the way fires. */
  walkTo(instant: Date): Promise<void>;
  /** The same with Molva away until then, and back after it. */
  awayUntil(instant: Date): Promise<void>;
  /** What still could fire: schedules that the driver, or its provider, knows. */
  known(): Promise<number>;
  close(): Promise<void>;
}

/** What every driver does. */
export function driverSuite(name: string, start: (from: Date) => Promise<DriverWorld>): void {
  describe(`the ${name} driver`, () => {
    let world: DriverWorld;
    let whose: Whose;
    let projectId: number;
    let categoryId: number;
    let connectionId: number;
    const at = (instant: string) => new Date(instant);

    beforeAll(async () => {
      world = await start(at("2027-03-20T00:00:00Z"));
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      whose = await aSeoUser(world.sql);
      projectId = await aProject(world.sql, whose);
      categoryId = await aCategory(world.sql, whose, { projectId });
      connectionId = await aConnection();
    });

    /** A process starts with this driver, and follows what was changed. */
    async function arranged(driver = world.driver): Promise<void> {
      const arranger = createArranger({ sql: world.sql, log: silentLog, driver });
      while ((await arranger.round()) === 0);
    }

    async function aConnection(identifier = "lavka.example"): Promise<number> {
      const [row] = await world.sql<[{ id: number }]>`
        insert into seo.platform_connections (workspace_id, project_id, platform_type, credentials, identifier, status)
        values (${whose.workspaceId}, ${projectId}, 'wordpress', '{}', ${identifier}, 'disconnected') returning id`;
      return row.id;
    }

    async function scheduled(given: { days?: Days; times?: Times; zone?: string; from: string }) {
      const { days = weekdays, times = ["10:00"], zone = "Europe/Moscow", from } = given;
      world.clock.set(at(from));
      await changeProject(world, whose, projectId, { timezone: zone });
      const saved = await saveSchedule(world, whose, { categoryId, connectionId }, { days, times });
      await arranged();
      return saved.id;
    }

    /** `2027-03-28 02:30 waiting 2027-03-28T01:30`: local date and time, state, instant. */
    async function slots(): Promise<string[]> {
      const rows = await world.sql<{ slot: string }[]>`
        select a.local_date || ' ' || a.slot || ' ' || a.state || ' ' || to_char(a.due_at at time zone 'UTC', 'MM-DD"T"HH24:MI') as slot
        from seo.autopublications a
        where a.workspace_id = ${whose.workspaceId} order by a.due_at, a.slot`;
      return rows.map(({ slot }) => slot);
    }

    it("fires every slot once over the nights on which the clocks of Europe/Berlin change", async () => {
      await scheduled({ times: ["02:30", "10:00"], zone: "Europe/Berlin", from: "2027-03-27T12:00:00Z" });
      await world.walkTo(at("2027-03-29T12:00:00Z"));
      const spring = await slots();
      expect(spring.map((each) => each.slice(0, 16))).toEqual([
        ...["2027-03-28 02:30", "2027-03-28 10:00", "2027-03-29 02:30", "2027-03-29 10:00"],
      ]);
      // 10:00 stays 10:00 of the wall clock: an hour earlier in UTC.
      expect(spring[1]).toBe("2027-03-28 10:00 waiting 03-28T08:00");
      await world.walkTo(at("2027-03-30T00:00:00Z"));
      world.clock.set(at("2027-10-30T12:00:00Z"));
      await switchSchedule(world, whose, { categoryId, connectionId }, true);
      await arranged();
      await world.walkTo(at("2027-11-01T12:00:00Z"));
      const autumn = (await slots()).filter((each) => each > "2027-10");
      expect(autumn.map((each) => each.slice(0, 16))).toEqual([
        ...["2027-10-31 02:30", "2027-10-31 10:00", "2027-11-01 02:30", "2027-11-01 10:00"],
      ]);
      expect(autumn[1]).toBe("2027-10-31 10:00 waiting 10-31T09:00");
    });

    it("walks over the end of a month and of a leap February", async () => {
      await scheduled({ days: ["mon", "tue"], times: ["09:00"], from: "2028-02-27T12:00:00Z" });
      await world.walkTo(at("2028-03-07T12:00:00Z"));
      expect((await slots()).map((each) => each.slice(0, 10))).toEqual([
        ...["2028-02-28", "2028-02-29", "2028-03-06", "2028-03-07"],
      ]);
    });

    it("fires a slot of a date once, whatever the zone is changed to", async () => {
      await scheduled({ zone: "Asia/Vladivostok", from: "2028-05-01T20:00:00Z" });
      await world.walkTo(at("2028-05-02T00:30:00Z"));
      expect(await slots()).toEqual(["2028-05-02 10:00 waiting 05-02T00:00"]);
      // Seven hours later it is 10:00 of the same date in Moscow.
      await changeProject(world, whose, projectId, { timezone: "Europe/Moscow" });
      await arranged();
      await world.walkTo(at("2028-05-02T12:00:00Z"));
      expect(await slots()).toHaveLength(1);
      await world.walkTo(at("2028-05-03T07:30:00Z"));
      expect((await slots())[1]).toBe("2028-05-03 10:00 waiting 05-03T07:00");
    });

    it("fires only the last of the slots that passed while it was away", async () => {
      await scheduled({ times: ["09:00", "12:00", "18:00"], from: "2028-06-01T00:00:00Z" });
      await world.awayUntil(at("2028-06-03T10:00:00Z"));
      const found = await slots();
      expect(found.filter((each) => each.includes("waiting"))).toEqual([
        "2028-06-03 12:00 waiting 06-03T09:00",
      ]);
      await world.walkTo(at("2028-06-03T16:00:00Z"));
      expect((await slots()).at(-1)).toBe("2028-06-03 18:00 waiting 06-03T15:00");
    });

    it("fires nothing when a schedule is off, and its new slots when it is changed", async () => {
      await scheduled({ from: "2028-07-01T00:00:00Z" });
      await switchSchedule(world, whose, { categoryId, connectionId }, false);
      await arranged();
      await world.walkTo(at("2028-07-02T12:00:00Z"));
      expect(await slots()).toEqual([]);
      await scheduled({ times: ["15:00"], from: "2028-07-02T12:00:30Z" });
      await world.walkTo(at("2028-07-03T13:00:00Z"));
      expect((await slots()).map((each) => each.slice(0, 16))).toEqual(["2028-07-03 15:00"]);
    });

    it("is cancelled before a connection, a category or a project with schedules is deleted", async () => {
      const deps = { ...world, beforeDelete: [cancelSchedules(world.sql, world.driver)] };
      const before = await world.known();
      await scheduled({ from: "2028-08-01T00:00:00Z" });
      const other = await aConnection("other.example");
      await saveSchedule(
        world,
        whose,
        { categoryId, connectionId: other },
        { days: ["mon"], times: ["11:00"] },
      );
      await arranged();
      expect(await world.known()).toBe(before + 2);
      await removeConnection(deps, whose, other);
      expect(await world.known()).toBe(before + 1);
      await deleteDoomed(deps, { whose, projectId, categoryId });
      expect(await world.known()).toBe(before);
      categoryId = await aCategory(world.sql, whose, { projectId });
      await scheduled({ from: "2028-08-02T00:00:00Z" });
      await deleteDoomed(deps, { whose, projectId });
      expect(await world.known()).toBe(before);
      await world.walkTo(at("2028-08-03T12:00:00Z"));
      expect(await slots()).toEqual([]);
    });

    it("goes on with a schedule that was changed weeks ago when the driver changes to the other one and back", async () => {
      await scheduled({ from: "2028-09-01T00:00:00Z" });
      await world.walkTo(at("2028-09-20T12:00:00Z"));
      const before = await slots();
      expect(before).toHaveLength(20);
      await arranged(world.other);
      const nearest = world.sql`
        select from seo.platform_schedules
        where workspace_id = ${whose.workspaceId} and next_due_at = ${at("2028-09-21T07:00:00Z")}`;
      expect(await nearest).toHaveLength(1);
      await arranged();
      // While whoever reports slots is away, too.
      await world.awayUntil(at("2028-09-21T12:00:00Z"));
      expect(await slots()).toEqual([...before, "2028-09-21 10:00 waiting 09-21T07:00"]);
    });

    it("looks no further back than eight days when it is told of a change late", async () => {
      const id = await scheduled({ from: "2028-10-01T00:00:00Z" });
      world.clock.advance(1_000);
      await switchSchedule(world, whose, { categoryId, connectionId }, true);
      world.clock.set(at("2028-11-01T00:00:00Z"));
      await arranged();
      const [row] = await world.sql<{ next_due_at: Date }[]>`
        select next_due_at from seo.platform_schedules where id = ${id}`;
      expect(row?.next_due_at).toEqual(at("2028-10-24T07:00:00Z"));
    });

    it("goes on with what a deletion that fails halfway leaves", async () => {
      let isBroken = false;
      const fails = {
        name: "fails",
        async run() {
          if (isBroken) throw new Error("the storage is away");
        },
      };
      const deps = { ...world, beforeDelete: [cancelSchedules(world.sql, world.driver), fails] };
      await scheduled({ from: "2028-12-01T00:00:00Z" });
      const known = await world.known();
      isBroken = true;
      const away = { message: "the storage is away" };
      await expect(removeConnection(deps, whose, connectionId)).rejects.toMatchObject(away);
      await arranged();
      expect(await world.known()).toBe(known);
      await expect(deleteDoomed(deps, { whose, projectId, categoryId })).rejects.toMatchObject(away);
      await arranged();
      expect(await world.known()).toBe(known);
      await world.walkTo(at("2028-12-01T12:00:00Z"));
      expect(await slots()).toEqual(["2028-12-01 10:00 waiting 12-01T07:00"]);
    });

    it("goes on with what a process was about to delete when it was killed", async () => {
      await scheduled({ from: "2028-12-10T00:00:00Z" });
      const known = await world.known();
      await cancelSchedules(world.sql, world.driver).run({ whose, projectId });
      expect(await world.known()).toBe(known - 1);
      await arranged();
      expect(await world.known()).toBe(known);
    });
  });
}
