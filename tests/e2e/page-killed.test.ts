import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createDispatcher, pageTask, setCredential } from "../../src/delivery/index.ts";
import { enqueuePost } from "../../src/delivery/ingest/enqueue-post.ts";
import { wakePages } from "../../src/delivery/readback/index.ts";
import { aChannel, aWorkspace, enqueue } from "../../src/delivery/testing/builders.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { createVault, generateKey } from "../../src/kernel/crypto/index.ts";
import { createJobs } from "../../src/kernel/jobs/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { createMetrics } from "../../src/kernel/metrics/index.ts";
import { createGuardedClient, createProviderClient } from "../../src/kernel/outbound/index.ts";
import { httpServer } from "../../src/kernel/outbound/test-servers.ts";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { createPlatforms, credentialText, noMedia } from "../../src/platforms/index.ts";
import { createCredentials } from "../../src/workspaces/index.ts";
import { password, startTestWordPress } from "../../twins/wordpress/testing.ts";
import { builtScript } from "../support/built-script.ts";
import { databaseWithJobs } from "../support/database.ts";
import { site } from "../support/read-back/site.ts";
import { until } from "../support/until.ts";

async function aDatabase() {
  const database = await databaseWithJobs();
  onTestFinished(() => database.drop());
  return database;
}

const checked = async (sql: Awaited<ReturnType<typeof aDatabase>>["sql"]) =>
  sql<{ result: string; meta: { findings: unknown[] } }[]>`
    select result, meta from workspaces.events where action = 'page_checked'`;

// covers readback: Once, whoever dies
it("a process that is killed while it reads a page loses nothing: another reads it, once", async () => {
  const { sql, url: databaseUrl } = await aDatabase();
  let asked = 0;
  const server = await httpServer((_request, response) => {
    asked++;
    // The first reader waits for its answer until it is dead.
    if (asked > 1) response.setHeader("content-type", "text/html").end("<h1>Статья</h1>");
  });
  const host = `127.0.0.1:${server.port}`;

  const workspace = await aWorkspace(sql);
  await aChannel(sql, workspace);
  await enqueue(sql, workspace, "Статья");
  const past = new Date(systemClock.now().getTime() - 60_000);
  await sql`update delivery.deliveries set not_before = ${past}`;
  await sql`select delivery.claim_deliveries(${workspace}, 'run', 10, ${systemClock.now()})`;
  const [started] = await sql<[{ delivery_id: string; claim_token: string }]>`
    select * from delivery.start_sending(${workspace}, 'run', 10, ${systemClock.now()})`;
  const meta = { url: `http://${host}/stol/`, page: { public_from: past.toISOString() } };
  await sql`
    select delivery.mark_sent(${workspace}, ${started.delivery_id}, ${started.claim_token}, '1', ${past}, ${sql.json(meta)})`;

  const child = fork(await builtScript(join(projectRoot, "tests/support/page-process.ts")), {
    ...{ execArgv: [], env: { ...process.env, PAGE_DATABASE_URL: databaseUrl, PAGE_HOST: host } },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await until("the page is being read", () => asked === 1);
  child.kill("SIGKILL");
  await once(child, "exit");

  // Its job stays locked by the dead for hours; what it had in hand is missed after minutes.
  const later = { now: () => new Date(systemClock.now().getTime() + 6 * 60_000) };
  const guarded = createGuardedClient({ allowHosts: [host] });
  onTestFinished(() => guarded.close());
  const deps = {
    ...{ sql, clock: later, log: silentLog, guarded, http: guarded, indexNowRoot: "http://127.0.0.1:9" },
    platforms: createPlatforms({}),
  };
  await wakePages(deps);
  await sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null`;
  const jobs = createJobs({ databaseUrl, tasks: [pageTask(deps)], cron: [], concurrency: 2, log: silentLog });
  await jobs.start();
  onTestFinished(() => jobs.stop());
  await until("the page was read", async () => (await checked(sql)).length > 0);
  expect(await checked(sql)).toMatchObject([{ result: "ok", meta: { findings: [], tries: 2 } }]);
  expect(asked).toBe(2);
});

// covers readback: A page in order is told so
it("an article that the dispatcher publishes is read by a job, without anybody asking", async () => {
  const { sql, url: databaseUrl } = await aDatabase();
  const wordpress = await startTestWordPress();
  onTestFinished(() => wordpress.close());
  const http = createProviderClient({ defaultTimeoutMs: 5_000 });
  onTestFinished(() => http.close());
  const guarded = createGuardedClient({ allowHosts: [new URL(wordpress.url).host] });
  onTestFinished(() => guarded.close());
  const platforms = createPlatforms({}, {}, [site]);
  const vault = createVault([generateKey()], systemClock);
  const noVariables = { valueOf: () => undefined };
  const credentials = createCredentials(sql, vault, noVariables, { platforms, http, clock: systemClock });
  const workspace = await aWorkspace(sql);
  const token = credentialText(site.credential, { login: "editor", password });
  const binding = { platform: "site", auth_ref: "editor" };
  await setCredential(
    { sql, clock: systemClock, vault },
    workspace,
    binding,
    { token },
    { operator: "test" },
  );
  await aChannel(sql, workspace, { platform: "site", target_id: wordpress.home, auth_ref: "editor" });
  const article = { title: "Как выбрать стол" };
  const payload = { text: "## Размер\n\nМерим.", parse_mode: "Markdown" as const, article };
  await sql.begin((tx) =>
    enqueuePost(tx, workspace, "webhook_push", { payload }, { platforms, clock: systemClock }),
  );

  const dispatcher = createDispatcher({
    ...{ sql, http, platforms, credentials, clock: systemClock, log: silentLog, metrics: createMetrics() },
    ...{ concurrency: 4, sendingLeaseSeconds: 300, sendTimeoutSeconds: 30, media: () => noMedia },
    payloads: { save: async () => "nowhere" },
  });
  const task = pageTask({
    ...{ sql, clock: systemClock, log: silentLog, guarded, http, platforms },
    indexNowRoot: `${wordpress.url}/indexnow`,
  });
  const jobs = createJobs({ databaseUrl, tasks: [task], cron: [], concurrency: 2, log: silentLog });
  await Promise.all([dispatcher.start(), jobs.start()]);
  onTestFinished(() => jobs.stop());
  onTestFinished(() => dispatcher.stop());
  await until("the page was read", async () => (await checked(sql)).length > 0);
  expect(await checked(sql)).toMatchObject([{ result: "ok", meta: { findings: [] } }]);
});
