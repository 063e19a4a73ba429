import type { z } from "zod";
import type { Said } from "../../said.ts";
import { type Attempt, ask, type NotDone } from "../ask.ts";
import type { SourceDeps } from "../deps.ts";
import { limits } from "../limits.ts";
import type { Remembering } from "../remembered.ts";
import { attemptOf, requestJson } from "../request.ts";
import type { Found, Payer, Sourced } from "../result.ts";
import { missing } from "../texts.ts";
import { countryOf } from "./countries.ts";
import { type Rank, rankIn, rankMemory, rankPath, rankTask, type WantedRank } from "./rank.ts";
import { envelope, type Intent, type Keyword, results } from "./shapes.ts";

export interface DataForSeoAccount {
  readonly login: string;
  readonly password: string;
  /** Without a trailing slash, such as `https://api.dataforseo.com/v3`. */
  readonly apiRoot: string;
  /** Google's code of the country whose volumes are told. */
  readonly location: number;
}

export interface DataForSeo {
  /** The country that volumes are of: it is always named beside them. */
  readonly country: Said;
  /** Longer phrases that contain the phrase. */
  suggestions(phrase: string, payer: Payer, limit?: number): Promise<Sourced<Keyword[]>>;
  /** Phrases from Google's related searches. */
  related(phrase: string, payer: Payer, limit?: number): Promise<Sourced<Keyword[]>>;
  /**
   * Volumes, prices and difficulty for given phrases, in their order. Phrases that DataForSEO does not take or does not
   * know have nulls. With some of the calls failed, what the others told is returned.
   */
  enrich(phrases: readonly string[], payer: Payer): Promise<Sourced<Keyword[]>>;
  /** Phrases whose intent is unknown are left out. */
  intents(phrases: readonly string[], payer: Payer): Promise<Sourced<ReadonlyMap<string, Intent>>>;
  /** Where a page stands among Google's results for a phrase; remembered for a day. */
  rank(wanted: WantedRank, payer: Payer): Promise<Sourced<Rank>>;
}

/** Two attempts, as the document has it. */
const waitsMs = [1_500];
const timeoutMs = 45_000;
const language = "ru";
/** The document's bound for a call; the provider takes more in some. */
const phrasesPerCall = 700;
/** What DataForSEO takes as a phrase. */
const longest = { characters: 80, words: 10 };

export function createDataForSeo(
  account: DataForSeoAccount | undefined,
  deps: SourceDeps,
  remembering: Remembering,
): DataForSeo {
  const place = { location_code: account?.location, language_code: language };

  async function call<S extends z.ZodType>(
    path: string,
    task: Readonly<Record<string, unknown>>,
    shape: S,
    payer: Payer,
  ): Promise<Sourced<z.output<S>>> {
    if (!account) return missing("dataforseo", "off", "no login is set");
    return ask(deps, "dataforseo", payer, waitsMs, () => attempt(account, deps, path, task, shape));
  }

  async function listed(path: string, task: object, shape: typeof results.suggestions, payer: Payer) {
    const answer = await call(path, { ...task, ...place }, shape, payer);
    return answer.ok && answer.value.length === 0
      ? missing("dataforseo", "no_data", "no phrases were found")
      : answer;
  }

  return {
    country: countryOf(account?.location),
    suggestions: (phrase, payer, limit = 200) =>
      listed(
        "keyword_suggestions",
        { keyword: seedOf(phrase), limit, include_seed_keyword: false },
        results.suggestions,
        payer,
      ),
    related: (phrase, payer, limit = 100) =>
      listed("related_keywords", { keyword: seedOf(phrase), limit, depth: 3 }, results.related, payer),

    async enrich(phrases, payer) {
      const asked = [...new Set(phrases.map(normal))].filter(isTaken);
      if (asked.length === 0) return missing("dataforseo", "no_data", "no phrase that can be asked about");
      const parts = chunksOf(asked, phrasesPerCall);
      const [volumes, difficulties] = await Promise.all([
        inTurn(parts, (keywords) =>
          call(
            "/keywords_data/google_ads/search_volume/live",
            { keywords, ...place },
            results.volumes,
            payer,
          ),
        ),
        inTurn(parts, (keywords) =>
          call(`${labs}/bulk_keyword_difficulty/live`, { keywords, ...place }, results.difficulties, payer),
        ),
      ]);
      const answers = [...volumes, ...difficulties];
      const found = answers.filter((answer): answer is Found<never> => answer.ok);
      const [first] = found;
      if (!first)
        return volumes.find((answer) => !answer.ok) ?? missing("dataforseo", "no_data", "nothing was asked");
      const figures = new Map(
        volumes.flatMap((each) => (each.ok ? each.value.map((one) => [one.keyword, one] as const) : [])),
      );
      const hard = new Map(
        difficulties.flatMap((each) =>
          each.ok ? each.value.map((one) => [one.keyword, one.keyword_difficulty] as const) : [],
        ),
      );
      return {
        ok: true,
        value: phrases.map((phrase): Keyword => {
          const known = figures.get(normal(phrase));
          const index = known?.competition_index ?? null;
          return {
            phrase,
            volume: known?.search_volume ?? null,
            difficulty: hard.get(normal(phrase)) ?? null,
            cpcUsd: known?.cpc ?? null,
            competition: index === null ? null : index / 100,
            intent: null,
          };
        }),
        costUsd: found.reduce((sum, { costUsd }) => sum + costUsd, 0),
        cached: false,
        callId: first.callId,
      };
    },

    async intents(phrases, payer) {
      const asked = [...new Set(phrases.map(normal))].filter(isTaken);
      if (asked.length === 0) return missing("dataforseo", "no_data", "no phrase that can be asked about");
      const answers = await inTurn(chunksOf(asked, phrasesPerCall), (keywords) =>
        call(`${labs}/search_intent/live`, { keywords, language_code: language }, results.intents, payer),
      );
      const found = answers.filter((answer) => answer.ok);
      const [first] = found;
      if (!first)
        return answers.find((answer) => !answer.ok) ?? missing("dataforseo", "no_data", "nothing was asked");
      return {
        ok: true,
        value: new Map(
          found.flatMap(({ value }) =>
            value.flatMap(({ keyword, keyword_intent: { label } }) =>
              label ? [[keyword, label] as const] : [],
            ),
          ),
        ),
        costUsd: found.reduce((sum, { costUsd }) => sum + costUsd, 0),
        cached: false,
        callId: first.callId,
      };
    },

    rank: (wanted, payer) =>
      remembering.remembered(
        { kind: "rank", of: { ...wanted, ...place }, ttlMs: dayMs, shape: rankMemory },
        () => call(rankPath, { ...rankTask(wanted), ...place }, rankIn(wanted.url), payer),
      ),
  };
}

const dayMs = 24 * 3_600_000;
const labs = "/dataforseo_labs/google";

async function attempt<S extends z.ZodType>(
  account: DataForSeoAccount,
  { http }: SourceDeps,
  path: string,
  task: Readonly<Record<string, unknown>>,
  shape: S,
): Promise<Attempt<z.output<S>>> {
  const answer = await requestJson(http, {
    method: "POST",
    url: `${account.apiRoot}${path.startsWith("/") ? path : `${labs}/${path}/live`}`,
    headers: {
      authorization: `Basic ${Buffer.from(`${account.login}:${account.password}`).toString("base64")}`,
    },
    // One task a call: "live" takes no more.
    body: JSON.stringify([task]),
    timeoutMs,
    maxBytes: limits.maxBytes.page,
  });
  if (answer.kind !== "answer") return answer;
  const read = envelope.parse(answer.json);
  const [done] = read.tasks;
  const costUsd = Math.max(0, done?.cost ?? read.cost ?? 0);
  // A good envelope may carry a failed task.
  const code = read.status_code !== null && read.status_code !== okay ? read.status_code : done?.status_code;
  const words = `${code ?? ""} ${done?.status_message || read.status_message}`.trim();
  if (answer.status !== 200) return { ...attemptOf(answer, words), ...(costUsd > 0 && { costUsd }) };
  if (code === undefined || code === null)
    return { kind: "again", reason: "unavailable", detail: "an unreadable answer", costUsd };
  if (code === okay) return { kind: "done", value: shape.parse(done?.result ?? []), costUsd };
  return { ...endOf(code, words), costUsd };
}

const okay = 20000;
const noResults = 40102;
/** Not about the key: a failure of the search engine (40101) or of the task (40103), which may succeed next time. */
const again = [40101, 40103];
/** Too many requests a minute, or at once. */
const tooFast = [40202, 40209];

/** Money, or the limit of a day. */
const usedUp = [40200, 40203, 40210];

function endOf(code: number, detail: string): NotDone {
  if (code === noResults) return { kind: "end", reason: "no_data", detail };
  if (again.includes(code) || code >= 50000) return { kind: "again", reason: "unavailable", detail };
  if (tooFast.includes(code)) return { kind: "again", reason: "quota", detail };
  return { kind: "end", reason: usedUp.includes(code) ? "quota" : "refused", detail };
}

/** DataForSEO echoes phrases in lower case. */
const normal = (phrase: string) => phrase.toLowerCase().replace(/\s+/g, " ").trim();

const isTaken = (phrase: string) =>
  phrase !== "" && phrase.length <= longest.characters && phrase.split(" ").length <= longest.words;

/** As many words of a seed as DataForSEO takes. */
function seedOf(phrase: string): string {
  const words = normal(phrase).split(" ").slice(0, longest.words);
  while (words.length > 1 && words.join(" ").length > longest.characters) words.pop();
  return words.join(" ").slice(0, longest.characters);
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}

/** Google Ads takes a dozen calls a minute, so they are made one after another. */
async function inTurn<T, R>(parts: readonly T[], work: (part: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (const part of parts) done.push(await work(part));
  return done;
}
