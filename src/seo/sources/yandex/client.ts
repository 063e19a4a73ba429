import { z } from "zod";
import { type Attempt, ask, type NotDone } from "../ask.ts";
import type { SourceDeps } from "../deps.ts";
import { limits } from "../limits.ts";
import type { Remembering } from "../remembered.ts";
import { attemptOf, type JsonAnswer, requestJson } from "../request.ts";
import type { Payer, Sourced } from "../result.ts";
import { anything, isObject, lineOf, listOf, numberOrNull, objectOf } from "../shapes.ts";
import { missing } from "../texts.ts";
import { readSearchXml, type YandexResult } from "./search-xml.ts";

/*
 * Yandex Search API v2, read from its protocol files (yandex/cloud/searchapi/v2) and guide, October 2026. Not certain:
 * - regions of the tree have `label` in the protocol and `name` in an example of the guide: both are read;
 * - whole numbers come as text, as JSON of protocol buffers has them: numbers are read too, absent ones are 0;
 * - what an exceeded quota is answered with: 429 is assumed, and the errors 32 and 55 inside the XML are read as well;
 * - a deferred search takes from five minutes to hours, and how long its result is kept is not told;
 * - prices are without VAT, by day; at night searches are cheaper.
 */

export interface YandexAccount {
  /** Of a service account with the role `search-api.webSearch.user`. */
  readonly apiKey: string;
  readonly folderId: string;
  readonly apiRoot: string;
  /** Where deferred searches are asked for. */
  readonly operationRoot: string;
}

export interface Demand {
  /** Searches of the last 30 days with all words of the phrase. */
  readonly total: number;
  /** Phrases that contain it, the most frequent first. */
  readonly phrases: readonly { readonly phrase: string; readonly count: number }[];
  /** Other phrases of the same people. */
  readonly similar: readonly { readonly phrase: string; readonly count: number }[];
}

export interface RegionDemand {
  readonly region: string;
  readonly count: number;
  /** Above 100: searched for more often here than elsewhere. */
  readonly affinity: number | null;
}

export interface Region {
  readonly id: string;
  readonly name: string;
  readonly children: readonly Region[];
}

export interface Yandex {
  /**
   * Wordstat: how often a phrase is searched for in the regions, in all of them if none is given. Kept for a day. Once the hourly quota
   * is used up, it is not asked for ten minutes.
   */
  demand(phrase: string, regions: readonly string[], payer: Payer, limit?: number): Promise<Sourced<Demand>>;
  demandByRegion(phrase: string, payer: Payer): Promise<Sourced<readonly RegionDemand[]>>;
  /** Kept for a week; free. */
  regionTree(payer: Payer): Promise<Sourced<readonly Region[]>>;
  /** The first ten results at once, kept for a day. Sixteen times the price of a deferred search. */
  search(phrase: string, region: string | undefined, payer: Payer): Promise<Sourced<readonly YandexResult[]>>;
  /** Begins a search whose results come in minutes or hours. Returns its id. */
  deferSearch(phrase: string, region: string | undefined, payer: Payer): Promise<Sourced<string>>;
  /** The results of a deferred search, or "pending". */
  deferredResults(id: string, payer: Payer): Promise<Sourced<readonly YandexResult[] | "pending">>;
}

/** Two attempts. */
const waitsMs = [1_500];
const timeoutMs = 30_000;
const day = 24 * 3_600_000;
/** Dollars for a call. */
const prices = { top: 0.000_164, regions: 0.000_41, tree: 0, search: 0.004, deferred: 0.000_25 };
const longestPhrase = 400;
/** After its hourly quota is used up, Wordstat is not asked for this long: every question would fail, for all who share the folder. */
const restMs = 10 * 60_000;
const restKey = "seo:wordstat-quota";

export function createYandex(
  account: YandexAccount | undefined,
  deps: SourceDeps,
  { remembered }: Remembering,
): Yandex {
  function asked<T>(
    payer: Payer,
    attempt: (account: YandexAccount) => Promise<Attempt<T>>,
  ): Promise<Sourced<T>> {
    return account
      ? ask(deps, "yandex", payer, waitsMs, () => attempt(account))
      : Promise.resolve(missing("yandex", "off", "no key is set"));
  }

  /** The same for Wordstat. The second refusal in a row is not the limit of a second but that of an hour. */
  async function rested<T>(
    payer: Payer,
    attempt: (account: YandexAccount) => Promise<Attempt<T>>,
  ): Promise<Sourced<T>> {
    if ((await quietly(() => deps.keyValue.get(restKey))) !== undefined)
      return missing("yandex", "quota", "the hourly quota of Wordstat was used up minutes ago");
    const answer = await asked(payer, attempt);
    if (!answer.ok && answer.reason === "quota")
      await quietly(() => deps.keyValue.set(restKey, "used up", { ttlMs: restMs }));
    return answer;
  }

  /** Without the store every question is asked. */
  async function quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      deps.log.warn({ error }, "whether Wordstat may be asked could not be looked up");
      return undefined;
    }
  }

  return {
    async demand(phrase, regions, payer, limit = 50) {
      if (!account) return missing("yandex", "off", "no key is set");
      const of = [normal(phrase), [...regions].sort(), limit];
      return remembered({ kind: "wordstat", of, ttlMs: day, shape: storedDemand }, () =>
        rested(payer, async (to) => {
          const answer = await called(to, deps, "/v2/wordstat/topRequests", {
            phrase: normal(phrase),
            numPhrases: limit,
            ...(regions.length > 0 && { regions }),
            devices: ["DEVICE_ALL"],
          });
          if (answer.kind !== "answer") return answer;
          const { totalCount, results, associations } = top.parse(answer.json);
          if (results.length === 0 && totalCount === 0)
            return { kind: "end", reason: "no_data", detail: "nobody searches for it", costUsd: prices.top };
          const value = { total: totalCount, phrases: results, similar: associations };
          return { kind: "done", value, costUsd: prices.top };
        }),
      );
    },

    demandByRegion: (phrase, payer) =>
      asked(payer, async (to) => {
        const answer = await called(to, deps, "/v2/wordstat/regions", {
          phrase: normal(phrase),
          region: "REGION_REGIONS",
          devices: ["DEVICE_ALL"],
        });
        if (answer.kind !== "answer") return answer;
        const { results } = distribution.parse(answer.json);
        if (results.length === 0)
          return {
            kind: "end",
            reason: "no_data",
            detail: "nobody searches for it",
            costUsd: prices.regions,
          };
        return { kind: "done", value: results, costUsd: prices.regions };
      }),

    async regionTree(payer) {
      if (!account) return missing("yandex", "off", "no key is set");
      return remembered({ kind: "wordstat-regions", of: "tree", ttlMs: 7 * day, shape: storedTree }, () =>
        asked(payer, async (to) => {
          const answer = await called(to, deps, "/v2/wordstat/getRegionsTree", {});
          if (answer.kind !== "answer") return answer;
          const { regions } = objectOf({ regions: listOf(region, 500) }).parse(answer.json);
          return regions.length > 0
            ? { kind: "done", value: regions, costUsd: prices.tree }
            : { kind: "again", reason: "unavailable", detail: "an unreadable answer" };
        }),
      );
    },

    async search(phrase, place, payer) {
      if (!account) return missing("yandex", "off", "no key is set");
      const of = [normal(phrase), place ?? null];
      return remembered({ kind: "yandex", of, ttlMs: day, shape: storedResults }, () =>
        asked(payer, async (to) => {
          const answer = await called(to, deps, "/v2/web/search", searchBody(phrase, place));
          if (answer.kind !== "answer") return answer;
          return resultsFrom(answer.json, prices.search);
        }),
      );
    },

    deferSearch: (phrase, place, payer) =>
      asked(payer, async (to) => {
        const answer = await called(to, deps, "/v2/web/searchAsync", searchBody(phrase, place));
        if (answer.kind !== "answer") return answer;
        const { id } = objectOf({ id: lineOf(80) }).parse(answer.json);
        return id
          ? { kind: "done", value: id, costUsd: prices.deferred }
          : { kind: "again", reason: "unavailable", detail: "an unreadable answer" };
      }),

    deferredResults(id, payer) {
      // Asking for a result is free: there is nothing to note.
      const quiet = { ...deps, noteCost: async () => {} };
      if (!account) return Promise.resolve(missing("yandex", "off", "no key is set"));
      if (!/^[\w-]{1,80}$/.test(id))
        return Promise.resolve(missing("yandex", "refused", "not the id of a search"));
      return ask<readonly YandexResult[] | "pending">(quiet, "yandex", payer, waitsMs, async () => {
        const answer = answered(
          await requestJson(deps.http, {
            method: "GET",
            url: `${account.operationRoot}/operations/${id}`,
            headers: { authorization: `Api-Key ${account.apiKey}` },
            timeoutMs,
            maxBytes: limits.maxBytes.small,
          }),
        );
        if (answer.kind !== "answer") return answer;
        const { done, error, response } = operation.parse(answer.json);
        if (!done) return { kind: "done", value: "pending", costUsd: 0 };
        if (error.message) return { kind: "end", reason: "unavailable", detail: error.message };
        return resultsFrom(response, 0);
      });
    },
  };
}

const count = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ])
  .catch(0)
  .transform((value) => (value >= 0 ? Math.round(value) : 0));
const counted = z.object({ phrase: lineOf(limits.phrase).pipe(z.string().min(1)), count });
const top = objectOf({
  totalCount: count,
  results: listOf(counted, 2000),
  associations: listOf(counted, 2000),
});
const distribution = objectOf({
  results: listOf(
    z
      .object({
        region: z.union([z.string().min(1), z.number().transform(String)]),
        count,
        affinityIndex: numberOrNull,
      })
      .transform(({ affinityIndex, ...rest }): RegionDemand => ({ ...rest, affinity: affinityIndex })),
    2000,
  ),
});
const operation = objectOf({
  done: z.boolean().catch(false),
  error: objectOf({ message: lineOf(300) }),
  response: anything,
});

const deepest = 8;

/** A tree of a bounded depth: what is deeper is left out. */
const region: z.ZodType<Region> = regionAt(0);

function regionAt(depth: number): z.ZodType<Region> {
  return z
    .object({
      id: z.union([z.string().min(1), z.number().transform(String)]),
      label: lineOf(200),
      name: lineOf(200),
      children: anything,
    })
    .transform(({ id, label, name, children }) => ({
      id,
      name: label || name,
      children: depth < deepest ? listOf(regionAt(depth + 1), 2000).parse(children) : [],
    }));
}

function searchBody(phrase: string, place: string | undefined) {
  return {
    query: { searchType: "SEARCH_TYPE_RU", queryText: normal(phrase), page: "0" },
    groupSpec: { groupMode: "GROUP_MODE_DEEP", groupsOnPage: "10", docsInGroup: "1" },
    ...(place !== undefined && { region: place }),
    l10n: "LOCALIZATION_RU",
    responseFormat: "FORMAT_XML",
  };
}

const nothingFound = 15;
/** A day's searches are used up; too many a second. */
const overQuota = [32, 55];

function resultsFrom(json: unknown, costUsd: number): Attempt<readonly YandexResult[]> {
  const { rawData } = objectOf({ rawData: z.string().catch("") }).parse(json);
  const read = readSearchXml(Buffer.from(rawData, "base64").toString("utf8"));
  if (read.kind === "unreadable")
    return { kind: "again", reason: "unavailable", detail: "an unreadable answer" };
  if (read.kind === "error") {
    const detail = `${read.code} ${read.text}`;
    if (read.code === nothingFound) return { kind: "end", reason: "no_data", detail, costUsd };
    if (overQuota.includes(read.code)) return { kind: "again", reason: "quota", detail };
    return { kind: "end", reason: "refused", detail };
  }
  return read.results.length > 0
    ? { kind: "done", value: read.results.slice(0, 10), costUsd }
    : { kind: "end", reason: "no_data", detail: "no results", costUsd };
}

async function called(
  account: YandexAccount,
  deps: SourceDeps,
  path: string,
  body: object,
): Promise<JsonAnswer | NotDone> {
  return answered(
    await requestJson(deps.http, {
      method: "POST",
      url: `${account.apiRoot}${path}`,
      headers: { authorization: `Api-Key ${account.apiKey}` },
      body: JSON.stringify({ ...body, folderId: account.folderId }),
      timeoutMs,
      maxBytes: limits.maxBytes.small,
    }),
  );
}

/** A good answer, or how the request ended. */
function answered(answer: JsonAnswer | NotDone): JsonAnswer | NotDone {
  if (answer.kind !== "answer") return answer;
  if (answer.status !== 200)
    return attemptOf(answer, objectOf({ message: lineOf(300) }).parse(answer.json).message);
  return isObject(answer.json)
    ? answer
    : { kind: "again", reason: "unavailable", detail: "an unreadable answer" };
}

const normal = (phrase: string) => phrase.replace(/\s+/g, " ").trim().slice(0, longestPhrase);

const storedCount = z.object({ phrase: z.string(), count: z.number() });
const storedDemand = z.object({
  callId: z.string(),
  value: z.object({ total: z.number(), phrases: z.array(storedCount), similar: z.array(storedCount) }),
});
const storedResults = z.object({
  callId: z.string(),
  value: z.array(z.object({ url: z.string(), title: z.string() })),
});
const storedRegion: z.ZodType<Region> = z.object({
  id: z.string(),
  name: z.string(),
  children: z.array(z.lazy(() => storedRegion)),
});
const storedTree = z.object({ callId: z.string(), value: z.array(storedRegion) });
