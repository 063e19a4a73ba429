import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { createCore } from "../../src/configured/index.ts";
import { aWorkspace } from "../../src/delivery/testing/builders.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { connect, migrate, readMigrationSources, type Sql } from "../../src/kernel/db/index.ts";
import { createLog } from "../../src/kernel/log/index.ts";
import { configFrom } from "../../src/modules.ts";
import { orderArticle } from "../../src/seo/articles/order-article.ts";
import { workshopOf } from "../../src/seo/parts.ts";
import { changeProject } from "../../src/seo/projects/projects.ts";
import { aCategory, aCluster, aProject, aSeoUser } from "../../src/seo/testing/builders.ts";
import { tempFolder } from "../../tests/support/temp-folder.ts";
import { startTwinsProcess } from "../shared/child.ts";
import type { Server } from "../shared/postgres.ts";
import type { WorkerSettings } from "./worker-process.ts";

const usage = z.object({ cpuMs: z.number(), megabytes: z.number(), live: z.number() });
export type Usage = z.infer<typeof usage>;

/** A worker in a process of its own, the twins in another, and PostgreSQL. */
export interface Workshop {
  /** Orders articles and waits until all of them wait for a decision. */
  write(articles: number): Promise<void>;
  /** Of the worker, since it began. */
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

const subjects = [
  ...["зелёный чай", "чай улун", "белый чай", "ремонт окон", "кухня на заказ", "лечение кариеса"],
  ...["доставка цветов", "курсы английского", "аренда авто", "натяжные потолки", "уход за орхидеей"],
];

const places = ["в Казани", "в Перми", "в Омске", "в Туле", "в Твери", "для дома", "недорого"];

/** Their hourly limit of pictures lets a person order no more than five articles. */
const articlesOfPerson = 3;

export async function openWorkshop(server: Server, profile?: string): Promise<Workshop> {
  const databaseUrl = await server.database();
  const sql = connect({ url: databaseUrl, max: 4 });
  await migrate(sql, await readMigrationSources());
  await sql`select workspaces.ensure_event_partitions()`;
  const twins = await startTwinsProcess({ rateLimits: false, chatBurst: 100 });
  await control(twins.url, "/firecrawl/options", { credits: 10_000_000, hostile: false });
  await control(twins.url, "/serper/account", { credits: 10_000_000 });
  const environment = { MOLVA_HOME: tempFolder("bench-seo"), MOLVA_PORT: "0", DATABASE_URL: databaseUrl };
  const core = await createCore({
    ...{ config: configFrom(environment), environment, twinsUrl: twins.url, sql, databaseUrl },
    ...{ clock: systemClock, log: createLog({ level: "warn" }) },
  });
  const { runs, kinds, sources } = workshopOf(core);
  const worker = await startWorker({ databaseUrl, twinsUrl: twins.url, environment }, profile);
  const workspaceId = await aWorkspace(sql);
  let people = 0;

  async function order(articles: number): Promise<void> {
    for (let left = articles; left > 0; left -= articlesOfPerson) {
      people += 1;
      const whose = await aSeoUser(sql, workspaceId);
      const projectId = await aProject(sql, whose, "Своё дело");
      await changeProject({ sql, clock: systemClock }, whose, projectId, {
        website_url: `https://delo-${people % 40}.example`,
        company_city: "Казань",
        experience: "12 лет работы, 3 400 заказов",
      });
      const place = places[people % places.length];
      const keywords = Array.from({ length: articlesOfPerson }, (_, index) =>
        aCluster(`${subjects[(people + index) % subjects.length]} ${place}`, 900 - index),
      );
      const categoryId = await aCategory(sql, whose, { projectId, keywords });
      for (let each = 0; each < Math.min(left, articlesOfPerson); each += 1)
        await orderArticle(
          { sql, clock: systemClock, runs, sources, admins: [] },
          kinds.article,
          whose,
          categoryId,
        );
    }
  }

  return {
    async write(articles) {
      await order(articles);
      await ended(sql, articles * 60_000);
    },
    usage: () => usageOf(worker),
    async stop() {
      const gone = once(worker, "exit");
      worker.disconnect();
      await gone;
      await twins.stop();
      await core.close();
      await sql.end();
      await server.drop(databaseUrl);
    },
  };
}

async function control(twinsUrl: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`${twinsUrl}/_control${path}`, { method: "PATCH", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`the twins answered ${answer.status} to ${path}`);
}

async function startWorker(settings: WorkerSettings, profile: string | undefined): Promise<ChildProcess> {
  const profiling = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const worker = fork(
    fileURLToPath(new URL("./worker-process.js", import.meta.url)),
    [JSON.stringify(settings)],
    {
      execArgv: ["--expose-gc", ...profiling],
    },
  );
  await Promise.race([
    once(worker, "message"),
    once(worker, "exit").then(([code]) => {
      throw new Error(`the worker ended with code ${code} before it started`);
    }),
  ]);
  return worker;
}

async function usageOf(worker: ChildProcess): Promise<Usage> {
  const answer = once(worker, "message");
  worker.send("usage");
  const [message] = await answer;
  return usage.parse(message);
}

/** Waits until no run is worked on; throws if one failed or nothing ends for too long. */
async function ended(sql: Sql, patienceMs: number): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const [row] = await sql<[{ open: number; failed: number; error: unknown }]>`
      select count(*) filter (where status in ('queued', 'running'))::int as open,
        count(*) filter (where status not in ('queued', 'running', 'review'))::int as failed, max(error::text) as error
      from seo.runs`;
    if (row.failed > 0) throw new Error(`${row.failed} articles were not written: ${row.error}`);
    if (row.open === 0) return;
    if (Date.now() > deadline) throw new Error(`${row.open} articles are still being written`);
    await delay(100);
  }
}
