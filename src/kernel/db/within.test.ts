import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { within } from "./index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.sql`create table public.notes (text text not null)`;
});
afterAll(() => database.drop());

it("commits and rolls back with the transaction that was joined", async () => {
  const { sql } = database;
  const note = (db: typeof sql, text: string) =>
    db.begin((tx) => tx`insert into public.notes values (${text})`);
  await sql.begin(async (tx) => {
    await note(within(tx), "kept");
    await expect(
      within(tx).begin(async (part) => {
        await part`insert into public.notes values ('given up')`;
        throw new Error("refused");
      }),
    ).rejects.toThrow("refused");
  });
  await expect(
    sql.begin(async (tx) => {
      await note(within(tx), "lost with the rest");
      throw new Error("the rest failed");
    }),
  ).rejects.toThrow("the rest failed");
  expect(await sql`select text from public.notes`).toEqual([{ text: "kept" }]);
});
