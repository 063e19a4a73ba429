import PgBoss from "pg-boss";
import { postText } from "../../shared/posts.ts";
import { settings } from "../settings.ts";
import { type Contestant, deliveriesOf, type Job, type Load, timed } from "./contestant.ts";

const queue = "deliveries";
const { batchSize, loops, connections, insertChunk } = settings.pgBoss;

/** Fetches and completes in bulk, as its own workers do, without their pause of half a second between batches. */
export const pgBossBatched: Contestant = {
  name: "pg-boss batched",
  settings: `${loops} loops of ${batchSize}`,
  drain: (databaseUrl, load) => drain(databaseUrl, load, true),
};

/** The same without `priority`: it then takes jobs by age alone, which spares it a sort of the whole queue per batch. */
export const pgBossByAge: Contestant = {
  name: "pg-boss batched, no priorities",
  settings: `${loops} loops of ${batchSize}, priority: false`,
  drain: (databaseUrl, load) => drain(databaseUrl, load, false),
};

async function drain(databaseUrl: string, load: Load, priority: boolean): Promise<number> {
  const boss = await openBoss(databaseUrl, connections);
  await insertAll(boss, jobsOf(load), 1);
  const expected = deliveriesOf(load);
  let done = 0;

  async function loop(): Promise<void> {
    for (;;) {
      const batch = await boss.fetch<Job>(queue, { batchSize, priority });
      if (batch.length === 0) return;
      await boss.complete(
        queue,
        batch.map(({ id }) => id),
      );
      done += batch.length;
    }
  }

  const seconds = await timed(() => Promise.all(Array.from({ length: loops }, loop)));
  await boss.stop({ graceful: false, wait: true });
  if (done !== expected) throw new Error(`${expected} jobs, but ${done} were completed`);
  return seconds;
}

export async function enqueuePgBoss(databaseUrl: string, load: Load, callers: number): Promise<number> {
  const boss = await openBoss(databaseUrl, callers);
  const jobs = jobsOf(load);
  const seconds = await timed(() => insertAll(boss, jobs, callers));
  await boss.stop({ graceful: false, wait: true });
  return seconds;
}

/** Neither its cron nor its maintenance runs: both would only take from it. */
async function openBoss(connectionString: string, max: number): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString, max, supervise: false, schedule: false });
  boss.on("error", (error) => console.error("pg-boss:", error.message));
  await boss.start();
  await boss.createQueue(queue);
  return boss;
}

function jobsOf({ posts, channels }: Load): PgBoss.JobInsert<Job>[] {
  return Array.from({ length: posts }, (_, post) => {
    const text = postText(post + 1);
    return Array.from({ length: channels }, (_, channel) => ({ name: queue, data: { channel, text } }));
  }).flat();
}

async function insertAll(boss: PgBoss, jobs: PgBoss.JobInsert<Job>[], callers: number): Promise<void> {
  const size = Math.min(insertChunk, Math.ceil(jobs.length / callers));
  const chunks = Array.from({ length: Math.ceil(jobs.length / size) }, (_, index) =>
    jobs.slice(index * size, (index + 1) * size),
  );
  const next = chunks.values();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (const chunk of next) await boss.insert(chunk);
    }),
  );
}
