import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { aChannel, aWorkspace, enqueue } from "./testing/builders.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

// covers autoposting: Workspace scheduler; Point 33
it("each round begins with another workspace, and only active ones have a turn", async () => {
  const { sql } = database;
  const withPost = async (status: string) => {
    const workspace = await aWorkspace(sql);
    await aChannel(sql, workspace);
    await enqueue(sql, workspace, "Пост");
    await sql`update workspaces.workspaces set status = ${status} where workspace_id = ${workspace}`;
    return workspace;
  };
  const active = [await withPost("active"), await withPost("active"), await withPost("active")];
  await withPost("paused");
  await withPost("disabled");
  await aWorkspace(sql);

  const round = async (): Promise<string[]> =>
    (await sql`select delivery.next_workspaces(${new Date()}) as id`).map(({ id }) => id);
  const rounds = [await round(), await round(), await round()];
  for (const turns of rounds) expect([...turns].sort()).toEqual([...active].sort());
  expect(rounds.map(([first]) => first).sort()).toEqual([...active].sort());
});
