import { Logger, makeWorkerUtils, run } from "graphile-worker";
import { connect } from "../../../src/kernel/db/index.ts";
import { postText } from "../../shared/posts.ts";
import { settings } from "../settings.ts";
import { type Contestant, deliveriesOf, type Load, timed } from "./contestant.ts";

const { concurrency, localQueue } = settings.graphileWorker;
const common = { concurrentJobs: concurrency, maxPoolSize: concurrency + 2 };

/** As it comes: one job after the other. */
export const graphileDefault: Contestant = {
  name: "graphile-worker default",
  settings: "its defaults",
  drain: (databaseUrl, load) => drain(databaseUrl, load, {}),
};

/** Many jobs at once, each fetched and completed by a statement of its own. */
export const graphileTuned: Contestant = {
  name: `graphile-worker, ${concurrency} at once`,
  settings: `concurrency ${concurrency}`,
  drain: (databaseUrl, load) => drain(databaseUrl, load, common),
};

/** Jobs are fetched into a local queue and completed in sets. Finished jobs are deleted without a record. */
export const graphileBatched: Contestant = {
  name: "graphile-worker batched",
  settings: `concurrency ${concurrency}, local queue ${localQueue}, batched completion`,
  drain: (databaseUrl, load) =>
    drain(databaseUrl, load, {
      ...common,
      localQueue: { size: localQueue },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    }),
};

async function drain(
  databaseUrl: string,
  load: Load,
  options: GraphileConfig.WorkerOptions,
): Promise<number> {
  const sql = connect({ url: databaseUrl, max: 2 });
  const preset = {
    worker: { ...options, connectionString: databaseUrl, logger: new Logger(() => () => undefined) },
  };
  const utils = await makeWorkerUtils({ preset });
  await utils.migrate();
  await utils.release();
  for (let post = 1; post <= load.posts; post++)
    await sql`
      select from graphile_worker.add_jobs(array(
        select json_populate_record(null::graphile_worker.job_spec, json_build_object(
          'identifier', 'deliver', 'payload', json_build_object('channel', n, 'text', ${postText(post)}::text)))
        from generate_series(1, ${load.channels}::int) n))`;

  const expected = deliveriesOf(load);
  let ran = 0;
  const deliver = () => {
    ran += 1;
  };
  const runners: Awaited<ReturnType<typeof run>>[] = [];
  const seconds = await timed(
    async () =>
      runners.push(await run({ preset, taskList: { deliver }, parsedCronItems: [], noHandleSignals: true })),
    async () =>
      ran >= expected && (await sql`select from graphile_worker._private_jobs limit 1`).length === 0,
  );
  for (const runner of runners) await runner.stop();
  await sql.end();
  if (ran !== expected) throw new Error(`${expected} jobs, but ${ran} ran`);
  return seconds;
}
