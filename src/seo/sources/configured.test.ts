import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { startTestTwins, type TestTwins } from "../../../twins/shared/testing.ts";
import { createCore } from "../../configured/index.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import { type Environment, loadConfig } from "../../kernel/config/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { accountsOf, twinAccounts } from "./accounts.ts";
import { sourceSettings } from "./environment.ts";
import { sourcesOf } from "./parts.ts";

const twinsUrl = "http://127.0.0.1:8090";
const accounts = (environment: Environment, twins: string | undefined = twinsUrl) =>
  accountsOf({ config: loadConfig(environment, [sourceSettings]), environment, twinsUrl: twins });

describe("the accounts of sources", () => {
  it("are the twins' while these run and no key is set", () => {
    const given = accounts({});
    expect(Object.keys(given)).toEqual([
      ...["dataforseo", "serper", "firecrawl", "pagespeed", "yandex", "searchconsole", "webmaster"],
    ]);
    for (const account of Object.values(given))
      expect(account?.apiRoot).toMatch(/^http:\/\/127\.0\.0\.1:8090\//);
    expect(given.dataforseo?.location).toBe(2804);
  });

  it("do not exist without a key and without twins", () => {
    expect(
      Object.values(
        accountsOf({ config: loadConfig({}, [sourceSettings]), environment: {}, twinsUrl: undefined }),
      ),
    ).toEqual(Array(7).fill(undefined));
  });

  it("never send a real key to a twin, nor the twin's key to a provider", () => {
    const real = accounts({
      SERPER_API_KEY: "real",
      FIRECRAWL_API_KEY: "fc-real",
      FIRECRAWL_API_ROOT: "http://10.0.0.5:3002/v2/",
    });
    expect(real.serper).toEqual({ apiKey: "real", apiRoot: "https://google.serper.dev" });
    expect(real.firecrawl).toEqual({ apiKey: "fc-real", apiRoot: "http://10.0.0.5:3002/v2" });
    expect(accounts({ PAGESPEED_API_ROOT: "https://mirror.example" }).pagespeed).toBeUndefined();
  });

  it.each([
    [
      { DATAFORSEO_LOCATION: "2643" },
      /DATAFORSEO_LOCATION cannot be 2643.*2804 \(Ukraine\) or 2398 \(Kazakhstan\)/,
    ],
    [{ DATAFORSEO_LOGIN: "me" }, /DATAFORSEO_LOGIN and DATAFORSEO_PASSWORD belong together/],
    [
      { GOOGLE_SEARCH_CONSOLE_KEY: '{"client_email": "a@b"}' },
      /must be the JSON file of a service account's key/,
    ],
    [{ YANDEX_SEARCH_API_KEY: "key" }, /YANDEX_SEARCH_API_KEY and YANDEX_SEARCH_FOLDER_ID belong together/],
  ])("are refused with a sentence: %o", (environment, sentence) => {
    expect(() => loadConfig(environment, [sourceSettings])).toThrow(sentence);
  });
});

describe("the sources of an installation with twins", () => {
  let twins: TestTwins;
  let database: TestDatabase;
  beforeAll(async () => {
    [twins, database] = await Promise.all([startTestTwins(), testDatabase()]);
  });
  afterAll(async () => {
    await twins?.close();
    await database?.drop();
  });

  it("are one for all callers, read the twins' web, and write costs into the books", async () => {
    const environment = { MOLVA_HOME: tempFolder("seo-sources"), MOLVA_ENV: "demo" };
    const core = await createCore({
      config: loadConfig(environment, [sourceSettings]),
      ...{ environment, twinsUrl: twins.url, sql: database.sql, databaseUrl: database.url },
      ...{ clock: systemClock, log: silentLog },
    });
    try {
      const sources = sourcesOf(core);
      expect(sourcesOf(core)).toBe(sources);
      const workspaceId = await aWorkspace(database.sql);
      const payer = { workspaceId, userId: 7, operation: "text_generation", run: "run-1" };
      const found = await sources.serper.search("как выбрать диван", payer);
      if (!found.ok) throw new Error(found.detail);
      const page = await sources.firecrawl.page(found.value.organic[0]?.link ?? "", payer);
      expect(page).toMatchObject({ ok: true, cached: false });
      await sources.serper.search("как выбрать диван", payer);
      const noted = await database.sql`
        select operation_type, cost_usd::float, run from billing.token_expenses
        where workspace_id = ${workspaceId} order by id`;
      expect(noted).toEqual([
        { operation_type: "api_serper", cost_usd: 0.001, run: "run-1" },
        { operation_type: "api_firecrawl", cost_usd: 0.00083, run: "run-1" },
      ]);
      expect(await sources.checkAddress("http://localhost:5432/")).toEqual(expect.any(String));
      expect(await sources.checkAddress(`${twins.url}/wordpress/shop/`)).toBeUndefined();
      expect(twinAccounts.firecrawl.apiKey).toMatch(/demo/);
    } finally {
      await core.close();
    }
  });
});
