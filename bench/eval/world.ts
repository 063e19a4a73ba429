import { z } from "zod";
import { createCore } from "../../src/configured/index.ts";
import { aWorkspace } from "../../src/delivery/testing/builders.ts";
import { systemClock as clock } from "../../src/kernel/clock/index.ts";
import { connect, migrate, readMigrationSources } from "../../src/kernel/db/index.ts";
import { createJobs } from "../../src/kernel/jobs/index.ts";
import { createLog, silentLog } from "../../src/kernel/log/index.ts";
import { type Gateway, gatewayOf } from "../../src/llm/index.ts";
import { configFrom } from "../../src/modules.ts";
import { orderArticle } from "../../src/seo/articles/order-article.ts";
import { companyLines } from "../../src/seo/articles/read-brief.ts";
import {
  type ArticleResult,
  type ArticleSource,
  articleResult,
  briefSchema,
  sourceSchema,
} from "../../src/seo/articles/shape.ts";
import { setPrices } from "../../src/seo/categories/lists.ts";
import { workshopOf } from "../../src/seo/parts.ts";
import { changeProject } from "../../src/seo/projects/projects.ts";
import { type RunDetail, readRun } from "../../src/seo/runs/read-runs.ts";
import { changeSettings } from "../../src/seo/settings/settings.ts";
import { aCategory, aCluster, aProject, aSeoUser } from "../../src/seo/testing/builders.ts";
import { tempFolder } from "../../tests/support/temp-folder.ts";
import { startTwins } from "../../twins/index.ts";
import type { Server } from "../shared/postgres.ts";
import type { EvalBrief } from "./briefs.ts";

/** An article of a brief with everything that it was made of. */
export interface EvalArticle {
  readonly result: ArticleResult;
  readonly sources: readonly ArticleSource[];
  /** The business's own facts, one on each line. */
  readonly company: readonly string[];
}

export interface Attempt {
  readonly brief: EvalBrief;
  /** Undefined if none was written. */
  readonly article: EvalArticle | undefined;
  readonly failure: string | undefined;
  readonly usd: number;
  readonly tokens: number;
  /** Answers that a model had to give once more because they did not have the asked shape. */
  readonly repairs: number;
}

export interface EvalWorld {
  /** `twin`: proves that the parts fit together, and nothing about quality. */
  readonly kind: "twin" | "real";
  readonly workspaceId: string;
  readonly gateway: Gateway;
  readonly deps: { readonly sql: ReturnType<typeof connect>; readonly clock: typeof clock };
  write(brief: EvalBrief): Promise<Attempt>;
  close(): Promise<void>;
}

/** The product with the keys of the environment; without a key of OpenRouter, with the twins of all providers. */
export async function openWorld(server: Server): Promise<EvalWorld> {
  const isReal = Boolean(process.env.OPENROUTER_API_KEY?.trim());
  const databaseUrl = await server.database();
  const sql = connect({ url: databaseUrl, max: 8 });
  await migrate(sql, await readMigrationSources());
  await sql`select workspaces.ensure_event_partitions()`;
  const twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
  const environment = {
    ...(isReal ? process.env : {}),
    ...{ MOLVA_HOME: tempFolder("eval-seo"), MOLVA_PORT: "0", DATABASE_URL: databaseUrl },
    // Nobody reads these previews.
    TELEGRAPH_API_ROOT: `${twins.url}/telegraph`,
  };
  const core = await createCore({
    ...{ config: configFrom(environment), environment, sql, databaseUrl, clock },
    ...{ log: createLog({ level: "warn" }), twinsUrl: isReal ? undefined : twins.url },
  });
  // The queue's tables are made by its first worker; the runs are worked on here, one by one.
  const jobs = createJobs({ databaseUrl, log: silentLog, concurrency: 1, cron: [], tasks: [] });
  await jobs.start();
  await jobs.stop();
  const { runs, kinds, sources } = workshopOf(core);
  const deps = { sql, clock };
  const workspaceId = await aWorkspace(sql);

  async function order(brief: EvalBrief): Promise<string> {
    const whose = await aSeoUser(sql, workspaceId);
    const projectId = await aProject(sql, whose, brief.company);
    await changeProject(deps, whose, projectId, {
      ...{ company_name: brief.company, specialization: brief.specialization, company_city: brief.city },
      ...{ experience: brief.experience, advantages: brief.advantages, description: brief.description },
    });
    const phrase = (text: string, volume: number) => ({
      ...{ phrase: text, volume, difficulty: 20, cpc: 1, intent: "informational", ai_suggested: false },
    });
    const phrases = [brief.phrase, ...brief.secondary].map((text, index) => phrase(text, 900 - index * 100));
    const keywords = [aCluster(brief.phrase, 900, { phrases })];
    const categoryId = await aCategory(sql, whose, { projectId, keywords });
    await setPrices(deps, whose, categoryId, brief.prices);
    // Texts are measured; pictures would only cost.
    await changeSettings(deps, whose, categoryId, "wordpress", { image: { count: 0 } });
    return (await orderArticle({ ...deps, runs, sources, admins: [] }, kinds.article, whose, categoryId))
      .run_id;
  }

  return {
    ...{ kind: isReal ? "real" : "twin", workspaceId, gateway: gatewayOf(core), deps },
    async write(brief) {
      const runId = await order(brief);
      const signal = new AbortController().signal;
      await runs.task.perform({ workspace_id: workspaceId, run_id: runId }, { log: silentLog, signal });
      await gatewayOf(core).settled();
      const run = await readRun(sql, workspaceId, runId);
      const calls = run.steps.flatMap((step) => step.calls).map((call) => callSchema.parse(call));
      const [{ repairs }] = await sql<[{ repairs: number }]>`
        select count(*)::int as repairs from llm.requests
        where workspace_id = ${workspaceId} and purpose = 'repair' and call_id::text = any (${calls.flatMap(({ callId = "" }) => callId)})`;
      return {
        brief,
        article: run.status === "review" ? await articleOf(run) : undefined,
        failure: run.error?.code ?? (run.status === "review" ? undefined : run.status),
        usd: run.cost_usd,
        tokens: calls.reduce(
          (sum, { inputTokens = 0, outputTokens = 0 }) => sum + inputTokens + outputTokens,
          0,
        ),
        repairs,
      };
    },
    async close() {
      await gatewayOf(core).settled();
      await core.close();
      await twins.close();
      await sql.end();
      await server.drop(databaseUrl);
    },
  };

  async function articleOf({ run_id, result }: RunDetail): Promise<EvalArticle> {
    const stored = await sql<{ name: string; result: unknown }[]>`
      select name, result from seo.run_steps
      where workspace_id = ${workspaceId} and run_id = ${run_id} and name in ('brief', 'sources')`;
    const of = (name: string) => stored.find((step) => step.name === name)?.result;
    return {
      result: articleResult.parse(result),
      sources: z.array(sourceSchema).parse(of("sources") ?? []),
      company: companyLines(briefSchema.parse(of("brief"))),
    };
  }
}

const callSchema = z.looseObject({
  callId: z.string().optional(),
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
});
