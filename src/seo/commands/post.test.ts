import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { preparationOf, worldOf } from "../../../tests/contract/preparation.ts";
import { databaseWithJobs } from "../../../tests/support/database.ts";
import { type SourcesHarness, startSources } from "../../../tests/support/seo-sources.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { until } from "../../../tests/support/until.ts";
import { createLedger } from "../../billing/index.ts";
import { cliHarness } from "../../cli/testing/cli-harness.ts";
import { systemClock as clock } from "../../kernel/clock/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import { createStorage } from "../../kernel/storage/index.ts";
import { readSeedFiles } from "../../llm/index.ts";
import { aGateway, type GatewayHarness } from "../../llm/testing/harness.ts";
import { createPlatforms, withTwins } from "../../platforms/index.ts";
import { createTelegraph } from "../../telegraph/index.ts";
import { loadLanguage } from "../language/index.ts";
import { crossPostRun } from "../posts/cross-post-run.ts";
import { postRun } from "../posts/post-run.ts";
import { createRuns, type Runs } from "../runs/create-runs.ts";
import { addSeo } from "./seo.ts";

const home = tempFolder("cli-seo-posts");
const environment: Record<string, string> = { MOLVA_ENV: "development" };
const harness = cliHarness({ home, openDatabase: databaseWithJobs, commands: { seo: addSeo }, environment });
const { molva, json } = harness;
const http = createProviderClient();
const networks = { telegram: await preparationOf("telegram"), vk: await preparationOf("vk") };

let sources: SourcesHarness;
let gateway: GatewayHarness;
let runs: Runs;
beforeAll(async () => {
  const { sql } = harness;
  sources = await startSources();
  const { twins } = sources;
  Object.assign(environment, withTwins({}, twins.url));
  for (const name of ["telegram", "vk"] as const)
    for (const { path, body } of worldOf(name, networks[name])) await twins.control("POST", path, body);
  gateway = aGateway(sql, twins.url, { files: await readSeedFiles() });
  const deps = {
    ...{ sql, clock, ledger: createLedger(sql, clock), gateway: gateway.gateway, sources: sources.sources() },
    ...{ platforms: createPlatforms(withTwins({}, twins.url)), language: loadLanguage },
    storage: createStorage({ folder: home, urlBase: "http://127.0.0.1:9/media", secret: "secret", clock }),
    telegraph: createTelegraph({
      ...{ apiRoot: `${twins.url}/telegraph`, http, clock, shortName: "SEO" },
      keeper: { token: async () => undefined, keep: async (token) => token },
    }),
  };
  runs = createRuns({ sql, clock, log: silentLog, kinds: [postRun(deps), crossPostRun(deps)] });
});
afterAll(async () => {
  await gateway.close();
  await sources.close();
  await http.close();
});

/** Does the work that was ordered, as a server would do it. */
async function worked() {
  const job = await until("an ordered run", async () => {
    const [run] = await harness.sql<{ workspace_id: string; run_id: string }[]>`
      select workspace_id, id as run_id from seo.runs where status = 'queued'`;
    return run;
  });
  await runs.task.perform({ ...job }, { log: silentLog, signal: new AbortController().signal });
  return { workspaceId: job.workspace_id, runId: job.run_id };
}

it("writes a post, waits for it, has it written anew, publishes it and adapts it to another network", async () => {
  const mine = ["--user", "42"];
  await molva("seo", "user", "add", "42", "--name", "Анна");
  const fields = ["name=Чайная", "company_name=Лавка", "specialization=чай и посуда"];
  const project = String((await json("seo", "project", "add", ...fields, ...mine)).id);
  const category = String(
    (await json("seo", "category", "add", "name=Чай", "--project", project, ...mine)).id,
  );
  const phrases = join(home, "phrases.txt");
  await writeFile(phrases, "зелёный чай\n");
  await molva("seo", "keywords", "import", category, phrases, ...mine);
  await molva("seo", "settings", "set", category, "count=0", ...mine);
  const connect = async (name: keyof typeof networks) => {
    const { credential, targetId } = networks[name];
    const account = join(home, `${name}.json`);
    await writeFile(account, JSON.stringify(credential));
    const place = ["--project", project, "--fields-file", account, `--target=${targetId}`];
    return String((await json("seo", "connection", "add", name, ...place, ...mine)).id);
  };
  const [telegram, vk] = [await connect("telegram"), await connect("vk")];

  const write = ["seo", "post", "write", category, ...mine];
  expect((await molva(...write)).err).toContain("--connection");
  expect((await molva(...write, "--connection", "99999")).err).toContain("There is no connection 99999.");
  const [shown, { runId }] = await Promise.all([
    molva(...write, "--connection", telegram, "--wait"),
    worked(),
  ]);
  expect(shown.out).toMatch(
    /for +Telegram: Новости магазина.*phrase +зелёный чай.*#зелёный_чай.*Next: molva seo post publish/s,
  );

  const short = runId.slice(0, 13);
  expect((await molva("seo", "post", "regenerate", short, ...mine)).out).toContain("for 0 tokens");
  expect((await molva("seo", "post", "publish", short, ...mine)).err).toContain("still being written");
  const key = await worked();
  expect((await molva("seo", "post", "publish", short, ...mine)).out).toContain(
    `molva seo post show ${short}`,
  );
  expect((await molva("seo", "post", "show", short, ...mine)).out).toMatch(/status +publishing/);
  const cross = ["seo", "post", "cross", short, "--connection", vk, ...mine];
  expect((await molva(...cross)).err).toContain("publish it first");

  await runs.published(key, { ok: true, result: { post_url: "https://t.me/shop_news/1" } });
  expect((await molva("seo", "post", "show", short, ...mine)).out).toContain("https://t.me/shop_news/1");
  const [adapted] = await Promise.all([molva(...cross, "--wait"), worked()]);
  expect(adapted.out).toMatch(/for +VK: Лавка чая/);
  const [, skipped = ""] = /molva seo post publish (\S+)/.exec(adapted.out) ?? [];
  expect((await molva("seo", "post", "cancel", skipped, ...mine)).out).toContain("tokens were returned");
  expect(await json("seo", "post", "show", skipped, ...mine)).toMatchObject({
    ...{ kind: "cross_post", status: "cancelled", tokens: 0, result: { source_run_id: runId } },
  });
});
