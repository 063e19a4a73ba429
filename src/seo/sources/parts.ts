import { setTimeout as pause } from "node:timers/promises";
import { createLedger } from "../../billing/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import { type Core, perCore } from "../../workspaces/index.ts";
import { accountsOf, twinAccounts } from "./accounts.ts";
import { createAddressCheck } from "./address-check.ts";
import { createSources, type Sources } from "./sources.ts";

/** The sources of facts as configured. One for each core: callers at once share a call. */
export const sourcesOf = perCore((core: Core): Sources => {
  const { patientHttp: http, keyValue, log, sql, clock, config, twinsUrl } = core;
  const accounts = accountsOf(core);
  const ledger = createLedger(sql, clock);
  const firecrawlIsTwin = accounts.firecrawl?.apiKey === twinAccounts.firecrawl.apiKey;
  return createSources(
    accounts,
    {
      ...{ http, keyValue, log, clock },
      pause: (ms) => pause(ms),
      noteCost: (cost) => ledger.noteCost(cost),
      newId: () => uuidv7(clock),
    },
    createAddressCheck({
      allowHosts: [...config.MOLVA_ALLOW_HOSTS, ...(twinsUrl ? [new URL(twinsUrl).host] : [])],
      // The twin reads an imaginary web, whose names nobody resolves.
      ...(firecrawlIsTwin && { resolve: async () => [] }),
    }),
  );
});
