/**
 * Many schedules due in the same minute, while the processes that publish them are killed: none is published twice, none is lost, and
 * the last one starts in time. `npm run chaos:seo -- --schedules 2000 --kills 50 --processes 4 --json`
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { numberOf, parseArgs, reporter } from "../../../bench/shared/options.ts";
import { aChannel, aWorkspace } from "../../../src/delivery/testing/builders.ts";
import { systemClock as clock } from "../../../src/kernel/clock/index.ts";
import { connect, migrate, readMigrationSources, type Sql } from "../../../src/kernel/db/index.ts";
import { runWorkerMigrations } from "../../../src/kernel/jobs/index.ts";
import { generationsAtOnce } from "../../../src/seo/schedules/ends.ts";
import { saveSchedule } from "../../../src/seo/schedules/schedules.ts";
import { weekdays } from "../../../src/seo/schedules/times.ts";
import { aCategory, aCluster, aProject, aSeoUser } from "../../../src/seo/testing/builders.ts";
import { startDatabase } from "../database.ts";

interface Settings {
  readonly schedules: number;
  readonly kills: number;
  readonly processes: number;
}

export interface SeoReport extends Settings {
  readonly published: number;
  readonly lost: number;
  readonly doubled: number;
  readonly most_at_once: number;
  readonly mean_run_ms: number;
  readonly last_start_ms: number;
  readonly allowed_ms: number;
  readonly in_time: boolean;
  readonly ledger_off_by: number;
}

const perPerson = 10;
const allowance = 1.2;

export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      schedules: { type: "string" },
      kills: { type: "string" },
      processes: { type: "string" },
    },
  });
  const say = reporter(values.json);
  const report = await seoStorm(
    {
      schedules: numberOf("schedules", values.schedules, 2_000),
      kills: numberOf("kills", values.kills, 50),
      processes: numberOf("processes", values.processes, 4),
    },
    say,
  );
  say(
    Object.entries(report)
      .map(([name, value]) => `${name.padEnd(16)} ${value}`)
      .join("\n"),
  );
  if (values.json) console.log(JSON.stringify(report));
  const { lost, doubled, most_at_once, in_time, ledger_off_by } = report;
  const isRight =
    lost === 0 && doubled === 0 && most_at_once <= generationsAtOnce && in_time && ledger_off_by === 0;
  if (!isRight) process.exitCode = 1;
}

export async function seoStorm(settings: Settings, say: (text: string) => void): Promise<SeoReport> {
  const database = await startDatabase();
  const sql = connect({ url: database.url, max: 4, name: "seo chaos" });
  const fleet: ChildProcess[] = [];
  try {
    await migrate(sql, await readMigrationSources());
    await runWorkerMigrations(database.url);
    const dueAt = await prepare(sql, settings, say);
    for (let each = 0; each < settings.processes; each += 1) fleet.push(await startWorker(database.url));
    say(`${settings.schedules} schedules are due at ${dueAt.toISOString()}`);
    const mostAtOnce = await killing(sql, fleet, database.url, settings, say);
    return await books(sql, settings, dueAt, mostAtOnce);
  } finally {
    await Promise.all(fleet.map(killed));
    await sql.end({ timeout: 5 });
    await database.stop();
  }
}

/** People with ten schedules each, all of them at the same minute, which comes when everything is ready. */
async function prepare(sql: Sql, { schedules }: Settings, say: (text: string) => void): Promise<Date> {
  const workspaceId = await aWorkspace(sql);
  const places: { readonly userId: number; readonly categoryId: number; readonly connectionId: number }[] =
    [];
  for (let left = schedules; left > 0; left -= perPerson) {
    const whose = await aSeoUser(sql, workspaceId);
    const projectId = await aProject(sql, whose);
    const channelId = await aChannel(sql, workspaceId, { platform: "vk" });
    const [{ id: connectionId }] = await sql<[{ id: number }]>`
      insert into seo.platform_connections (workspace_id, project_id, platform_type, credentials, identifier, status, channel_id)
      values (${workspaceId}, ${projectId}, 'vk', '{}', ${channelId}, 'active', ${channelId}) returning id`;
    for (let each = 0; each < Math.min(left, perPerson); each += 1) {
      const categoryId = await aCategory(sql, whose, { projectId, keywords: [aCluster("листовой чай")] });
      places.push({ userId: whose.userId, categoryId, connectionId });
    }
  }
  say(`${places.length} categories are there`);
  await sql`update seo.projects set timezone = 'UTC'`;
  // Saving takes a while, and the processes have to start.
  const dueAt = new Date(Math.ceil((Date.now() + 30_000 + schedules * 20) / 60_000) * 60_000);
  const wanted = { days: weekdays, times: [dueAt.toISOString().slice(11, 16)] };
  for (const { userId, ...place } of places)
    await saveSchedule({ sql, clock }, { workspaceId, userId }, place, wanted);
  return dueAt;
}

async function startWorker(databaseUrl: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL("worker.js", import.meta.url))], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: databaseUrl },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await Promise.race([
    once(child.stdout ?? child, "data"),
    once(child, "exit").then(() => Promise.reject(new Error("a worker ended while it started"))),
  ]);
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Kills a process whenever the next share of the work is done. Returns the most that were generated at once. */
async function killing(
  sql: Sql,
  fleet: ChildProcess[],
  databaseUrl: string,
  { schedules, kills }: Settings,
  say: (text: string) => void,
): Promise<number> {
  let [done, mostAtOnce, isSaid] = [0, 0, 0];
  for (;;) {
    const [now] = await sql<[{ ended: number; generating: number }]>`
      select count(*) filter (where state = 'published')::int as ended, count(*) filter (where state = 'generating')::int as generating
      from seo.autopublications`;
    mostAtOnce = Math.max(mostAtOnce, now.generating);
    if (now.ended >= schedules) return mostAtOnce;
    if (done < kills && now.ended >= ((done + 1) * schedules) / (kills + 1)) {
      const victim = done % fleet.length;
      const child = fleet[victim];
      if (child) await killed(child);
      fleet[victim] = await startWorker(databaseUrl);
      done += 1;
    }
    if (now.ended >= isSaid + schedules / 10) {
      isSaid = now.ended;
      say(`${now.ended} published, ${done} killed`);
    }
    await delay(50);
  }
}

async function books(sql: Sql, settings: Settings, dueAt: Date, mostAtOnce: number): Promise<SeoReport> {
  const [slots] = await sql<[{ published: number; lost: number; mean: number; last: Date }]>`
    select count(*) filter (where a.state = 'published')::int as published,
      (select count(*) from seo.platform_schedules s where not exists (
        select from seo.autopublications b where b.schedule_id = s.id and b.state = 'published'))::int as lost,
      coalesce(avg(extract(epoch from a.ended_at - a.started_at) * 1000), 0)::float8 as mean, max(a.started_at) as last
    from seo.autopublications a`;
  const [doubled] = await sql<[{ count: number }]>`
    select (select count(*) from (
        select from seo.autopublications group by schedule_id having count(*) > 1) twice)::int
      + (select count(*) from (
        select from seo.runs group by category_id having count(*) > 1) twice)::int as count`;
  const [ledger] = await sql<[{ off: number }]>`
    select abs(coalesce(sum(h.amount) filter (where h.state = 'settled'), 0) - coalesce(sum(h.amount), 0))::int as off
    from billing.holds h`;
  const allowed = (settings.schedules / generationsAtOnce) * slots.mean * allowance;
  const last = slots.last.getTime() - dueAt.getTime();
  return {
    ...settings,
    ...{ published: slots.published, lost: slots.lost, doubled: doubled.count, most_at_once: mostAtOnce },
    ...{ mean_run_ms: Math.round(slots.mean), last_start_ms: last, allowed_ms: Math.round(allowed) },
    ...{ in_time: last <= allowed, ledger_off_by: ledger.off },
  };
}
