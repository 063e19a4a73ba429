import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { admitApplication, connect } from "../../src/kernel/db/index.ts";
import { runWorkerMigrations } from "../../src/kernel/jobs/index.ts";
import type { TestDatabase } from "../support/database.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";

/** The whole system as a role that owns no table: what it may not do, it must not need. */
const role = `molva_app_${randomBytes(4).toString("hex")}`;
let running: RunningSystem;

beforeAll(async () => {
  running = await startSystem({
    accounts: true,
    async databaseUrl({ url, sql }: TestDatabase) {
      await runWorkerMigrations(url);
      const own = Object.assign(new URL(url), { username: role, password: "secret" }).href;
      await admitApplication(sql, own);
      return own;
    },
  });
}, 120_000);
afterAll(async () => {
  const server = connect({ url: running.database.url.replace(/[^/]+$/, "postgres"), max: 1 });
  await running.stop();
  await server.unsafe(`drop role ${role}`);
  await server.end();
});

it("carries a post from the door to the messengers", async () => {
  const { message_id } = await running.post({ payload: { text: "От имени приложения" } });
  const rows = await running.settled(message_id);
  expect(rows.map(({ status }) => status)).toEqual(["sent", "sent", "sent", "sent"]);
  expect(await running.messages("max", "-70000001")).toHaveLength(1);
}, 60_000);

it("does every regular chore without an error", async () => {
  const { sql } = running.database;
  const chores = await sql<
    { identifier: string }[]
  >`select identifier from graphile_worker._private_known_crontabs`;
  expect(chores.length).toBeGreaterThan(5);
  for (const { identifier } of chores)
    await sql`select graphile_worker.add_job(${identifier.replace(/^.*\//, "")}, max_attempts => 1)`;
  const failed = await until("all chores are done", async () => {
    const jobs = await sql`
      select t.identifier, j.last_error, j.attempts from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id`;
    return jobs.every(({ attempts, last_error }) => attempts > 0 && last_error) && [...jobs];
  });
  expect(failed).toEqual([]);
}, 60_000);
