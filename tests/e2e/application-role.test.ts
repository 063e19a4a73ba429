import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { noteAudit } from "../../src/audit/index.ts";
import { admitApplication, connect } from "../../src/kernel/db/index.ts";
import { runWorkerMigrations } from "../../src/kernel/jobs/index.ts";
import type { TestDatabase } from "../support/database.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";

/** The address of the role, on the database of the running system. */
let applicationUrl: string;

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
      applicationUrl = own;
      return own;
    },
  });
});
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
});

it("adds to the audit and reads it, but cannot change, shorten, forge or unlock it", async () => {
  const sql = connect({ url: applicationUrl, max: 1 });
  const now = new Date();
  const note = {
    workspaceId: null,
    actor: { kind: "system", id: null },
    action: "test",
    result: "ok",
  } as const;
  await noteAudit(sql, note, now);
  expect(await sql`select from audit.entries where action = 'test'`).toHaveLength(1);
  for (const statement of [
    "update audit.entries set action = 'x'",
    "delete from audit.entries",
    "truncate audit.entries",
    "insert into audit.entries select * from audit.entries limit 1",
    "update audit.chains set last_seq = 1",
    "update audit.chains set purged_seq = last_seq",
    "delete from audit.chains",
    "insert into audit.pending (chain_id, at, actor_kind, action, result, meta) values (gen_random_uuid(), now(), 'operator', 'x', 'ok', '{}')",
    "select * from audit.pending",
    "delete from audit.seals",
    "update audit.seals set body = ''",
    "alter table audit.entries disable trigger refuse_change",
    "alter table audit.entries disable row level security",
    "drop trigger refuse_change on audit.entries",
    "drop table audit.entries",
    "update audit.retention set days = 30",
    "delete from audit.retention",
    "set session_replication_role = replica",
    "create or replace function audit.refuse_change() returns trigger language plpgsql as 'begin return old; end'",
    "create or replace function audit.shortest_retention() returns interval language sql return interval '0'",
  ])
    await expect(sql.unsafe(statement), statement).rejects.toMatchObject({ code: "42501" });
  // What it may call does not shorten it either: an entry of two months ago is far from the retention of a year.
  const old = { ...note, workspaceId: crypto.randomUUID() };
  await noteAudit(sql, old, new Date(now.getTime() - 60 * 24 * 60 * 60 * 1000));
  const [before] = await sql`select count(*) from audit.entries`;
  for (const days of [30, 1, 0, -1]) await sql`select audit.purge(${days}, now() + interval '10 years')`;
  expect(await sql`select count(*) from audit.entries`).toEqual([before]);
  await sql.end();
});

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
});
