// Jobs that read pages back, in a process of their own, so that a test can kill it.
import { pageTask } from "../../src/delivery/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { connect } from "../../src/kernel/db/index.ts";
import { createJobs } from "../../src/kernel/jobs/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { createGuardedClient } from "../../src/kernel/outbound/index.ts";
import { createPlatforms } from "../../src/platforms/index.ts";

const { PAGE_DATABASE_URL: databaseUrl = "", PAGE_HOST: host = "" } = process.env;
const guarded = createGuardedClient({ allowHosts: [host] });
const task = pageTask({
  ...{
    sql: connect({ url: databaseUrl, max: 4 }),
    clock: systemClock,
    log: silentLog,
    guarded,
    http: guarded,
  },
  platforms: createPlatforms({}),
  indexNowRoot: "http://127.0.0.1:9",
});
await createJobs({ databaseUrl, tasks: [task], cron: [], concurrency: 2, log: silentLog }).start();
