import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { findingsIn } from "../../billing/testing/builders.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { systemClock as clock } from "../../kernel/clock/index.ts";
import { meet, readUser } from "./people.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it("the first contact creates a person with one welcome bonus, however many messages come at once", async () => {
  const { sql } = database;
  const workspaceId = await aWorkspace(sql);
  const deps = { sql, clock, admins: [7] };
  const met = await Promise.all(
    Array.from({ length: 8 }, () => meet(deps, { workspaceId, userId: 5 }, { firstName: "Анна" })),
  );
  expect(met.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(await readUser(sql, { workspaceId, userId: 5 })).toMatchObject({
    ...{ balance: 1_500, language: "ru", role: "user", first_name: "Анна", notify_news: true },
  });
  expect((await meet(deps, { workspaceId, userId: 7 })).user.role).toBe("admin");
  expect(await findingsIn(sql, workspaceId)).toEqual([]);
});

it("a referrer counts once, at the first contact, and is somebody else who is there", async () => {
  const { sql } = database;
  const workspaceId = await aWorkspace(sql);
  const deps = { sql, clock, admins: [] };
  const referrerOf = async (userId: number, referrerId: number) => {
    await meet(deps, { workspaceId, userId }, { referrerId });
    const [row] = await sql`select seo.referrer_of(${workspaceId}, ${userId}) as id`;
    return row?.id;
  };
  expect(await referrerOf(10, 10)).toBeNull();
  expect(await referrerOf(11, 999)).toBeNull();
  expect(await referrerOf(12, 10)).toBe(10);
  expect(await referrerOf(12, 11)).toBe(10);
  expect(await referrerOf(10, 12)).toBeNull();
  expect((await readUser(sql, { workspaceId, userId: 10 })).referred).toBe(1);
});
