import PgBoss from "pg-boss";
import { postText } from "../../shared/posts.ts";
import { settings } from "../settings.ts";
import { type Contestant, deliveriesOf, type Job, type Load, timed } from "./contestant.ts";

const queue = "deliveries";
const { batchSize, workers, connections, insertChunk } = settings.pgBoss;
/** Jobs by age only, which saves a sort of the whole queue per batch. */
const taking = { batchSize, priority: false } as const;

/** Its own workers: each takes a batch, handles it, completes it, and rests until half a second has passed. */
export const pgBossBatched: Contestant = {
  name: "pg-boss batched",
  settings: `${workers} workers of ${batchSize}, the shortest polling interval`,
  drain: (databaseUrl, load) =>
    drain(databaseUrl, load, async (boss, taken) => {
      for (let worker = 0; worker < workers; worker++)
        await boss.work<Job>(queue, { ...taking, pollingIntervalSeconds: 0.5 }, async (batch) =>
          taken(batch.length),
        );
    }),
};

/** What a user can build from its parts: the same number of loops, without the pause between batches. */
export const pgBossLoops: Contestant = {
  name: "pg-boss, loops of our own",
  settings: `${workers} loops of ${batchSize} around fetch and complete`,
  drain: (databaseUrl, load) =>
    drain(databaseUrl, load, async (boss, taken) => {
      const loop = async (): Promise<void> => {
        const batch = await boss.fetch<Job>(queue, taking);
        if (batch.length === 0) return;
        await boss.complete(
          queue,
          batch.map(({ id }) => id),
        );
        taken(batch.length);
        return loop();
      };
      await Promise.all(Array.from({ length: workers }, loop));
    }),
};

async function drain(
  databaseUrl: string,
  load: Load,
  work: (boss: PgBoss, taken: (jobs: number) => void) => Promise<void>,
): Promise<number> {
  const boss = await openBoss(databaseUrl, connections);
  await insertAll(boss, jobsOf(load), 1);
  const expected = deliveriesOf(load);
  let done = 0;
  const seconds = await timed(
    () => work(boss, (jobs) => (done += jobs)),
    async () => done >= expected && (await boss.getQueueSize(queue, { before: "completed" })) === 0,
  );
  await boss.stop({ graceful: false, wait: true });
  if (done !== expected) throw new Error(`${expected} jobs, but ${done} were handled`);
  return seconds;
}

export async function enqueuePgBoss(databaseUrl: string, load: Load, callers: number): Promise<number> {
  const boss = await openBoss(databaseUrl, callers);
  const jobs = jobsOf(load);
  const seconds = await timed(() => insertAll(boss, jobs, callers));
  await boss.stop({ graceful: false, wait: true });
  return seconds;
}

/** Its cron and maintenance are off: they would only slow it down. */
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
