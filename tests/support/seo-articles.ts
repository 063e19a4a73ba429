import { z } from "zod";
import { createLedger } from "../../src/billing/index.ts";
import { createDispatcher, createMedia } from "../../src/delivery/index.ts";
import type { Clock } from "../../src/kernel/clock/index.ts";
import { createVault, generateKey } from "../../src/kernel/crypto/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { createMetrics } from "../../src/kernel/metrics/index.ts";
import { createGuardedClient, createProviderClient } from "../../src/kernel/outbound/index.ts";
import { createStorage } from "../../src/kernel/storage/index.ts";
import { readSeedFiles } from "../../src/llm/index.ts";
import { aGateway } from "../../src/llm/testing/harness.ts";
import { createPlatforms, withTwins } from "../../src/platforms/index.ts";
import type { ArticleDeps } from "../../src/seo/articles/article-deps.ts";
import { articleRun } from "../../src/seo/articles/article-run.ts";
import { orderArticle, type WantedArticle } from "../../src/seo/articles/order-article.ts";
import { orderPlan, type WantedPlan } from "../../src/seo/articles/order-plan.ts";
import { planRun } from "../../src/seo/articles/plan-run.ts";
import { type ConnectDeps, connectPlatform } from "../../src/seo/connections/connect.ts";
import { loadLanguage } from "../../src/seo/language/index.ts";
import type { Whose } from "../../src/seo/people/whose.ts";
import { createCleanUp } from "../../src/seo/publish/clean-up.ts";
import { createEndTask } from "../../src/seo/publish/publish-run.ts";
import { createUpdateTask } from "../../src/seo/publish/update-page.ts";
import { createRuns } from "../../src/seo/runs/create-runs.ts";
import { readRun } from "../../src/seo/runs/read-runs.ts";
import type { AnyRunKind } from "../../src/seo/runs/run-kind.ts";
import { aCategory, aCluster, aProject, aSeoUser } from "../../src/seo/testing/builders.ts";
import { createTelegraph } from "../../src/telegraph/index.ts";
import { createCredentials, createVariables } from "../../src/workspaces/index.ts";
import { preparationOf, worldOf } from "../contract/preparation.ts";
import { databaseWithJobs, type TestDatabase } from "./database.ts";
import { type SourcesHarness, startSources } from "./seo-sources.ts";
import { tempFolder } from "./temp-folder.ts";
import { until } from "./until.ts";

const wordpress = await preparationOf("wordpress");

/** A world for articles: twins of all providers and of a site, a database, a storage, and a dispatcher on demand. */
export type ArticleHarness = Awaited<ReturnType<typeof startArticles>>;

export async function startArticles() {
  let ahead = 0;
  const clock: Clock = { now: () => new Date(Date.now() + ahead) };
  const [database, sources]: [TestDatabase, SourcesHarness] = await Promise.all([
    databaseWithJobs(),
    startSources(),
  ]);
  const { sql } = database;
  await sql`select workspaces.ensure_event_partitions()`;
  const { twins } = sources;
  const gateway = aGateway(sql, twins.url, { files: await readSeedFiles() });
  const http = createProviderClient();
  const guarded = createGuardedClient({ allowHosts: [] });
  const storage = createStorage({
    ...{ folder: tempFolder("articles"), urlBase: "http://127.0.0.1:9/media", secret: "secret", clock },
  });
  const platforms = createPlatforms(withTwins({}, twins.url));
  const vault = createVault([generateKey()], clock);
  const credentials = createCredentials(sql, vault, createVariables([], {}), { platforms, http, clock });
  const connecting: ConnectDeps = { sql, clock, platforms, credentials, providers: http, vault };
  let token: string | undefined;
  const telegraph = createTelegraph({
    ...{ apiRoot: `${twins.url}/telegraph`, http, clock, shortName: "SEO", pause: async () => {} },
    keeper: {
      token: async () => token,
      async keep(fresh) {
        token = fresh;
        return fresh;
      },
    },
  });
  const deps: ArticleDeps = {
    ...{ sql, clock, ledger: createLedger(sql, clock), gateway: gateway.gateway, sources: sources.sources() },
    ...{ storage, telegraph, platforms, language: loadLanguage },
  };
  const cleanUp = createCleanUp({ ...deps, log: silentLog });
  const kind = articleRun(deps);
  const runsOf = (...kinds: AnyRunKind[]) => createRuns({ sql, clock, log: silentLog, kinds });
  const plan = planRun(deps);
  const runs = runsOf(kind, plan);
  const ordering = { sql, clock, runs, admins: [], sources: deps.sources };
  const ended = createEndTask({ sql, clock, runs, cleanUp });
  const updates = createUpdateTask({ sql, clock, runs, cleanUp, correcting: connecting });

  /** A person with a project, a category with phrases, and a WordPress site. */
  async function aBusiness({ phrases = ["зелёный чай", "чай улун", "белый чай"] } = {}) {
    const whose = await aSeoUser(sql);
    const projectId = await aProject(sql, whose, "Чайная");
    const categoryId = await aCategory(sql, whose, {
      projectId,
      keywords: phrases.map((phrase, index) => aCluster(phrase, 900 - index * 100)),
    });
    const given = { platform_type: "wordpress", fields: { ...wordpress.credential } } as const;
    const { id: connectionId } = await connectPlatform(connecting, whose, projectId, given);
    return { whose, projectId, categoryId, connectionId };
  }

  const perform = (
    { workspaceId }: Pick<Whose, "workspaceId">,
    runId: string,
    using = runs,
    signal = new AbortController().signal,
  ) => using.task.perform({ workspace_id: workspaceId, run_id: runId }, { log: silentLog, signal });

  async function dispatching(work: () => Promise<unknown>): Promise<void> {
    const dispatcher = createDispatcher({
      ...{ sql, http, platforms, clock, log: silentLog, metrics: createMetrics(), credentials },
      ...{ concurrency: 4, sendingLeaseSeconds: 300, sendTimeoutSeconds: 30 },
      media: createMedia({ sql, clock, storage, http: guarded, log: silentLog, maxBytes: 10_000_000 }),
      payloads: { save: async () => "nowhere" },
    });
    await dispatcher.start();
    try {
      await work();
    } finally {
      await dispatcher.stop();
    }
  }

  return {
    ...{
      sql,
      clock,
      database,
      sources,
      gateway,
      twins,
      storage,
      telegraph,
      connecting,
      deps,
      cleanUp,
      kind,
      runs,
      runsOf,
    },
    ...{ ended, aBusiness, perform, plan, ordering },
    deciding: { ...deps, runs, cleanUp },
    order: (whose: Whose, categoryId: number, wanted: WantedArticle = {}, using = runs) =>
      orderArticle({ ...ordering, runs: using }, kind, whose, categoryId, wanted),
    /** Plans an article. */
    async planned(whose: Whose, categoryId: number, wanted: WantedPlan = {}) {
      const { run_id } = await orderPlan(ordering, plan, whose, categoryId, wanted);
      await perform(whose, run_id);
      return readRun(sql, whose.workspaceId, run_id);
    },
    /** Orders an article and has it written. */
    async written(whose: Whose, categoryId: number, wanted: WantedArticle = {}) {
      const { run_id } = await this.order(whose, categoryId, wanted);
      await perform(whose, run_id);
      return readRun(sql, whose.workspaceId, run_id);
    },
    advance(ms: number) {
      ahead += ms;
    },
    /** Sends what waits, until the delivery of the run has ended and its product was told. */
    async delivered({ workspaceId }: Whose, runId: string) {
      await dispatching(async () => {
        const payload = await until("the product is told", async () => {
          const [job] = await sql<{ payload: unknown }[]>`
            select j.payload from graphile_worker._private_jobs j
            join graphile_worker._private_tasks t on t.id = j.task_id
            where t.identifier = ${ended.name} and j.payload -> 'end' ->> 'run' = ${runId} limit 1`;
          return job?.payload;
        });
        await ended.perform(payload, { log: silentLog, signal: new AbortController().signal });
      });
      return readRun(sql, workspaceId, runId);
    },
    /** The same for an article that updates a page: the job looks until its correction has ended. */
    async updated({ workspaceId }: Whose, runId: string) {
      await dispatching(() =>
        until("the page is updated", async () => {
          const [job] = await sql<{ payload: unknown }[]>`
            select j.payload from graphile_worker._private_jobs j where j.key = ${`seo.update_page ${runId}`}`;
          await updates.perform(job?.payload, { log: silentLog, signal: new AbortController().signal });
          return (await readRun(sql, workspaceId, runId)).status !== "publishing" || undefined;
        }),
      );
      return readRun(sql, workspaceId, runId);
    },
    /** The posts of the site. */
    async posts() {
      const shape = z.object({ posts: z.array(z.looseObject({})) });
      return shape.parse(await twins.control("GET", "/wordpress/sites/shop/posts")).posts;
    },
    async clean() {
      ahead = 0;
      token = undefined;
      await sources.clean();
      for (const { path, body } of worldOf("wordpress", wordpress)) await twins.control("POST", path, body);
      await sql`delete from graphile_worker._private_jobs`;
    },
    async close() {
      await gateway.close();
      await Promise.all([http.close(), guarded.close(), sources.close()]);
      await database.drop();
    },
  };
}
