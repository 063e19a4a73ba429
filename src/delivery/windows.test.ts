import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { aChannel, aWorkspace } from "./testing/builders.ts";
import { type Interval, type PostingWindow, wallClockModel, weekdays } from "./testing/window-model.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase({ max: 3 });
});
afterAll(() => database.drop());

async function nextOpen(window: PostingWindow, zone: string, at: string | Date): Promise<string | null> {
  const { sql } = database;
  const [row] = await sql<[{ next: Date | null; open: boolean }]>`
    select delivery.next_open(${sql.json(window)}, ${zone}, ${at}::timestamptz) as next,
      delivery.is_open(${sql.json(window)}, ${zone}, ${at}::timestamptz) as open`;
  // Both functions must agree: open now means that the next opening is now.
  expect(row.open).toBe(row.next?.getTime() === new Date(at).getTime());
  return row.next?.toISOString() ?? null;
}

async function fault(window: unknown): Promise<string | null> {
  const { sql } = database;
  const [row] = await sql<[{ fault: string | null }]>`
    select delivery.posting_window_fault(${JSON.stringify(window)}::text::jsonb) as fault`;
  return row.fault;
}

const daily = (...intervals: Interval[]): PostingWindow =>
  Object.fromEntries(weekdays.map((day) => [day, intervals]));

describe("the nearest window", () => {
  const office: PostingWindow = {
    mon: [
      ["09:00", "12:00"],
      ["18:00", "02:00"],
    ],
    sat: [["10:00", "24:00"]],
    holidays: { "2027-05-08": [], "2027-05-09": [["10:00", "14:00"]] },
  };

  it.each([
    ["inside an interval is now", "2027-01-04T08:30:30.5Z", "2027-01-04T08:30:30.500Z"],
    ["before the day's first interval is its start", "2027-01-04T03:00:00Z", "2027-01-04T06:00:00.000Z"],
    ["at the very start is now", "2027-01-04T06:00:00Z", "2027-01-04T06:00:00.000Z"],
    ["at the very end is no longer now", "2027-01-04T09:00:00Z", "2027-01-04T15:00:00.000Z"],
    ["after midnight belongs to the day before", "2027-01-04T22:59:59Z", "2027-01-04T22:59:59.000Z"],
    ["after the night's end is the next open day", "2027-01-04T23:00:00Z", "2027-01-09T07:00:00.000Z"],
    ["ends with the day at 24:00", "2027-01-09T21:00:00Z", "2027-01-11T06:00:00.000Z"],
    ["passes over a holiday", "2027-05-08T08:00:00Z", "2027-05-09T07:00:00.000Z"],
    ["opens on a holiday that has hours of its own", "2027-05-09T10:59:00Z", "2027-05-09T10:59:00.000Z"],
  ])("%s", async (_name, at, expected) => {
    expect(await nextOpen(office, "Europe/Moscow", at)).toBe(expected);
  });

  it("is a holiday's night, and not the night of the weekday that it replaces", async () => {
    const window = {
      ...daily(["20:00", "04:00"]),
      holidays: { "2027-03-08": [["22:00", "01:00"]] },
    } as const;
    expect(await nextOpen(window, "Europe/Moscow", "2027-03-08T22:30:00Z")).toBe("2027-03-09T17:00:00.000Z");
  });

  it("is none when the window never opens within 366 days", async () => {
    expect(await nextOpen({}, "Europe/Berlin", "2027-01-01T00:00:00Z")).toBeNull();
    const distant = { holidays: { "2028-06-01": [["10:00", "11:00"]] } } as const;
    expect(await nextOpen(distant, "Europe/Berlin", "2027-01-01T00:00:00Z")).toBeNull();
    expect(await nextOpen(distant, "Europe/Berlin", "2027-07-01T00:00:00Z")).toBe("2028-06-01T08:00:00.000Z");
  });

  it("is none for a time without end", async () => {
    const [row] = await database.sql`
      select delivery.next_open(${database.sql.json(daily(["00:00", "24:00"]))}, 'UTC', 'infinity') as next`;
    expect(row?.next).toBeNull();
  });
});

describe("when the clocks change", () => {
  // Berlin: 02:00 becomes 03:00 at 01:00 UTC on 28 March 2027, 03:00 becomes 02:00 at 01:00 UTC on 31 October 2027.
  it("an interval inside the skipped hour is empty that day", async () => {
    expect(await nextOpen(daily(["02:15", "02:45"]), "Europe/Berlin", "2027-03-28T00:00:00Z")).toBe(
      "2027-03-29T00:15:00.000Z",
    );
  });

  it("an interval that starts in the skipped hour opens when the clock has jumped", async () => {
    expect(await nextOpen(daily(["02:30", "05:00"]), "Europe/Berlin", "2027-03-28T00:10:00Z")).toBe(
      "2027-03-28T01:00:00.000Z",
    );
  });

  it("an interval inside the repeated hour opens both times", async () => {
    const window = daily(["02:15", "02:45"]);
    expect(await nextOpen(window, "Europe/Berlin", "2027-10-31T00:00:00Z")).toBe("2027-10-31T00:15:00.000Z");
    expect(await nextOpen(window, "Europe/Berlin", "2027-10-31T00:45:00Z")).toBe("2027-10-31T01:15:00.000Z");
    expect(await nextOpen(window, "Europe/Berlin", "2027-10-31T01:45:00Z")).toBe("2027-11-01T01:15:00.000Z");
  });

  it("an interval that has ended opens again when the clock goes back into it", async () => {
    expect(await nextOpen(daily(["01:00", "02:30"]), "Europe/Berlin", "2027-10-31T00:40:00Z")).toBe(
      "2027-10-31T01:00:00.000Z",
    );
  });

  it("a day that the zone left out altogether is passed over", async () => {
    // Samoa went from 29 to 31 December 2011.
    expect(await nextOpen({ fri: [["10:00", "12:00"]] }, "Pacific/Apia", "2011-12-30T08:00:00Z")).toBe(
      "2012-01-05T20:00:00.000Z",
    );
  });

  it("the session's own zone has no say", async () => {
    const { sql } = database;
    const answers = await sql.begin(async (tx) => {
      const seen: unknown[] = [];
      for (const zone of ["UTC", "Europe/Berlin", "America/New_York"]) {
        await tx`select set_config('TimeZone', ${zone}, true)`;
        const [row] = await tx`
          select delivery.next_open('{"tue": [["10:00", "11:00"]]}', 'Asia/Kolkata', '2027-03-25T00:00:00Z') as next`;
        seen.push(row?.next);
      }
      return seen;
    });
    expect(new Set(answers.map(String)).size).toBe(1);
  });
});

describe("over many zones and years", () => {
  const zones = [
    "Europe/Moscow",
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kolkata",
    "Pacific/Apia",
    "Australia/Lord_Howe",
  ];
  /** Instants at which one of these zones changes its clock. */
  const changes = [
    "2010-10-30T23:00:00Z", // Moscow, the last winter time
    "2011-03-26T23:00:00Z", // Moscow, for good
    "2014-10-25T22:00:00Z", // Moscow, back for good
    "2027-03-28T01:00:00Z",
    "2027-10-31T01:00:00Z",
    "2027-03-14T07:00:00Z",
    "2027-11-07T06:00:00Z",
    "2011-12-30T10:00:00Z", // Samoa, the day that was left out
    "2021-04-03T14:00:00Z", // Samoa, the last summer time
    "2027-04-03T15:00:00Z",
    "2027-10-02T15:30:00Z",
  ].map((text) => Date.parse(text));

  const minutes = (most: number) =>
    fc
      .integer({ min: 0, max: most })
      .map(
        (count) =>
          `${String(Math.floor(count / 60)).padStart(2, "0")}:${String(count % 60).padStart(2, "0")}`,
      );
  const interval = fc
    .tuple(minutes(24 * 60 - 1), minutes(24 * 60))
    .filter(([start, end]) => start !== end)
    .map((pair): Interval => pair);
  const intervals = fc.array(interval, { maxLength: 3 });
  const instant = fc.oneof(
    fc.integer({ min: Date.parse("2009-01-01T00:00:00Z"), max: Date.parse("2032-01-01T00:00:00Z") }),
    fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -36 * 3600, max: 36 * 3600 }))
      .map(([change, seconds]) => change + seconds * 1000),
  );
  const cases = fc
    .record({
      zone: fc.constantFrom(...zones),
      at: instant,
      // Without any interval the model would check a year of minutes; such windows have their own test.
      days: fc
        .record(Object.fromEntries(weekdays.map((day) => [day, intervals])), { requiredKeys: [] })
        .filter((days) => Object.values(days).some((list) => list?.length)),
      holidays: fc.array(fc.tuple(fc.integer({ min: -3, max: 10 }), intervals), { maxLength: 3 }),
    })
    .map(({ zone, at, days, holidays }) => {
      const dated = holidays.map(([after, list]) => [
        new Date(at + after * 86_400_000).toISOString().slice(0, 10),
        list,
      ]);
      return { zone, at: new Date(at), window: { ...days, holidays: Object.fromEntries(dated) } };
    });

  // covers autoposting: Scheduling hooks
  it("the database and a clock read minute by minute agree on the next opening", async () => {
    const models = new Map(zones.map((zone) => [zone, wallClockModel(zone)]));
    await fc.assert(
      fc.asyncProperty(cases, async ({ zone, at, window }) => {
        const expected = models.get(zone)?.nextOpen(window, at.getTime()) ?? null;
        expect(await fault(window)).toBeNull();
        expect(await nextOpen(window, zone, at)).toBe(
          expected === null ? null : new Date(expected).toISOString(),
        );
      }),
      { numRuns: 600 },
    );
  });

  it("finding the next opening costs microseconds", async () => {
    const { sql } = database;
    const [row] = await sql`
      explain (analyze, timing off, format json)
      select max(delivery.next_open(${sql.json(daily(["09:00", "12:00"], ["18:00", "02:00"]))}, 'Europe/Moscow',
                                    timestamptz '2027-01-01' + i * interval '7 minutes'))
      from generate_series(1, 5000) as i`;
    const plan: { "Execution Time": number }[] = row?.["QUERY PLAN"];
    // 10 µs on a quiet machine; the bound leaves room for a busy one.
    expect((plan[0]?.["Execution Time"] ?? Number.POSITIVE_INFINITY) / 5000).toBeLessThan(0.2);
  });
});

describe("a window that nobody could keep is refused with its place named", () => {
  it.each([
    [[], "The posting window must be an object"],
    [{ monday: [] }, 'unknown day "monday"'],
    [{ tue: null }, "tue: the day must be an array"],
    [{ tue: ["09:00", "18:00"] }, "tue, interval 1: an interval is a start and an end"],
    [
      {
        wed: [
          ["09:00", "10:00"],
          ["9:00", "18:00"],
        ],
      },
      'wed, interval 2: "9:00" is not a start',
    ],
    [{ wed: [["24:00", "02:00"]] }, 'wed, interval 1: "24:00" is not a start'],
    [{ wed: [["23:00", "24:01"]] }, 'wed, interval 1: "24:01" is not an end'],
    [{ wed: [["10:00", 18]] }, "wed, interval 1: 18 is not an end"],
    [{ thu: [["10:00", "10:00"]] }, "thu, interval 1: it ends when it starts"],
    [{ holidays: [] }, "holidays must be an object"],
    [{ holidays: { "2027-02-29": [] } }, 'holidays: "2027-02-29" is not a date'],
    [{ holidays: { "2027-05-09": "closed" } }, "holidays, 2027-05-09: the day must be an array"],
  ])("%j", async (window, sentence) => {
    expect(await fault(window)).toContain(sentence);
  });

  it("by the database itself, in the channel's row", async () => {
    const { sql } = database;
    const workspaceId = await aWorkspace(sql);
    const channelId = await aChannel(sql, workspaceId);
    const set = (values: Record<string, unknown>) =>
      sql`update delivery.channels set ${sql(values)} where channel_id = ${channelId}`;

    await expect(set({ posting_window: sql.json({ mon: [["25:00", "26:00"]] }) })).rejects.toMatchObject({
      code: "23514",
      message: 'mon, interval 1: "25:00" is not a start: starts go from "00:00" to "23:59".',
      column_name: "posting_window",
    });
    await expect(set({ window_mode: "windowed" })).rejects.toMatchObject({
      message: "A windowed channel needs a posting window.",
    });
    await set({ window_mode: "windowed", posting_window: sql.json(daily(["00:00", "24:00"])) });
  });

  it("and so is a time zone that does not exist, or that is only an abbreviation", async () => {
    const { sql } = database;
    const workspaceId = await aWorkspace(sql);
    const channelId = await aChannel(sql, workspaceId);
    for (const zone of [
      "Europe/Nowhere",
      "Europe/Nowhere+3",
      "MSK",
      "EST5EDT",
      "europe/moscow",
      "",
      "Etc/GMT+99",
    ]) {
      await expect(
        sql`update delivery.channels set timezone = ${zone} where channel_id = ${channelId}`,
        zone,
      ).rejects.toMatchObject({ code: "23514", column_name: "timezone" });
      await expect(
        sql`update workspaces.workspaces set timezone = ${zone} where workspace_id = ${workspaceId}`,
        zone,
      ).rejects.toMatchObject({
        message: expect.stringContaining(`${JSON.stringify(zone)} is not a time zone`),
      });
    }
    const [row] = await sql`
      select count(*) as refused from pg_timezone_names
      where name ~ '/' and workspaces.timezone_fault(name) is not null`;
    expect(row?.refused).toBe(0);
    await sql`update delivery.channels set timezone = null where channel_id = ${channelId}`;
  });
});

describe("a channel opens", () => {
  async function opensAt(channel: Record<string, unknown>): Promise<string | undefined> {
    const { sql } = database;
    const workspaceId = await aWorkspace(sql);
    const channelId = await aChannel(sql, workspaceId);
    await sql`update delivery.channels set ${sql(channel)} where channel_id = ${channelId}`;
    const [row] = await sql<[{ opens_at: Date | null }]>`
      select delivery.channel_opens_at(c, w.timezone, '2027-01-04T00:00:00Z') as opens_at
      from delivery.channels c join workspaces.workspaces w using (workspace_id) where c.channel_id = ${channelId}`;
    return row.opens_at?.toISOString();
  }
  const window = { mon: [["09:00", "12:00"]] };

  it("at once when its window is not in force", async () => {
    expect(await opensAt({ posting_window: database.sql.json(window) })).toBe("2027-01-04T00:00:00.000Z");
  });

  it("by the workspace's clock when it has none of its own", async () => {
    const set = { window_mode: "windowed", posting_window: database.sql.json(window) };
    expect(await opensAt(set)).toBe("2027-01-04T06:00:00.000Z");
    expect(await opensAt({ ...set, timezone: "Asia/Kolkata" })).toBe("2027-01-04T03:30:00.000Z");
  });
});

describe("a post is stale", () => {
  it.each([
    ["never, without a limit", null, null, "2030-01-01T00:00:00Z", false],
    ["not yet at its very age", null, 3600, "2027-01-01T01:00:00Z", false],
    ["past its age", null, 3600, "2027-01-01T01:00:00.001Z", true],
    ["not by waiting for its own time", "2027-01-02T00:00:00Z", 3600, "2027-01-02T00:30:00Z", false],
    ["counting from its own time", "2027-01-02T00:00:00Z", 3600, "2027-01-02T01:00:01Z", true],
  ])("%s", async (_name, scheduledFor, maxAge, now, expected) => {
    const [row] = await database.sql`
      select delivery.is_stale('2027-01-01T00:00:00Z', ${scheduledFor}::timestamptz, ${maxAge}::int, ${now}::timestamptz) as stale`;
    expect(row?.stale).toBe(expected);
  });
});
