import { settingsOf } from "../../kernel/config/index.ts";
import type { Core } from "../../workspaces/index.ts";
import { sourceSettings } from "./environment.ts";
import { keyFromDer } from "./searchconsole/access-token.ts";
import type { SearchConsoleAccount } from "./searchconsole/client.ts";
import { demoKey } from "./searchconsole/demo-key.ts";
import type { Accounts } from "./sources.ts";

/**
 * Accounts of the twins, which stand in for every source that has no key and no address of its own while they run. A
 * twin never gets a real key. `root` is a path below the twins' address.
 */
export const twinAccounts = {
  dataforseo: {
    root: "/dataforseo/v3",
    login: "demo@molva.example",
    password: "molva-demo-dataforseo",
  },
  serper: { root: "/serper", apiKey: "molva-demo-serper-0000000000000000" },
  firecrawl: { root: "/firecrawl/v2", apiKey: "fc-molva-demo-00000000000000000000000000000000" },
  pagespeed: { root: "/pagespeed/pagespeedonline/v5", apiKey: "AIzaMolvaDemo0000000000000000000000000" },
  yandex: {
    root: "/yandex/searchapi",
    operationRoot: "/yandex/operation",
    apiKey: "AQVNmolva-demo-0000000000000000000000",
    folderId: "b1gmolvademo00000000",
  },
  searchconsole: {
    root: "/searchconsole/webmasters/v3",
    tokenRoot: "/searchconsole/token",
    email: "molva@demo.iam.gserviceaccount.com",
  },
  webmaster: { root: "/webmaster/v4", token: "y0_molva-demo-webmaster-000000000000", login: "molva-demo" },
} as const;

/** The accounts that the settings name, and the twins' for the others while twins run. */
export function accountsOf(core: Pick<Core, "config" | "environment" | "twinsUrl">): Accounts {
  const set = settingsOf(core, sourceSettings);
  const { twinsUrl, environment } = core;
  const isSet = (name: string) => Boolean(environment[name]?.trim());
  /** The twin's address, unless the source has a key or an address of its own. */
  const twinOf = (path: string, key: string | undefined, rootName: string) =>
    twinsUrl === undefined || key !== undefined || isSet(rootName) ? undefined : `${twinsUrl}${path}`;

  const twin = {
    dataforseo: twinOf(twinAccounts.dataforseo.root, set.DATAFORSEO_LOGIN, "DATAFORSEO_API_ROOT"),
    serper: twinOf(twinAccounts.serper.root, set.SERPER_API_KEY, "SERPER_API_ROOT"),
    firecrawl: twinOf(twinAccounts.firecrawl.root, set.FIRECRAWL_API_KEY, "FIRECRAWL_API_ROOT"),
    pagespeed: twinOf(twinAccounts.pagespeed.root, set.PAGESPEED_API_KEY, "PAGESPEED_API_ROOT"),
    yandex: twinOf(twinAccounts.yandex.root, set.YANDEX_SEARCH_API_KEY, "YANDEX_SEARCH_API_ROOT"),
    searchconsole: twinOf(
      twinAccounts.searchconsole.root,
      set.GOOGLE_SEARCH_CONSOLE_KEY?.email,
      "GOOGLE_SEARCH_CONSOLE_API_ROOT",
    ),
    webmaster: twinOf(twinAccounts.webmaster.root, set.YANDEX_WEBMASTER_TOKEN, "YANDEX_WEBMASTER_API_ROOT"),
  };
  const location = set.DATAFORSEO_LOCATION;
  const own: Accounts = {
    dataforseo:
      set.DATAFORSEO_LOGIN !== undefined && set.DATAFORSEO_PASSWORD !== undefined
        ? {
            login: set.DATAFORSEO_LOGIN,
            password: set.DATAFORSEO_PASSWORD,
            apiRoot: set.DATAFORSEO_API_ROOT,
            location,
          }
        : undefined,
    serper: set.SERPER_API_KEY ? { apiKey: set.SERPER_API_KEY, apiRoot: set.SERPER_API_ROOT } : undefined,
    firecrawl: set.FIRECRAWL_API_KEY
      ? { apiKey: set.FIRECRAWL_API_KEY, apiRoot: set.FIRECRAWL_API_ROOT }
      : undefined,
    pagespeed: set.PAGESPEED_API_KEY
      ? { apiKey: set.PAGESPEED_API_KEY, apiRoot: set.PAGESPEED_API_ROOT }
      : undefined,
    yandex:
      set.YANDEX_SEARCH_API_KEY !== undefined && set.YANDEX_SEARCH_FOLDER_ID !== undefined
        ? {
            apiKey: set.YANDEX_SEARCH_API_KEY,
            folderId: set.YANDEX_SEARCH_FOLDER_ID,
            apiRoot: set.YANDEX_SEARCH_API_ROOT,
            operationRoot: set.YANDEX_OPERATION_API_ROOT,
          }
        : undefined,
    searchconsole: set.GOOGLE_SEARCH_CONSOLE_KEY && {
      ...set.GOOGLE_SEARCH_CONSOLE_KEY,
      tokenUrl: set.GOOGLE_OAUTH_TOKEN_URL,
      apiRoot: set.GOOGLE_SEARCH_CONSOLE_API_ROOT,
    },
    webmaster: set.YANDEX_WEBMASTER_TOKEN
      ? {
          token: set.YANDEX_WEBMASTER_TOKEN,
          login: set.YANDEX_WEBMASTER_LOGIN,
          apiRoot: set.YANDEX_WEBMASTER_API_ROOT,
        }
      : undefined,
  };
  return {
    dataforseo: twin.dataforseo
      ? { ...twinAccounts.dataforseo, apiRoot: twin.dataforseo, location }
      : own.dataforseo,
    serper: twin.serper ? { ...twinAccounts.serper, apiRoot: twin.serper } : own.serper,
    firecrawl: twin.firecrawl ? { ...twinAccounts.firecrawl, apiRoot: twin.firecrawl } : own.firecrawl,
    pagespeed: twin.pagespeed ? { ...twinAccounts.pagespeed, apiRoot: twin.pagespeed } : own.pagespeed,
    yandex: twin.yandex
      ? {
          ...twinAccounts.yandex,
          apiRoot: twin.yandex,
          operationRoot: `${twinsUrl}${twinAccounts.yandex.operationRoot}`,
        }
      : own.yandex,
    searchconsole: twin.searchconsole
      ? demoSearchConsole(twin.searchconsole, `${twinsUrl}${twinAccounts.searchconsole.tokenRoot}`)
      : own.searchconsole,
    webmaster: twin.webmaster ? { ...twinAccounts.webmaster, apiRoot: twin.webmaster } : own.webmaster,
  };
}

/** The service account that the twin of Search Console knows. */
export function demoSearchConsole(apiRoot: string, tokenUrl: string): SearchConsoleAccount {
  return { email: twinAccounts.searchconsole.email, key: keyFromDer(demoKey), tokenUrl, apiRoot };
}
