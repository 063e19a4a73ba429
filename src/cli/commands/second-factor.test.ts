import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { ensureAdmin } from "../../http/index.ts";
import { systemClock as clock } from "../../kernel/clock/index.ts";
import { runCommand } from "../testing/run-command.ts";
import { addSecondFactor } from "./second-factor.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await ensureAdmin(database.sql, { clock });
});
afterAll(() => database?.drop());

const reset = (...args: string[]) =>
  runCommand(addSecondFactor, ["second-factor", "reset", ...args], { DATABASE_URL: database.url });

it("removes the second factor of who lost it, and says so", async () => {
  await database.sql`
    insert into molva.second_factors (operator_id, secret, created_at, confirmed_at)
    select id, 'sealed', now(), now() from molva.operators where login = 'admin'`;
  const done = await reset("Admin");
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining("without a second factor") });
  expect(await database.sql`select from molva.second_factors`).toHaveLength(0);
  expect((await reset("admin")).out).toBe("admin has no second factor.");
  expect(JSON.parse((await reset("admin", "--json")).out)).toEqual({ login: "admin", reset: false });
});

it("says that there is no such operator", async () => {
  expect(await reset("nobody")).toMatchObject({ code: 1, err: "There is no operator nobody." });
});
