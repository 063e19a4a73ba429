import PgBoss from "pg-boss";
import { postText } from "../../shared/posts.ts";
import { type Contestant, deliveriesOf, type Job, type Load, timed } from "./contestant.ts";

const queue = "deliveries";
const batchSize = Number(process.env.BENCH_BOSS_BATCH ?? 1000);
const loops = Number(process.env.BENCH_BOSS_LOOPS ?? 2);
const priority = process.env.BENCH_BOSS_PRIORITY === "1";

/** Fetch and complete in bulk, several loops at once. */
export const pgBossBatched: Contestant = {
  name: "pg-boss batched",
  settings: `fetch and complete ${batchSize} at once, ${loops} loops`,
  async drain(server, load) {
    const boss = await openBoss(await server.database());
    const jobs = jobsOf(load);
    for (let at = 0; at < jobs.length; at += 5_000) await boss.insert(jobs.slice(at, at + 5_000));
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

    const seconds = await timed(
      server,
      () => Promise.all(Array.from({ length: loops }, loop)),
      () => done >= expected,
    );
    await boss.stop({ graceful: false });
    if (done !== expected) throw new Error(`${expected} jobs, but ${done} were completed`);
    return seconds;
  },
};

export async function openBoss(url: string, connections = 10): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString: url, max: connections, supervise: false, schedule: false });
  boss.on("error", (error) => {
    throw error;
  });
  await boss.start();
  await boss.createQueue(queue);
  return boss;
}

export function jobsOf({ posts, channels }: Load): PgBoss.JobInsert<Job>[] {
  return Array.from({ length: posts }, (_, post) => {
    const text = postText(post + 1);
    return Array.from({ length: channels }, (_, channel) => ({ name: queue, data: { channel, text } }));
  }).flat();
}
