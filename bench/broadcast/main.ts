import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { connect, migrate, readMigrationSources, type Sql } from "../../src/kernel/db/index.ts";
import { runWorkerMigrations } from "../../src/kernel/jobs/index.ts";
import { readBroadcast } from "../../src/seo/broadcasts/broadcasts.ts";
import { perSecond } from "../../src/seo/broadcasts/pace.ts";
import { rounded } from "../shared/figures.ts";
import { measure } from "../shared/measurement.ts";
import type { SenderSettings } from "./sender-process.ts";

const told = z.object({ sent: z.number(), megabytes: z.number(), ended: z.boolean().optional() });
type Told = z.infer<typeof told>;

/** After this share of the people the first process is killed; the memory is that of the second one. */
const killedAfter = 0.1;
const leaseMs = 31_000;

/** A broadcast by an injected clock: how near it comes to its rate, how its memory grows, and what a kill leaves behind. */
export async function main(args: string[]): Promise<void> {
  await measure(args, { people: 100_000 }, async ({ server, say, numbers: { people } }) => {
    const url = await server.database();
    const sql = connect({ url, max: 4 });
    try {
      const { workspaceId, broadcastId } = await prepared(sql, url, people);
      const base = { url, workspaceId, broadcastId };
      say(`Sending to ${people.toLocaleString("en")} people; the process is killed after a tenth`);
      const killed = Math.floor(people * killedAfter);
      await killedAt(killed, { ...base, startMs: Date.now(), every: Math.max(1, Math.floor(killed / 10)) });
      const [{ last }] = await sql<[{ last: number }]>`select max(at_ms)::float8 as last from bench_sent`;
      const points = await untilEnd(
        { ...base, startMs: last + leaseMs, every: Math.max(1, Math.floor(people / 50)) },
        say,
      );
      return [
        {
          name: "broadcast",
          title: `a broadcast to ${people} people`,
          figures: await figuresOf(sql, base, last, points),
        },
      ];
    } finally {
      await sql.end();
    }
  });
}

async function prepared(sql: Sql, url: string, people: number) {
  await migrate(sql, await readMigrationSources());
  await runWorkerMigrations(url);
  const [{ workspaceId }] = await sql<[{ workspaceId: string }]>`
    insert into workspaces.workspaces (name) values ('Рассылка') returning workspace_id as "workspaceId"`;
  await sql`
    insert into seo.users (workspace_id, id) select ${workspaceId}, n from generate_series(1, ${people}::int) n`;
  const [{ broadcastId }] = await sql<[{ broadcastId: number }]>`
    insert into seo.broadcasts (workspace_id, audience, text, created_at)
    values (${workspaceId}, 'all', 'Новость', now()) returning id as "broadcastId"`;
  await sql`
    insert into seo.broadcast_recipients (workspace_id, broadcast_id, place, user_id)
    select ${workspaceId}, ${broadcastId}, row_number() over (order by id), id from seo.users`;
  // Without a key: a message that was sent twice stands there twice.
  await sql`create table bench_sent (user_id bigint not null, at_ms double precision not null)`;
  await sql`vacuum analyze`;
  return { workspaceId, broadcastId };
}

function begin(settings: SenderSettings): ChildProcess {
  return fork(fileURLToPath(new URL("./sender-process.js", import.meta.url)), [JSON.stringify(settings)]);
}

async function killedAt(count: number, settings: SenderSettings): Promise<void> {
  const child = begin(settings);
  const gone = once(child, "exit");
  for (;;) {
    const [message] = await once(child, "message");
    if (told.parse(message).sent >= count) break;
  }
  child.kill("SIGKILL");
  await gone;
}

async function untilEnd(settings: SenderSettings, say: (text: string) => void): Promise<Told[]> {
  const child = begin(settings);
  const gone = once(child, "exit");
  const points: Told[] = [];
  for (;;) {
    const [message] = await once(child, "message");
    const point = told.parse(message);
    points.push(point);
    if (point.ended) break;
    if (points.length % 10 === 0)
      say(`  ${point.sent.toLocaleString("en")} sent, ${Math.round(point.megabytes)} MB`);
  }
  await gone;
  return points;
}

async function figuresOf(
  sql: Sql,
  { workspaceId, broadcastId }: { readonly workspaceId: string; readonly broadcastId: number },
  killedMs: number,
  points: readonly Told[],
) {
  const [seen] = await sql<[{ twice: number; most: number; rate: number }]>`
    with times as (select at_ms, count(*) over (order by at_ms range between 999.999 preceding and current row) as within from bench_sent)
    select (select count(*) - count(distinct user_id) from bench_sent)::int as twice, max(within)::int as most,
      (select (count(*) - 1) / (max(at_ms) - min(at_ms)) * 1000 from bench_sent where at_ms > ${killedMs})::float8 as rate
    from times`;
  const report = await readBroadcast(sql, workspaceId, broadcastId);
  const end = points.at(-1)?.megabytes ?? 0;
  const total = points.at(-1)?.sent ?? 0;
  const fifth = points.find(({ sent }) => sent >= total / 5)?.megabytes ?? end;
  return {
    [`of ${perSecond} a second`]: rounded(seen.rate / perSecond, 3),
    "most in any second": seen.most,
    "written to twice": seen.twice,
    "sent, by the report": report?.sent ?? 0,
    "unknown after the kill": report?.failed ?? 0,
    "MB after a fifth": rounded(fifth, 1),
    "MB at the end": rounded(end, 1),
    "end / fifth": rounded(end / fifth, 2),
  };
}
