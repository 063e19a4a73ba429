import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { databaseWithJobs } from "../../../tests/support/database.ts";
import { type SourcesHarness, startSources } from "../../../tests/support/seo-sources.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { until } from "../../../tests/support/until.ts";
import { createLedger } from "../../billing/index.ts";
import { cliHarness } from "../../cli/testing/cli-harness.ts";
import { systemClock as clock } from "../../kernel/clock/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createGuardedClient } from "../../kernel/outbound/index.ts";
import { readSeedFiles } from "../../llm/index.ts";
import { aGateway, type GatewayHarness } from "../../llm/testing/harness.ts";
import { loadLanguage } from "../language/index.ts";
import { createRuns } from "../runs/create-runs.ts";
import { smallerKinds } from "../smaller-works.ts";
import { styleRun } from "../styleguide/index.ts";
import { addSeo } from "./seo.ts";

const home = tempFolder("cli-seo-works");
const environment: Record<string, string> = {
  ...{ MOLVA_ENV: "development", SEO_REVIEWS: "on" },
  // Ordering asks nobody: the sources only have to be there.
  ...{ FIRECRAWL_API_KEY: "fc-1", PAGESPEED_API_KEY: "key" },
};
const harness = cliHarness({ home, openDatabase: databaseWithJobs, commands: { seo: addSeo }, environment });
const { molva, json } = harness;

const guarded = createGuardedClient();
let sources: SourcesHarness;
let gateway: GatewayHarness;
beforeAll(async () => {
  sources = await startSources();
  gateway = aGateway(harness.sql, sources.twins.url, { files: await readSeedFiles() });
});
afterAll(async () => {
  await gateway.close();
  await sources.close();
  await guarded.close();
});

/** Runs a command that waits, while the work it ordered is done as a server would do it. */
async function waited(...args: string[]) {
  const { sql } = harness;
  const ledger = createLedger(sql, clock);
  const deps = { sql, clock, ledger, gateway: gateway.gateway, sources: sources.sources() };
  const style = styleRun({ ...deps, guarded, language: loadLanguage });
  const kinds = [...Object.values(smallerKinds(deps)), style];
  const runs = createRuns({ sql, clock, log: silentLog, kinds });
  const done = async () => {
    const job = await until("an ordered run", async () => {
      const [run] = await sql<{ workspace_id: string; run_id: string }[]>`
        select workspace_id, id as run_id from seo.runs where status = 'queued'`;
      return run;
    });
    await runs.task.perform({ ...job }, { log: silentLog, signal: new AbortController().signal });
  };
  const [ran] = await Promise.all([molva("seo", ...args, "--user", "42", "--wait"), done()]);
  return ran;
}

it("orders the smaller works, waits for them, and says what to do next", async () => {
  const mine = ["--user", "42"];
  await molva("seo", "user", "add", "42", "--name", "Анна");
  const fields = ["name=Мебель", "company_name=Дубрава", "specialization=кухни на заказ"];
  const project = String((await json("seo", "project", "add", ...fields, ...mine)).id);
  const added = await json("seo", "category", "add", "name=Кухни", "--project", project, ...mine);
  const category = String(added.id);

  expect((await molva("seo", "audit", "run", project, ...mine)).err).toContain("website_url");
  await molva("seo", "project", "set", project, "website_url=http://93.184.216.34", ...mine);
  expect((await molva("seo", "audit", "show", project, ...mine)).err).toContain("molva seo audit run");
  expect((await waited("audit", "run", project)).out).toMatch(/performance +\d+\/100/);
  expect((await waited("audit", "branding", project)).out).toMatch(/accent +#[0-9a-f]{6}/);
  expect((await molva("seo", "audit", "show", project, ...mine)).out).toMatch(/SEO +\d+\/100.*accent/s);

  const estimate = await molva("seo", "estimate", category, ...mine);
  expect(estimate.out).toMatch(/about 320 \(270–370\).*! The category has no phrases.*It cannot begin/s);

  const file = join(home, "phrases.txt");
  await writeFile(file, "кухня из дуба\nкухня на заказ цена\n");
  expect((await waited("keywords", "upload", category, file)).out).toMatch(/Added 2 phrases.*volumes of/);
  await writeFile(file, "");
  expect((await molva("seo", "keywords", "upload", category, file, ...mine)).err).toContain("one phrase");

  const planned = await waited("article", "plan", category);
  expect(planned.out).toMatch(
    /asks .*tokens +about 320, at most 370.*question .*Answer it: molva seo article plan/s,
  );
  const plan = ["article", "plan", category, "--forget-answers", "--answer"];
  expect((await molva("seo", ...plan, "Да. ".repeat(9), ...mine)).err).toContain("at most 8 sentences");
  const answered = await waited(
    ...plan,
    "За 12 лет собрали 840 кухонь. Гарантия 7 лет. Рисует Марина Гусева.",
  );
  const [, from = ""] = /Write it: molva seo article write \d+ --plan (\S+)/.exec(answered.out) ?? [];
  expect(from).not.toBe("");
  const write = ["seo", "article", "write", category, ...mine];
  expect((await molva(...write, "--phrase", "баня")).err).toContain("no main phrase “баня”");
  expect((await molva(...write, "--update", "https://elsewhere.example/")).err).toContain("is no page of");
  expect((await molva(...write, "--plan", from)).out).toContain("Ordered for 370 tokens");
  await harness.sql`update seo.runs set status = 'cancelled', ended_at = now() where status = 'queued'`;

  const described = await waited("category", "describe", category);
  const [, run = ""] = /molva seo text save (\S+)/.exec(described.out) ?? [];
  expect((await waited("text", "regenerate", run)).out).toContain("20 tokens are held");
  expect((await molva("seo", "text", "save", run, ...mine)).out).toContain("for 20 tokens");
  expect((await json("seo", "category", "show", category, ...mine)).description).toEqual(expect.any(String));
  expect((await waited("category", "reviews", category)).out).toMatch(/RATING.*never marked up/s);
  expect((await molva("seo", "category", "reviews", category, "--quantity", "4", ...mine)).err).toContain(
    "Give one of 3, 5, 10.",
  );

  const analyse = ["competitor", "analyse", "https://konkurent.example/kuhni", "--project", project];
  const analysed = await waited(...analyse);
  expect(analysed.out).toMatch(/Topics.*Gaps.*What to do/s);
  const inside = ["seo", "competitor", "analyse", "http://10.0.0.1/", "--project", project, ...mine];
  expect((await molva(...inside)).err).toContain("a public site is needed");
  const [last] = (await json("seo", "run", "list", "--kind", "competitor_analysis")).items;
  expect((await molva("seo", "competitor", "show", last.run_id, ...mine)).out).toContain("What to do");

  const liked = await Promise.all(
    ["a.txt", "b.md", "c.html"].map(async (name) => {
      const path = join(home, name);
      const prose = "Мы делаем кухни сами. Хотите посмотреть цех? Приходите, покажем вам станки. ".repeat(5);
      await writeFile(path, name.endsWith("html") ? `<article><p>${prose}</p></article>` : prose);
      return path;
    }),
  );
  const files = liked.flatMap((path) => ["--file", path]);
  const score = ["seo", "score", liked[1] ?? "", "--phrase", "кухни", "--project", project];
  expect((await molva("seo", "style", "show", project, ...mine)).err).toContain("molva seo style learn");
  expect((await molva(...score, ...mine)).err).toContain("molva seo style learn");
  expect((await molva("seo", "style", "learn", project, ...files.slice(2), ...mine)).err).toContain("3 to 5");
  expect((await waited("style", "learn", project, ...files)).out).toMatch(/reader +«вы»/);
  expect((await molva("seo", "style", "show", project, ...mine)).out).toMatch(/questions +33 %.*Learned/s);
  expect((await molva(...score, ...mine)).out).toContain("Style: like the project's texts.");
  await writeFile(liked[1] ?? "", "Данная мебель является результатом осуществления работ. ".repeat(20));
  const unlike = await molva(...score, "--lang", "ru", ...mine);
  expect(unlike.out).toMatch(/\/100.*на баллы не влияет.*- тон: книжный/s);
  expect((await molva(...score)).err).toContain("--project and --user together");
  const remove = ["seo", "style", "remove", project, ...mine, "--reason", "другой автор"];
  expect((await molva(...remove)).out).toContain("Removed the style guide.");
});
