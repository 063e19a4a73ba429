import { Logger, makeWorkerUtils, run } from "graphile-worker";
import { connect } from "../../../src/kernel/db/index.ts";
import type { Server } from "../../shared/postgres.ts";
import { postText } from "../../shared/posts.ts";
import { type Contestant, deliveriesOf, type Load, timed } from "./contestant.ts";

const concurrency = Number(process.env.BENCH_GRAPHILE_CONCURRENCY ?? 24);
const localQueue = Number(process.env.BENCH_GRAPHILE_LOCAL ?? 500);

type WorkerOptions = GraphileConfig.WorkerOptions;

/** Each job is fetched and completed by a statement of its own. */
export const graphileDefault: Contestant = {
  name: "graphile-worker",
  settings: `concurrency ${concurrency}`,
  drain: (server, load) => drain(server, load, { concurrentJobs: concurrency, maxPoolSize: concurrency + 2 }),
};

/** Jobs are fetched into a local queue and their completions are written in sets; finished jobs are deleted. */
export const graphileBatched: Contestant = {
  name: "graphile-worker batched",
  settings: `concurrency ${concurrency}, local queue ${localQueue}, batched completion`,
  drain: (server, load) =>
    drain(server, load, {
      concurrentJobs: concurrency,
      maxPoolSize: concurrency + 2,
      localQueue: { size: localQueue },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    }),
};

async function drain(server: Server, load: Load, options: WorkerOptions): Promise<number> {
  const url = await server.database();
  const sql = connect({ url, max: 2 });
  const preset = {
    worker: { ...options, connectionString: url, logger: new Logger(() => () => undefined) },
  };
  const utils = await makeWorkerUtils({ preset });
  await utils.migrate();
  await utils.release();
  for (let post = 1; post <= load.posts; post++)
    await sql`
      select graphile_worker.add_jobs(array(
        select json_populate_record(null::graphile_worker.job_spec,
          json_build_object('identifier', 'deliver', 'payload', json_build_object('channel', n, 'text', ${postText(post)}::text)))
        from generate_series(1, ${load.channels}::int) n))`;

  const expected = deliveriesOf(load);
  let done = 0;
  const deliver = () => {
    done += 1;
  };
  let runner: Awaited<ReturnType<typeof run>> | undefined;
  const seconds = await timed(
    server,
    async () => {
      runner = await run({ preset, taskList: { deliver }, parsedCronItems: [], noHandleSignals: true });
    },
    async () =>
      done >= expected && (await sql`select from graphile_worker._private_jobs limit 1`).length === 0,
  );
  await runner?.stop();
  await sql.end();
  if (done !== expected) throw new Error(`${expected} jobs, but ${done} ran`);
  return seconds;
}
