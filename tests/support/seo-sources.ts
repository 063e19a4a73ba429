import type { CallCost } from "../../src/billing/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { createKeyValue } from "../../src/kernel/kv/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { createProviderClient, type HttpRequest } from "../../src/kernel/outbound/index.ts";
import { demoSearchConsole, twinAccounts } from "../../src/seo/sources/accounts.ts";
import { createAddressCheck } from "../../src/seo/sources/address-check.ts";
import type { SourceDeps } from "../../src/seo/sources/deps.ts";
import type { Payer } from "../../src/seo/sources/result.ts";
import { type Accounts, createSources, type Sources } from "../../src/seo/sources/sources.ts";
import { startTestTwins, type TestTwins } from "../../twins/shared/testing.ts";
import { type TestDatabase, testDatabase } from "./database.ts";

export const payer: Payer = {
  workspaceId: "00000000-0000-7000-8000-000000000001",
  userId: 7,
  operation: "keyword_generation",
  run: "run-1",
};

type SetAccounts = { readonly [Name in keyof Accounts]-?: NonNullable<Accounts[Name]> };

export interface SourcesHarness {
  readonly twins: TestTwins;
  readonly accounts: SetAccounts;
  readonly deps: SourceDeps;
  /** What was noted since `clean`. */
  readonly noted: CallCost[];
  /** The pauses that were asked for; none is waited. */
  readonly pauses: number[];
  /** Sources with these accounts instead of the twins' own. */
  sources(change?: Accounts): Sources;
  /** Requests it names are given a tenth of a second. */
  impatient(choose: (request: HttpRequest) => boolean): void;
  fault(provider: string, fault: object, times?: number, more?: object): Promise<void>;
  /** Methods of the calls that the twin got since `clean`. */
  calls(provider: string): Promise<string[]>;
  /** Lets the time pass for which answers are remembered. */
  forget(): Promise<void>;
  clean(): Promise<void>;
  close(): Promise<void>;
}

/** Twins of all sources, a cache in a database of its own, and an account at each. */
export async function startSources(): Promise<SourcesHarness> {
  const twins = await startTestTwins();
  const database: TestDatabase = await testDatabase();
  const http = createProviderClient();
  const keyValue = await createKeyValue({ sql: database.sql, log: silentLog });
  const noted: CallCost[] = [];
  const pauses: number[] = [];
  let hurried: (request: HttpRequest) => boolean = () => false;
  let ids = 0;

  const at = (path: string) => `${twins.url}${path}`;
  const accounts: SetAccounts = {
    dataforseo: { ...twinAccounts.dataforseo, apiRoot: at(twinAccounts.dataforseo.root), location: 2804 },
    serper: { ...twinAccounts.serper, apiRoot: at(twinAccounts.serper.root) },
    firecrawl: { ...twinAccounts.firecrawl, apiRoot: at(twinAccounts.firecrawl.root) },
    pagespeed: { ...twinAccounts.pagespeed, apiRoot: at(twinAccounts.pagespeed.root) },
    yandex: {
      ...twinAccounts.yandex,
      apiRoot: at(twinAccounts.yandex.root),
      operationRoot: at(twinAccounts.yandex.operationRoot),
    },
    searchconsole: demoSearchConsole(
      at(twinAccounts.searchconsole.root),
      at(twinAccounts.searchconsole.tokenRoot),
    ),
    webmaster: { ...twinAccounts.webmaster, apiRoot: at(twinAccounts.webmaster.root) },
  };
  const deps: SourceDeps = {
    http: { request: (request) => http.request({ ...request, ...(hurried(request) && { timeoutMs: 100 }) }) },
    ...{ keyValue, clock: systemClock, log: silentLog },
    pause: async (ms) => void pauses.push(ms),
    noteCost: async (cost) => void noted.push(cost),
    newId: () => String(++ids),
  };
  const check = createAddressCheck({ allowHosts: [new URL(twins.url).host], resolve: async () => [] });

  return {
    ...{ twins, accounts, deps, noted, pauses },
    sources: (change = {}) => createSources({ ...accounts, ...change }, deps, check),
    impatient(choose) {
      hurried = choose;
    },
    async fault(provider, fault, times = 1, more = {}) {
      await twins.control("POST", "/faults", { provider, fault, times, ...more });
    },
    async calls(provider) {
      const { entries } = await twins.control<{ entries: { method: string }[] }>(
        "GET",
        `/journal?provider=${provider}&limit=1000`,
      );
      return entries.map(({ method }) => method);
    },
    async forget() {
      await database.sql`delete from molva.kv`;
    },
    async clean() {
      await twins.control("POST", "/reset");
      await database.sql`delete from molva.kv`;
      noted.length = 0;
      pauses.length = 0;
      hurried = () => false;
    },
    async close() {
      await Promise.all([twins.close(), http.close()]);
      await keyValue.close();
      await database.drop();
    },
  };
}
