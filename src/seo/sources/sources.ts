import { type AddressCheck, createAddressCheck } from "./address-check.ts";
import { createDataForSeo, type DataForSeo, type DataForSeoAccount } from "./dataforseo/client.ts";
import type { SourceDeps } from "./deps.ts";
import type { SearchFigures } from "./figures.ts";
import { createFirecrawl, type Firecrawl, type FirecrawlAccount } from "./firecrawl/client.ts";
import { createPageSpeed, type PageSpeed, type PageSpeedAccount } from "./pagespeed/client.ts";
import { createRemembering, type Remembering } from "./remembered.ts";
import type { SourceName } from "./result.ts";
import { createSearchConsole, type SearchConsoleAccount } from "./searchconsole/client.ts";
import { createSerper, type Serper, type SerperAccount } from "./serper/client.ts";
import { createWebmaster, type WebmasterAccount } from "./webmaster/client.ts";
import { createYandex, type Yandex, type YandexAccount } from "./yandex/client.ts";

/** The accounts that are set up; a source without one answers "off". */
export interface Accounts {
  readonly dataforseo?: DataForSeoAccount | undefined;
  readonly serper?: SerperAccount | undefined;
  readonly firecrawl?: FirecrawlAccount | undefined;
  readonly pagespeed?: PageSpeedAccount | undefined;
  readonly yandex?: YandexAccount | undefined;
  readonly searchconsole?: SearchConsoleAccount | undefined;
  readonly webmaster?: WebmasterAccount | undefined;
}

/** Where SEO Master gets its facts from. */
export interface Sources {
  readonly dataforseo: DataForSeo;
  readonly serper: Serper;
  readonly firecrawl: Firecrawl;
  readonly pagespeed: PageSpeed;
  readonly yandex: Yandex;
  readonly searchconsole: SearchFigures;
  readonly webmaster: SearchFigures;
  /** What was found before, for those who find something by other means. */
  readonly memory: Pick<Remembering, "recalled" | "keep">;
  /** Whether a source has an account, so that an estimate can tell what will be missing. */
  isOn(source: SourceName): boolean;
  /** Whom owners of sites give access to their figures; undefined if that is not known. */
  readonly readers: Readonly<Record<"searchconsole" | "webmaster", string | undefined>>;
  /** Why an address from a user cannot be used, or undefined. */
  readonly checkAddress: AddressCheck;
}

export function createSources(
  accounts: Accounts,
  deps: SourceDeps,
  checkAddress: AddressCheck = createAddressCheck({ allowHosts: [] }),
): Sources {
  const remembering = createRemembering(deps);
  return {
    dataforseo: createDataForSeo(accounts.dataforseo, deps, remembering),
    serper: createSerper(accounts.serper, deps, remembering),
    firecrawl: createFirecrawl(accounts.firecrawl, deps, remembering, checkAddress),
    pagespeed: createPageSpeed(accounts.pagespeed, deps, checkAddress),
    yandex: createYandex(accounts.yandex, deps, remembering),
    searchconsole: createSearchConsole(accounts.searchconsole, deps),
    webmaster: createWebmaster(accounts.webmaster, deps),
    memory: remembering,
    isOn: (source) => accounts[source] !== undefined,
    readers: { searchconsole: accounts.searchconsole?.email, webmaster: accounts.webmaster?.login },
    checkAddress,
  };
}
