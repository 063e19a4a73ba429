/** Nobody waits while providers fail: pauses pass at once, and requests to a provider that hangs time out soon. */

import { createYooKassa } from "../../../src/billing/yookassa/client.ts";
import { cardPartsOf } from "../../../src/billing/yookassa/parts.ts";
import { uuidv7 } from "../../../src/kernel/ids/index.ts";
import type { HttpClient, HttpRequest } from "../../../src/kernel/outbound/index.ts";
import { clientDefaults } from "../../../src/kernel/outbound/provider-client.ts";
import { createStorage, type S3Settings } from "../../../src/kernel/storage/index.ts";
import { createGateway } from "../../../src/llm/gateway.ts";
import { providersOf } from "../../../src/llm/index.ts";
import { createPlatforms } from "../../../src/platforms/index.ts";
import { createTokenKeeper } from "../../../src/seo/previews/telegraph-token.ts";
import { accountsOf, createSources } from "../../../src/seo/sources/index.ts";
import { createTelegraph } from "../../../src/telegraph/index.ts";
import { demoShop } from "../../../twins/yookassa/demo-shop.ts";
import type { SeoBotHarness } from "../../support/seo-bot.ts";
import { objects } from "./provider-faults.ts";

/** How long a request to a provider that hangs is waited for. */
const soonMs = 100;
/** Whoever failed is trusted again after less. */
const forgivenMs = 600_000;

export interface Haste {
  /** No pause was made and no request hung until now. What models and sources have learnt of providers may be forgotten. */
  afresh(forgets: boolean): void;
  /** Requests to these providers time out soon until the returned function is called. */
  hurry(providers: readonly string[]): () => void;
  /** The longest that a person would have waited for requests that hung since `afresh`, if they came one after the other. */
  hungMs(): number;
}

type S3 = Pick<S3Settings, "endpoint" | "bucket" | "accessKeyId" | "secretAccessKey">;

export function hasten({ core, services }: SeoBotHarness, objectStorage: S3): Haste {
  const { sql, clock, log, http, patientHttp, guarded, keyValue, platforms, vault, publicUrl: appUrl } = core;
  const requestTimeoutMs = core.config.MOLVA_SEND_TIMEOUT_SECONDS * 1_000;
  const hanging = new Set<string>();
  /** Pauses pass at once, but they pass: who has a deadline sees the time go by. */
  let pausedMs = 0;
  let hungMs = 0;
  const pause = async (ms: number) => {
    pausedMs += ms;
  };
  const ahead = { now: () => new Date(clock.now().getTime() + pausedMs) };

  timeOutSoon(http, requestTimeoutMs);
  for (const client of [patientHttp, guarded]) timeOutSoon(client, clientDefaults.timeoutMs);
  const { yookassa } = cardPartsOf(core)?.deps ?? {};
  const { id, secret: secretKey } = demoShop();
  const shop = { id, secretKey, apiRoot: `${core.twinsUrl}/yookassa/v3` };
  Object.assign(yookassa ?? {}, createYooKassa({ shop, http, pause }));
  const keeper = createTokenKeeper(keyValue, vault);
  const telegraphDeps = { apiRoot: core.telegraphApiRoot, http, clock: ahead, keeper, pause };
  Object.assign(services.articles.telegraph, createTelegraph({ ...telegraphDeps, shortName: "SEO Master" }));
  const unpaused = createPlatforms(core.providerEnvironment, { requestTimeoutMs, guarded, pause });
  for (const platform of platforms.all) Object.assign(platform, unpaused.platformOf(platform.name));
  const [patient, hasty] = [storageWith({}), storageWith({ questionMs: soonMs, objectMs: soonMs })];
  Object.assign(core.storage, patient);
  /** Models that failed in the past are asked all the same. */
  let forgiven = 0;
  const later = { now: () => new Date(clock.now().getTime() + forgiven * forgivenMs) };
  const providers = providersOf(core);
  const gateway = createGateway({ sql, clock: later, log, http, providers, appUrl, pause: async () => {} });
  Object.assign(services.articles.gateway, gateway);

  function storageWith(limits: S3Settings["limits"]) {
    const s3 = { ...objectStorage, region: core.config.S3_REGION, pathStyle: true };
    return createStorage({
      ...{ folder: "", urlBase: "", secret: "", clock },
      s3: { ...s3, limits: { pausesMs: [0, 0], ...limits } },
    });
  }

  function timeOutSoon(client: HttpClient, usualMs: number): void {
    const ask = client.request.bind(client);
    Object.assign(client, {
      async request(asked: HttpRequest) {
        if (!askedBy(asked).some((provider) => hanging.has(provider))) return ask(asked);
        hungMs += asked.timeoutMs ?? usualMs;
        return ask({ ...asked, timeoutMs: soonMs });
      },
    });
  }

  return {
    afresh(forgets) {
      pausedMs = 0;
      hungMs = 0;
      if (!forgets) return;
      forgiven += 1;
      const forgetful = { ...keyValue, get: async () => undefined, set: async () => {} };
      const deps = {
        ...{ http: patientHttp, keyValue: forgetful, log, clock, pause, noteCost: async () => {} },
        newId: () => uuidv7(clock),
      };
      const { checkAddress } = services.sources;
      Object.assign(services.sources, createSources(accountsOf(core), deps, checkAddress));
    },
    hurry(providers) {
      for (const provider of providers) hanging.add(provider);
      if (hanging.has(objects)) Object.assign(core.storage, hasty);
      return () => {
        hanging.clear();
        Object.assign(core.storage, patient);
      };
    },
    hungMs: () => hungMs,
  };
}

/** Twins answer below their names, and sites at their own. Whoever has to read a site that hangs, hangs too. */
function askedBy({ url, body }: HttpRequest): string[] {
  const { pathname } = new URL(url);
  const readsSite = [url, body].some((each) => typeof each === "string" && each.includes(".wordpress.test"));
  return [pathname.split("/")[1] ?? "", ...(readsSite ? ["wordpress"] : [])];
}
